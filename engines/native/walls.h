/* What buckquoy knows of rows, rings and forts: the shieldwall, the encirclement and the fort of today's tafl games.

   Included by buckquoy.c behind the moves of pieces and before what uses all of these rules. */

static void game_play(const env_t *env, const board_t *before, move_t move, board_t *at);

/* ---- The shieldwall: a row of enemies on the edge is captured at once ---- */

static inline unsigned on_line(int line, int square)
{
    if (line < N)
        return file_of[square] == line ? 1u << rank_of[square] : 0;
    return rank_of[square] == line - N ? 1u << file_of[square] : 0;
}

/* The places on a line where a side has pieces that take part in captures, but for the one on `from`. */
static inline unsigned armed_on(const env_t *env, const board_t *at, int side, int line, int from)
{
    unsigned pieces = side == P1 ? at->attackers[line] : at->all[line] & ~at->attackers[line];
    if (side == P2 && !env->options.king_armed)
        pieces &= ~on_line(line, at->king);
    return pieces & ~on_line(line, from);
}

/* A line of the edge as a side sees it that comes to it: enemies with a piece of its own in front of them, and what can
   close a row of these. `from` is where the piece that comes has stood, or NOWHERE. */
typedef struct {
    unsigned ready, closing;
} edge_t;
enum { NOWHERE = SQUARES };

static inline edge_t see_edge(const env_t *env, const board_t *at, int side, int line, int from)
{
    int front = line % N ? line - 1 : line + 1;
    unsigned enemies = side == P1 ? at->all[line] & ~at->attackers[line] : at->attackers[line];
    edge_t edge = {.ready = enemies & armed_on(env, at, side, front, from)};
    if (edge.ready & edge.ready >> 1)
        edge.closing = armed_on(env, at, side, line, from) | (env->closing & ~(at->all[line] & ~on_line(line, from)));
    return edge;
}

/* The places of the rows that are captured by a piece that comes to a place of such a line. */
static inline unsigned rows_from(edge_t edge, int place)
{
    unsigned taken = 0, below = (1u << place) - 1, open_below = below & ~edge.ready;
    int up = __builtin_ctz(~(edge.ready >> (place + 1))), end = place + 1 + up;
    if (up >= 2 && edge.closing >> end & 1)
        taken |= ((1u << up) - 1) << (place + 1);
    end = open_below ? 31 - __builtin_clz(open_below) : -1;
    if (end >= 0 && place - 1 - end >= 2 && edge.closing >> end & 1)
        taken |= below & ~((2u << end) - 1);
    return taken;
}

/* The enemies that a shieldwall takes when the piece on `from` comes to `to`; an enemy king among them is not captured. */
static bits_t row_captures(const env_t *env, const board_t *at, int from, int to)
{
    bits_t taken = 0;
    for (int axis = 0; axis < 2; axis++) {
        int number = axis ? rank_of[to] : file_of[to], place = axis ? file_of[to] : rank_of[to];
        if (number != 0 && number != N - 1)
            continue;
        edge_t edge = see_edge(env, at, at->side, axis * N + number, from);
        if (!edge.closing)
            continue;
        for (unsigned row = rows_from(edge, place); row; row &= row - 1)
            taken |= BIT(axis ? __builtin_ctz(row) * N + number : number * N + __builtin_ctz(row));
    }
    return taken;
}

/* The empty squares where a piece of the side to move completes a shieldwall, some of them only if another piece comes
   than one that the row needs. */
static bits_t row_squares(const env_t *env, const board_t *at)
{
    bits_t found = 0;
    for (int line = 0; line < 2 * N; line += line % N ? 1 : N - 1) {
        edge_t edge = see_edge(env, at, at->side, line, NOWHERE);
        if (!edge.closing)
            continue;
        unsigned beside = (edge.ready << 1 | edge.ready >> 1) & ~at->all[line] & LINE_MASK;
        for (; beside; beside &= beside - 1) {
            int place = __builtin_ctz(beside);
            if (rows_from(edge, place))
                found |= BIT(line < N ? line * N + place : place * N + line - N);
        }
    }
    return found;
}

