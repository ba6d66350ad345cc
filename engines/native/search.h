/* The search of stornoway and buckquoy: alpha-beta with everything that pays in both games.

   A template: a game is defined first, then this file is included. It knows no rules. A game defines

     ENGINE, WORDS                      the prefix of what is exported, and the 64-bit words of a set of squares
     env_t, board_t                     what stays fixed, and a position; env_t has `table`, where game_play fetches
                                        the entry ahead; board_t has `key`, `outcome`, `side` (0 if p1 is to move)
     MOST_MOVES                         no position has more moves
     HISTORY_SIZE, MOVE_SLOTS           the size of the history table; the entries that one move has there
     unsigned move_slot(move, number)   the number-th of these entries
     int  game_threatened(env, board)   the opponent wins with its next move unless the side to move answers
     int  game_generate(env, board, kind, moves)   GENERATE_ALL: every move. GENERATE_USEFUL: those that do not lose at
                                        once. GENERATE_FORCING: only those with MOVE_FORCING. It gives each a score:
                                        what the mover may expect, in hundredths of a stone.
     int  game_legal(env, board, move)  whether a move of some position is one here
     void game_play(env, board, move, next)
     int  game_pass(env, board, next)   the position after no move; 0 if that is no sensible question
     int  game_evaluate(env, board)     for the side to move
     int  game_plies_back(board)        how many plies back a position may be equal; 0 if none can

   and the constants of the search that fit it: FUTILITY, LATE_MOVES, FORCING_PLIES, NULL_MOVE.

   A node is a move that was made and judged. One thread with a limit of nodes does the same each time. */

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#ifndef BEYOND
/* A node whose value is beyond beta by this much for each ply is not searched, up to a depth. */
#define BEYOND FUTILITY
#define BEYOND_DEPTH 6
#endif
#ifndef WINS_BY_FORCING
/* Whether only a move that forces can win in two plies. */
#define WINS_BY_FORCING 0
#endif
#ifndef LATE_DEPTH
/* Up to this depth late moves are left out. */
#define LATE_DEPTH 5
#endif
#ifndef FUTILE_DEPTH
/* Up to this depth moves are left out whose own score promises too little. */
#define FUTILE_DEPTH 4
#endif

enum { WIN = 30000, NEAR_WIN = WIN - 8, DECIDED = 20000, INFINITE_SCORE = 32000, MOST_PLIES = 128, LOOK_EVERY = 512 };
/* At first the clock is looked at more often: an entry of a new table may lie in a page that the system must clear first. */
enum { EARLY_NODES = 4096, EARLY_LOOK_EVERY = 8 };
enum { PLAYING, WON, LOST, DRAWN }; /* board_t.outcome, for the side to move */
enum { REPETITION_FREE, REPETITION_DRAWS, REPETITION_LOSES, REPETITION_P2_LOSES };

typedef struct {
    int64_t soft_ns, hard_ns; /* on the monotonic clock; 0 is no limit */
    int64_t start_ns;
    uint64_t nodes; /* 0 is no limit */
    int64_t depth;  /* 0 is no limit */
    int64_t threads, seed, repetition, occurrences;
} limits_t;

typedef struct {
    int64_t serial; /* grows with each report */
    int64_t depth, score, nodes, time_ns;
    int64_t length;
    uint32_t line[MOST_PLIES];
} report_t;

typedef struct search_s search_t;

typedef struct {
    search_t *search;
    const env_t *env;
    int number;
    uint64_t nodes, next_look;
    int root_depth;
    int stopped;
    uint64_t random;
    move_t killers[MOST_PLIES + 1][2];
    move_t counters[HISTORY_SIZE];
    int16_t history[2][HISTORY_SIZE];
    int values[MOST_PLIES + 1];
    int line_length[MOST_PLIES + 1];
    move_t lines[MOST_PLIES + 1][MOST_PLIES + 1];
    int keys_before;
    uint64_t *keys; /* of the game, then of the line that is searched */
    scored_t *buffer;
    int32_t *order;
    report_t result;
} worker_t;

struct search_s {
    env_t *env;
    table_t *table;
    limits_t limits;
    volatile int stop;
    worker_t *workers;
    int worker_count;
    void (*tell)(search_t *, const report_t *);
};

