/* Plain brute force: does the side to move win within so many plies? It leaves nothing out, so it judges the search. */

typedef struct {
    const env_t *env;
    table_t table;
    scored_t *buffer;
    uint64_t nodes, most;
} proof_t;

/* 1 if the side to move wins within `plies` (`wins`), or loses within them (not `wins`), whatever the opponent does.
   -1 if the nodes are used up. */
static int proven(proof_t *proof, const board_t *board, int plies, int wins)
{
    if (board->outcome != PLAYING)
        return board->outcome == (wins ? WON : LOST);
    if (plies <= 0)
        return 0;
    if (proof->nodes > proof->most)
        return -1;
    uint64_t key = board->key ^ (uint64_t)(2 * plies + wins) * 0x9E3779B97F4A7C15u;
    entry_t entry;
    if (plies > 1 && table_get(&proof->table, key, &entry))
        return entry.score;
    scored_t *moves = proof->buffer + plies * MOST_MOVES;
    int count = game_generate(proof->env, board, GENERATE_USEFUL, moves), found = !wins;
    if (plies > 2)
        for (int number = 0; number < count; number++)
            if (moves[number].move & MOVE_FORCING)
                moves[number].score += 100000;
    for (int number = 0; number < count; number++) {
        board_t next;
        game_play(proof->env, board, plies > 2 ? pick(moves, count, number) : moves[number].move, &next);
        proof->nodes++;
        int answer = proven(proof, &next, plies - 1, !wins);
        if (answer < 0)
            return answer;
        if (answer == wins) {
            found = wins;
            break;
        }
    }
    if (plies > 1)
        table_put(&proof->table, key, 1, found, plies, BOUND_EXACT);
    return found;
}

/* Room for a proof of so many plies. A short one gets a small table, which is sooner empty. Returns 0 without memory. */
static int open_proof(proof_t *proof, int64_t plies)
{
    proof->buffer = malloc(sizeof(scored_t) * MOST_MOVES * (size_t)(plies + 1));
    if (proof->buffer && table_resize(&proof->table, proof->most < 30000 ? 1 : 32))
        return 1;
    free(proof->buffer);
    return 0;
}

static void close_proof(proof_t *proof)
{
    free(proof->buffer);
    table_free(&proof->table);
}

/* The fewest plies, up to `most_plies`, in which the side to move wins; 0 if it does not; -1 after so many nodes. */
int EXPORT(prove)(engine_t *engine, const uint64_t *root, int64_t most_plies, int64_t most_nodes)
{
    proof_t proof = {.env = engine->search.env, .most = (uint64_t)most_nodes};
    board_t board;
    int found = 0;
    if (!open_proof(&proof, most_plies))
        return -1;
    game_root(proof.env, root, &board);
    for (int plies = 1; plies <= most_plies && !found; plies++) {
        int answer = proven(&proof, &board, plies, 1);
        found = answer < 0 ? -1 : answer ? plies : 0;
    }
    close_proof(&proof);
    return found;
}

/* 1 if the side to move loses within so many plies, whatever it does; 0 if it does not; -1 after so many nodes. */
int EXPORT(loses)(engine_t *engine, const uint64_t *root, int64_t plies, int64_t most_nodes)
{
    proof_t proof = {.env = engine->search.env, .most = (uint64_t)most_nodes};
    board_t board;
    if (!open_proof(&proof, plies))
        return -1;
    game_root(proof.env, root, &board);
    int found = proven(&proof, &board, (int)plies, 0);
    close_proof(&proof);
    return found;
}