/* ---- Rings and forts: who can go where by single steps ---- */

static inline bits_t spread(const env_t *env, bits_t squares)
{
    return (squares | (squares & env->not_last_rank) << 1 | (squares & env->not_first_rank) >> 1 | squares << N | squares >> N)
           & env->all_squares;
}

/* Whether these attackers surround all of the pieces. */
static int surround(const env_t *env, bits_t attackers, bits_t pieces)
{
    bits_t open = env->all_squares & ~attackers, before = 0;
    for (bits_t reached = env->edge & open; reached != before; reached = spread(env, reached) & open) {
        if (reached & pieces)
            return 0;
        before = reached;
    }
    return 1;
}

static int is_encircled(const env_t *env, const board_t *at)
{
    return surround(env, at->men[0], at->men[1] | BIT(at->king));
}

/* The same after a move of the attackers to `to`, where they did not surround p2 before it: then the ring goes on from
   there on two sides, or the move has captured. */
static inline int closes_ring(const env_t *env, const board_t *before, const board_t *at, int to)
{
    if (env->edge & (at->men[1] | BIT(at->king)))
        return 0;
    bits_t around = env->around[to] & at->men[0];
    return (around & (around - 1) || at->men[1] != before->men[1] || before->enclosed) && is_encircled(env, at);
}

/* Whether the king stands on the edge in a fort that the attackers cannot break: he has a free square beside him, the
   inside reaches neither a corner nor an attacker, and no man of the wall can be captured from outside. */
static int has_fort(const env_t *env, const board_t *at)
{
    bits_t king = BIT(at->king), empty = env->all_squares & ~occupied(at), inside = king, before = 0, wall = 0;
    if (!(env->edge & king))
        return 0;
    while (inside != before) {
        bits_t grown = spread(env, inside);
        wall = grown & ~inside;
        if (wall & at->men[0] || inside & env->corners)
            return 0;
        before = inside;
        inside = grown & (empty | king);
    }
    if (inside == king)
        return 0;
    wall = spread(env, inside) & ~inside;
    bits_t outside = at->men[0] | (empty & ~inside) | env->hostile;
    bits_t below = (outside & env->not_last_rank) << 1, above = (outside & env->not_first_rank) >> 1;
    return !(wall & ((below & above) | (outside << N & outside >> N)));
}

/* The squares of `open` that lie on every shortest way of single steps from the squares `from` to one of `goal`, whose
   squares are open too; all squares if there is no way. To close the way, a piece must come to one of them. */
static bits_t narrows(const env_t *env, bits_t from, bits_t open, bits_t goal)
{
    bits_t layers[SQUARES], reached = from & open, found = 0;
    int last = 0;
    layers[0] = reached;
    while (!(layers[last] & goal)) {
        bits_t grown = spread(env, layers[last]) & open & ~reached;
        if (!grown)
            return env->all_squares;
        reached |= grown;
        layers[++last] = grown;
    }
    bits_t way = layers[last] & goal;
    for (;; last--) {
        if (!(way & (way - 1)))
            found |= way;
        if (!last)
            return found;
        way = spread(env, way) & layers[last - 1];
    }
}

/* The first move of the men of a side to one of these squares that closes a ring or a fort; 0 if there is none. */
static move_t closing_move(const env_t *env, const board_t *at, int side, bits_t squares)
{
    board_t turned = *at, next;
    turned.side = (uint8_t)side;
    for (squares &= ~occupied(at); squares; squares &= squares - 1) {
        int to = lowest(squares), file = file_of[to], rank = rank_of[to];
        reach_t men = men_to(env, at, side, to);
        for (unsigned places = men.on_file | men.on_rank << N; places; places &= places - 1) {
            int place = __builtin_ctz(places);
            move_t move = (move_t)((place < N ? file * N + place : (place - N) * N + rank) + 128 * to);
            game_play(env, &turned, move, &next);
            if (next.outcome == OVER_LOST && (side == P1 ? is_encircled(env, &next) : has_fort(env, &next)))
                return move;
        }
    }
    return 0;
}