static int8_t reductions[64][64];

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void search_tables(void)
{
    for (int depth = 1; depth < 64; depth++)
        for (int number = 1; number < 64; number++)
            reductions[depth][number] = (int8_t)(REDUCTION_BASE + log(depth) * log(number) * REDUCTION_SLOPE);
}

static inline int to_table(int score, int ply)
{
    return score >= DECIDED ? score + ply : score <= -DECIDED ? score - ply : score;
}

static inline int from_table(int score, int ply)
{
    return score >= DECIDED ? score - ply : score <= -DECIDED ? score + ply : score;
}

/* Counts a node. Looks at the clock now and then. */
static inline int out_of_budget(worker_t *worker)
{
    worker->nodes++;
    if (worker->nodes < worker->next_look)
        return worker->stopped;
    search_t *search = worker->search;
    const limits_t *limits = &search->limits;
    worker->next_look = worker->nodes + (worker->nodes < EARLY_NODES ? EARLY_LOOK_EVERY : LOOK_EVERY);
    if (limits->nodes) {
        if (worker->nodes >= limits->nodes)
            worker->stopped = 1;
        if (worker->next_look > limits->nodes)
            worker->next_look = limits->nodes;
    }
    if (search->stop || (limits->hard_ns && now_ns() >= limits->hard_ns))
        worker->stopped = 1;
    return worker->stopped;
}

/* The score of a finished position, or one that counts as a repetition. Returns 0 if the game goes on. */
static inline int finished(worker_t *worker, const board_t *board, int ply, int *score)
{
    if (board->outcome != PLAYING) {
        *score = board->outcome == DRAWN ? 0 : board->outcome == WON ? WIN - ply : ply - WIN;
        return 1;
    }
    int rule = (int)worker->search->limits.repetition;
    if (rule == REPETITION_FREE)
        return 0;
    int last = worker->keys_before + ply, count = 0;
    int first = last - game_plies_back(board);
    if (first < 0)
        first = 0;
    for (int number = last - 2; number >= first; number -= 2)
        count += worker->keys[number] == board->key;
    if (rule == REPETITION_DRAWS) {
        if (!count)
            return 0;
        /* The second occurrence counts already: a better move next time could be played now. */
        *score = 0;
        return 1;
    }
    if (count + 1 >= worker->search->limits.occurrences) {
        *score = rule == REPETITION_LOSES || !board->side ? WIN - ply : ply - WIN;
        return 1;
    }
    return 0;
}

static inline void keep_line(worker_t *worker, int ply, move_t move)
{
    int length = worker->line_length[ply + 1];
    worker->lines[ply][0] = move;
    memcpy(worker->lines[ply] + 1, worker->lines[ply + 1], (size_t)length * sizeof(move_t));
    worker->line_length[ply] = length + 1;
}

/* The window of a node, and the best that was found in it. */
typedef struct {
    int alpha, beta, best;
    move_t move; /* the first that reached the best score above alpha; 0 if none did */
} window_t;

/* Takes in the score of a move. Returns 1 if the node is decided. */
static inline int raise(worker_t *worker, window_t *window, int ply, move_t move, int score)
{
    if (score <= window->best)
        return 0;
    window->best = score;
    if (score <= window->alpha)
        return 0;
    window->alpha = score;
    window->move = move;
    keep_line(worker, ply, move);
    return score >= window->beta;
}

/* Brings the best of the moves from `number` on to `number`. */
static inline move_t pick(scored_t *moves, int count, int number)
{
    int best = number, most = moves[number].score;
    for (int other = number + 1; other < count; other++)
        if (moves[other].score > most) {
            best = other;
            most = moves[other].score;
        }
    scored_t swapped = moves[best];
    moves[best] = moves[number];
    moves[number] = swapped;
    return swapped.move;
}

/* Only moves that force are searched, and answers to them. */
static int quiesce(worker_t *worker, const board_t *board, int alpha, int beta, int ply, int forcing)
{
    const env_t *env = worker->env;
    table_t *table = worker->search->table;
    window_t window = {.alpha = alpha, .beta = beta, .best = -INFINITE_SCORE};
    int score;
    worker->line_length[ply] = 0;
    if (finished(worker, board, ply, &score))
        return score;
    int threatened = game_threatened(env, board);
    if (ply >= MOST_PLIES - 1 || (threatened && forcing <= -FORCING_PLIES))
        return game_evaluate(env, board);
    if (!threatened) {
        /* Before the table: most nodes end here, and meanwhile the entry comes from memory. */
        window.best = game_evaluate(env, board);
        if (window.best >= beta || forcing <= 0)
            return window.best;
        if (window.best > alpha)
            window.alpha = window.best;
    }
    entry_t entry;
    uint32_t known = 0;
    if (table_get(table, board->key, &entry)) {
        known = entry.move;
        score = from_table(entry.score, ply);
        if (entry.bound == BOUND_EXACT || (entry.bound == BOUND_LOWER && score >= beta)
            || (entry.bound == BOUND_UPPER && score <= alpha))
            return score;
    }
    scored_t *moves = worker->buffer + ply * MOST_MOVES;
    int count = game_generate(env, board, threatened ? GENERATE_USEFUL : GENERATE_FORCING, moves);
    if (!count)
        return threatened ? ply + 1 - WIN : window.best;
    for (int number = 0; number < count; number++)
        if (moves[number].move == known)
            moves[number].score = INFINITE_SCORE;
    for (int number = 0; number < count && (threatened || number < FORCING_TRIES); number++) {
        move_t move = pick(moves, count, number);
        board_t next;
        game_play(env, board, move, &next);
        if (out_of_budget(worker))
            return 0;
        worker->keys[worker->keys_before + ply + 1] = next.key;
        score = -quiesce(worker, &next, -beta, -window.alpha, ply + 1, forcing - 1);
        if (worker->stopped)
            return 0;
        if (raise(worker, &window, ply, move, score))
            break;
    }
    table_put(table, board->key, window.move, to_table(window.best, ply), 0,
              window.best >= beta                  ? BOUND_LOWER
              : window.best > alpha && threatened ? BOUND_EXACT
                                                  : BOUND_UPPER);
    return window.best;
}

static inline int history_of(const worker_t *worker, int side, move_t move)
{
    int sum = 0;
    for (int number = 0; number < MOVE_SLOTS; number++)
        sum += worker->history[side][move_slot(move, number)];
    return sum / MOVE_SLOTS;
}

static inline void learn(worker_t *worker, int side, move_t move, int bonus)
{
    for (int number = 0; number < MOVE_SLOTS; number++) {
        int16_t *entry = &worker->history[side][move_slot(move, number)];
        *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / 8192);
    }
}

/* The moves of a node. A key says how early a move is tried; in its low bits stands the move's number. */
typedef struct {
    scored_t *moves;
    int32_t *keys;
    int count;
    int forcing; /* how many of the moves that are left force */
} choice_t;

enum { KEY_BITS = 12, KEY_MASK = (1 << KEY_BITS) - 1, TAKEN = INT32_MIN };
_Static_assert(MOST_MOVES <= 1 << KEY_BITS, "a key has room for the number of a move");

static inline int32_t key_of(int expected, int number)
{
    return expected * (1 << KEY_BITS) + KEY_MASK - number;
}

/* Takes the move that comes next out of the choice, and returns its number; -1 if there is none. */
static inline int take_next(choice_t *choice)
{
    int32_t most = TAKEN;
    for (int number = 0; number < choice->count; number++)
        most = choice->keys[number] > most ? choice->keys[number] : most;
    if (most == TAKEN)
        return -1;
    int number = KEY_MASK - (most & KEY_MASK);
    choice->keys[number] = TAKEN;
    choice->forcing -= choice->moves[number].move >> 31;
    return number;
}

/* Leaves out the moves that do not force: all of them, or those that promise no more than `enough`. */
static inline void leave_out(choice_t *choice, int all, int enough)
{
    for (int number = 0; number < choice->count; number++)
        if (!(choice->moves[number].move & MOVE_FORCING) && (all || choice->moves[number].score <= enough))
            choice->keys[number] = TAKEN;
}