/* How many straight ways lead from p2 to the edge: the ends of lines where no attacker stands beyond p2's last piece. A
   piece that comes to a square closes two of them at most. */
static inline int straight_ways(const board_t *at)
{
    int ways = 0;
    for (int line = 0; line < 2 * N; line += 8) {
        eight_t attackers = eight_lines(at->attackers + line), others = eight_lines(at->all + line) & ~attackers;
        eight_t above = (eight_t)(others > attackers);
        eight_t below = (eight_t)((others & -others) - 1 < (attackers & -attackers) - 1); /* no bit at all comes last */
        ways += count_in(above) + count_in(below);
    }
    return ways / 16;
}

/* A move of the attackers that surrounds p2; 0 if there is none. Of the moves that capture, only those to the squares
   of `also` are looked at. */
static move_t ring_move(const env_t *env, const board_t *at, bits_t also)
{
    if (!env->options.encirclement)
        return 0;
    bits_t open = env->all_squares & ~at->men[0], enclosed = at->men[1] | BIT(at->king), squares = 0;
    for (also &= ~occupied(at); also; also &= also - 1) {
        int to = lowest(also);
        /* Only a row that falls takes more than the men beside this square. */
        bits_t taken = env->near[to] | (env->edge >> to & 1 ? env->edge : 0);
        if (surround(env, at->men[0] | BIT(to), enclosed & ~taken))
            squares |= BIT(to);
    }
    if (!(enclosed & env->edge) && straight_ways(at) <= 2)
        squares |= narrows(env, env->edge, open, enclosed);
    return squares ? closing_move(env, at, P1, squares) : 0;
}

/* The same without captures, kept: the search asks for it more than once. */
static inline move_t ring_threat(const env_t *env, const board_t *at)
{
    board_t *kept = (board_t *)at;
    if (at->ring == UNKNOWN_MOVE)
        kept->ring = ring_move(env, at, 0);
    return at->ring;
}

/* The places of a file or rank that lie on the edge. */
static inline unsigned edge_places(int number)
{
    return number == 0 || number == N - 1 ? LINE_MASK : 1u | 1u << (N - 1);
}

/* Whether the king may find a fort on this square of the edge: along the edge a defender stands on either side of it, or
   he captures there. */
static inline int may_be_fort(const env_t *env, const board_t *at, int to)
{
    if (env->near[to] & at->men[0])
        return 1;
    int file = file_of[to], rank = rank_of[to], by_file = file == 0 || file == N - 1;
    int line = by_file ? file : N + rank;
    unsigned next = next_pieces[by_file ? rank : file][at->all[line] & ~on_line(line, at->king)];
    return next & (next - 1) && !(next & at->attackers[line]);
}

/* A move of p2 that completes a fort, in the same way. */
static move_t fort_move(const env_t *env, const board_t *at, bits_t also)
{
    if (!env->options.fort)
        return 0;
    int king = at->king, file = file_of[king], rank = rank_of[king];
    reach_t reach = king_moves(env, at, king);
    unsigned on_edge = (reach.on_file & edge_places(file)) | (reach.on_rank & edge_places(rank)) << N;
    for (unsigned places = on_edge; places; places &= places - 1) {
        int place = __builtin_ctz(places), to = place < N ? file * N + place : (place - N) * N + rank;
        if (!may_be_fort(env, at, to))
            continue;
        board_t turned = *at, next;
        turned.side = P2;
        game_play(env, &turned, (move_t)(king + 128 * to), &next);
        if (next.outcome == OVER_LOST && has_fort(env, &next))
            return (move_t)(king + 128 * to);
    }
    if (!(env->edge >> king & 1))
        return 0;
    bits_t open = env->all_squares & ~at->men[1], goal = at->men[0] | (env->corners & ~occupied(at));
    return closing_move(env, at, P2, narrows(env, BIT(king), open, goal) | also);
}