/* Lists the moves of a node but for one that was searched already. Returns 0 if there is no move. */
static int list_moves(worker_t *worker, const board_t *board, choice_t *choice, int kind, int depth, int ply,
                      move_t previous, move_t searched)
{
    int count = choice->count = game_generate(worker->env, board, kind, choice->moves);
    move_t counter = previous ? worker->counters[move_slot(previous, 0)] : 0;
    move_t first_killer = worker->killers[ply][0], second_killer = worker->killers[ply][1];
    /* In two loops and in variables of their own, so that in the second the compiler takes several moves at once. */
    const scored_t *moves = choice->moves;
    int32_t *restrict keys = choice->keys;
    unsigned forcing = 0;
    if (depth > 1)
        for (int number = 0; number < count; number++)
            keys[number] = history_of(worker, ply & 1, moves[number].move);
    else
        memset(keys, 0, (size_t)count * sizeof *keys);
    for (int number = 0; number < count; number++) {
        move_t move = moves[number].move;
        int liked = move == counter ? KILLER_BONUS / 2 : 0;
        liked = ((move == first_killer) | (move == second_killer)) ? KILLER_BONUS : liked;
        int32_t key = key_of(moves[number].score + liked + keys[number] * HISTORY_WEIGHT / 1024, number);
        keys[number] = move == searched ? TAKEN : key;
        forcing += move == searched ? 0 : move >> 31;
    }
    choice->forcing = (int)forcing;
    return count;
}

static int search_node(worker_t *worker, const board_t *board, int depth, int alpha, int beta, int ply, move_t previous)
{
    const env_t *env = worker->env;
    table_t *table = worker->search->table;
    int exact = beta - alpha > 1, score;
    worker->line_length[ply] = 0;
    if (finished(worker, board, ply, &score))
        return score;
    int threatened = game_threatened(env, board);
    if (threatened && ply < 2 * worker->root_depth + 4)
        depth++;
    if (depth <= 0)
        return quiesce(worker, board, alpha, beta, ply, FORCING_PLIES);
    if (ply >= MOST_PLIES - 1)
        return game_evaluate(env, board);
    /* No line from here is better than a win with the next move, or worse than a loss now. */
    if (alpha < ply - WIN)
        alpha = ply - WIN;
    if (beta > WIN - ply - 1)
        beta = WIN - ply - 1;
    if (alpha >= beta)
        return alpha;

    entry_t entry;
    uint32_t known = 0;
    /* Before the table: meanwhile the entry comes from memory. */
    int value = threatened ? -INFINITE_SCORE : game_evaluate(env, board), found = table_get(table, board->key, &entry);
    if (found) {
        known = entry.move;
        score = from_table(entry.score, ply);
        if (!exact && entry.depth >= depth
            && (entry.bound == BOUND_EXACT || (entry.bound == BOUND_LOWER && score >= beta)
                || (entry.bound == BOUND_UPPER && score <= alpha)))
            return score;
    }
    if (!threatened && found && abs(score) < DECIDED
        && (entry.bound == BOUND_EXACT || (entry.bound == BOUND_LOWER) == (score > value)))
        value = score;
    worker->values[ply] = value;
    int improving = !threatened && (ply < 2 || value > worker->values[ply - 2]);
    if (!threatened && !exact && abs(beta) < DECIDED) {
        if (depth <= BEYOND_DEPTH && value - BEYOND * (depth - improving) >= beta)
            return value;
        board_t next;
        if (NULL_MOVE && depth >= 2 && value >= beta && previous && game_pass(env, board, &next)) {
            int less = 2 + depth / 4 + (value - beta > 2 * FUTILITY);
            worker->keys[worker->keys_before + ply + 1] = next.key;
            score = -search_node(worker, &next, depth - 1 - less, -beta, 1 - beta, ply + 1, 0);
            if (worker->stopped)
                return 0;
            if (score >= beta)
                return score >= DECIDED ? beta : score;
        }
    }
    /* Where only a win within a few plies counts, nothing may be left out. */
    int decided = alpha >= NEAR_WIN || beta <= -NEAR_WIN;
    if (!known && depth >= 4 && !decided)
        depth--;

    /* A win with the move after next needs a move that forces now. */
    int forcing_only = WINS_BY_FORCING && decided && !threatened && alpha > 0 && WIN - alpha - 1 - ply <= 2;
    choice_t choice = {.moves = worker->buffer + ply * MOST_MOVES, .keys = worker->order + ply * MOST_MOVES};
    window_t window = {.alpha = alpha, .beta = beta, .best = -INFINITE_SCORE};
    move_t quiet[32];
    int side = ply & 1, tried = 0, listed = 0;
    worker->killers[ply + 1][0] = worker->killers[ply + 1][1] = 0;
    /* Often the move of the table ends the node, and the others are never listed. */
    if (!known || (forcing_only && !(known & MOVE_FORCING)) || !game_legal(env, board, known))
        known = 0;
    for (int number = 0;; number++) {
        move_t move = known;
        if (number || !known) {
            if (!listed && !list_moves(worker, board, &choice, forcing_only ? GENERATE_FORCING : GENERATE_USEFUL, depth,
                                       ply, previous, known))
                return forcing_only ? alpha : ply + 1 - WIN;
            listed = 1;
            int late = number && window.best > -DECIDED && !threatened && !decided;
            if (late && depth <= LATE_DEPTH && number >= (LATE_MOVES + depth * depth * LATE_MOVES) >> !improving) {
                if (!choice.forcing)
                    break;
                leave_out(&choice, 1, 0);
            }
            int next = take_next(&choice);
            if (late && next >= 0 && depth <= FUTILE_DEPTH && !exact && !(choice.moves[next].move & MOVE_FORCING)) {
                int enough = window.alpha - FUTILITY * depth - FUTILITY / 2;
                if (choice.moves[next].score <= enough) {
                    leave_out(&choice, 0, enough);
                    next = take_next(&choice);
                }
            }
            if (next < 0)
                break;
            move = choice.moves[next].move;
        }
        int forces = (move & MOVE_FORCING) != 0;
        board_t next;
        game_play(env, board, move, &next);
        if (out_of_budget(worker))
            return 0;
        worker->keys[worker->keys_before + ply + 1] = next.key;
        int less = 0;
        if (depth >= 2 && number >= 2 && !threatened && !decided) {
            less = reductions[depth > 63 ? 63 : depth][number > 63 ? 63 : number];
            less -= exact + forces + improving;
            less -= history_of(worker, side, move) / 4096;
            if (less < 0)
                less = 0;
            if (less > depth - 1)
                less = depth - 1;
        }
        if (!number) {
            score = -search_node(worker, &next, depth - 1, -beta, -window.alpha, ply + 1, move);
        } else {
            score = -search_node(worker, &next, depth - 1 - less, -window.alpha - 1, -window.alpha, ply + 1, move);
            if (score > window.alpha && less && !worker->stopped)
                score = -search_node(worker, &next, depth - 1, -window.alpha - 1, -window.alpha, ply + 1, move);
            if (score > window.alpha && score < beta && !worker->stopped)
                score = -search_node(worker, &next, depth - 1, -beta, -window.alpha, ply + 1, move);
        }
        if (worker->stopped)
            return 0;
        if (raise(worker, &window, ply, move, score))
            break;
        if (tried < 32)
            quiet[tried++] = move;
    }
    if (window.best >= beta) {
        int bonus = depth * depth * 16 > 1500 ? 1500 : depth * depth * 16;
        if (worker->killers[ply][0] != window.move) {
            worker->killers[ply][1] = worker->killers[ply][0];
            worker->killers[ply][0] = window.move;
        }
        if (previous)
            worker->counters[move_slot(previous, 0)] = window.move;
        learn(worker, side, window.move, bonus);
        for (int number = 0; number < tried; number++)
            learn(worker, side, quiet[number], -bonus / 2);
    }
    if (forcing_only && window.best <= alpha)
        return alpha;
    table_put(table, board->key, window.move, to_table(window.best, ply), depth,
              window.best >= beta ? BOUND_LOWER : window.best > alpha ? BOUND_EXACT : BOUND_UPPER);
    return window.best;
}

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

/* The root: like a node, but every move counts, and the line so far survives a stop. */
static int search_root(worker_t *worker, const board_t *board, scored_t *moves, int count, int depth, int alpha, int beta)
{
    int best = -INFINITE_SCORE, score;
    worker->line_length[0] = 0;
    worker->keys[worker->keys_before] = board->key;
    worker->values[0] = game_threatened(worker->env, board) ? -INFINITE_SCORE : game_evaluate(worker->env, board);
    for (int number = 0; number < count; number++) {
        board_t next;
        move_t move = moves[number].move;
        game_play(worker->env, board, move, &next);
        /* The first move is always searched, so that there is an answer. */
        if (out_of_budget(worker) && worker->result.length)
            break;
        worker->keys[worker->keys_before + 1] = next.key;
        if (!number) {
            score = -search_node(worker, &next, depth - 1, -beta, -alpha, 1, move);
        } else {
            int less = depth >= 3 && number >= 4 && !(move & MOVE_FORCING) && abs(alpha) < NEAR_WIN
                           ? reductions[depth > 63 ? 63 : depth][number > 63 ? 63 : number] - 1
                           : 0;
            if (less < 0)
                less = 0;
            score = -search_node(worker, &next, depth - 1 - less, -alpha - 1, -alpha, 1, move);
            if (score > alpha && less && !worker->stopped)
                score = -search_node(worker, &next, depth - 1, -alpha - 1, -alpha, 1, move);
            if (score > alpha && score < beta && !worker->stopped)
                score = -search_node(worker, &next, depth - 1, -beta, -alpha, 1, move);
        }
        if (worker->stopped)
            break;
        if (score > best) {
            best = score;
            if (score > alpha || !number) {
                /* Kept at the front, so that the next iteration begins with it. */
                scored_t first = moves[number];
                memmove(moves + 1, moves, (size_t)number * sizeof(scored_t));
                moves[0] = first;
                keep_line(worker, 0, move);
                if (score > alpha)
                    alpha = score;
                if (score >= beta)
                    break;
            }
        }
    }
    return best;
}

static void iterate(worker_t *worker, const board_t *board)
{
    search_t *search = worker->search;
    const limits_t *limits = &search->limits;
    scored_t moves[MOST_MOVES];
    int count = game_generate(worker->env, board, GENERATE_USEFUL, moves);
    if (!count)
        count = game_generate(worker->env, board, GENERATE_ALL, moves);
    worker->result.length = 0;
    if (!count)
        return;
    for (int number = 0; number < count; number++) {
        /* Which of equal moves comes first is chance. */
        moves[number].score = moves[number].score * 8 + (int)(random_next(&worker->random) & 7);
    }
    for (int number = 0; number < count; number++)
        pick(moves, count, number);
    worker->result.depth = 1;
    worker->result.score = 0;
    worker->result.line[0] = moves[0].move;
    int64_t deepest = limits->depth && limits->depth < MOST_PLIES - 8 ? limits->depth : MOST_PLIES - 8;
    int score = 0, steady = 0;
    for (int depth = 1; depth <= deepest; depth++) {
        int window = 24, alpha = -INFINITE_SCORE, beta = INFINITE_SCORE, earlier = score;
        move_t before = moves[0].move;
        worker->root_depth = depth + (worker->number & 1);
        if (depth >= 5 && abs(score) < DECIDED) {
            alpha = score - window;
            beta = score + window;
        }
        for (;;) {
            int found = search_root(worker, board, moves, count, worker->root_depth, alpha, beta);
            int complete = !worker->stopped;
            if (worker->line_length[0] && (complete || found > alpha)) {
                if (complete || found > alpha) {
                    worker->result.length = worker->line_length[0];
                    memcpy(worker->result.line, worker->lines[0], (size_t)worker->line_length[0] * sizeof(move_t));
                    worker->result.score = found;
                    worker->result.depth = complete ? depth : depth > 1 ? depth - 1 : 1;
                }
            }
            if (!complete)
                break;
            score = found;
            if (score <= alpha) {
                beta = (alpha + beta) / 2;
                alpha = score - window > -INFINITE_SCORE ? score - window : -INFINITE_SCORE;
            } else if (score >= beta) {
                beta = score + window < INFINITE_SCORE ? score + window : INFINITE_SCORE;
            } else {
                break;
            }
            window *= 4;
            if (window > 1000) {
                alpha = -INFINITE_SCORE;
                beta = INFINITE_SCORE;
            }
        }
        worker->result.nodes = (int64_t)worker->nodes;
        worker->result.time_ns = now_ns() - limits->start_ns;
        if (!worker->number) {
            worker->result.serial++;
            search->tell(search, &worker->result);
        }
        if (worker->stopped)
            break;
        steady = moves[0].move == before ? steady + 1 : 0;
        if (worker->number)
            continue;
        /* A win that an iteration began with, and that no other move beats to this depth, is the fastest. */
        if (abs(score) >= DECIDED && score == earlier && WIN - abs(score) <= depth)
            break;
        if (limits->soft_ns) {
            if (count == 1 && depth >= 1)
                break;
            int64_t spent = now_ns() - limits->start_ns, soft = limits->soft_ns - limits->start_ns;
            if (spent >= (steady >= 4 ? soft * 6 / 10 : soft))
                break;
        }
    }
    if (!worker->result.length)
        worker->result.length = 1;
}
