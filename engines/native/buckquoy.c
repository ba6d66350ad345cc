/* buckquoy, the engine for tafl: position, moves, captures, results, threats and evaluation.

   Compiled once for each size of board: WORDS is 1 for 7x7, 2 for 9x9 and 3 for 11x11. It owns the rules of tafl as
   arena/games/tafl.py states them, and the features of the evaluation. The search is in search.h.

   A square is file * N + rank, both from 0. Each line of the board is also kept as N bits, the files first, then the
   ranks: a slide is then one look into a table. p1 are the attackers, p2 the king and the defenders. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define ENGINE buckquoy
#ifndef WORDS
#define WORDS 1
#endif
#define N (5 + 2 * WORDS)
#define SQUARES (N * N)
#define LINE_MASK ((1u << N) - 1)
#define LINES ((2 * N + 7) / 8 * 8) /* the last ones are always empty: vectors hold eight lines */
#define MIDDLE (N / 2)
#define CENTRE_SQUARE (MIDDLE * N + MIDDLE)
#define BIT(square) ((bits_t)1 << (square))

enum { P1, P2 };
enum { ATTACKER, DEFENDER, KING };
enum { OVER_WON = 1, OVER_LOST, OVER_DRAWN }; /* WON, LOST and DRAWN of search.h */

#if N == 7
typedef uint64_t bits_t;
static inline int count_of(bits_t bits)
{
    return __builtin_popcountll(bits);
}
static inline int lowest(bits_t bits)
{
    return __builtin_ctzll(bits);
}
static inline int highest(bits_t bits)
{
    return 63 - __builtin_clzll(bits);
}
#else
__extension__ typedef unsigned __int128 bits_t;
static inline int count_of(bits_t bits)
{
    return __builtin_popcountll((uint64_t)bits) + __builtin_popcountll((uint64_t)(bits >> 64));
}
static inline int lowest(bits_t bits)
{
    return (uint64_t)bits ? __builtin_ctzll((uint64_t)bits) : 64 + __builtin_ctzll((uint64_t)(bits >> 64));
}
static inline int highest(bits_t bits)
{
    return bits >> 64 ? 127 - __builtin_clzll((uint64_t)(bits >> 64)) : 63 - __builtin_clzll((uint64_t)bits);
}
#endif

/* The rule options, in the order in which the caller gives them. A yes is 1. */
typedef struct {
    int64_t size;
    int64_t corner_escapes;
    int64_t king_armed;
    int64_t king_steps, men_steps;
    int64_t captured_by;    /* BY_... */
    int64_t centre_stop;    /* CENTRE_... */
    int64_t centre_hostile; /* HOSTILE_... */
    int64_t men_on_corners;
    int64_t corner_hostile;
    int64_t no_move_draws;
    int64_t centre_pass; /* CENTRE_... */
    int64_t camps;
    int64_t shieldwall; /* WALL_... */
    int64_t encirclement;
    int64_t fort;
} options_t;
enum { BY_TWO, BY_FOUR, BY_FOUR_THREE_TWO, BY_FOUR_TWO, BY_ALL_SIDES };
enum { CENTRE_KING, CENTRE_ANY, CENTRE_NOBODY };
enum { HOSTILE_NO, HOSTILE_EMPTY, HOSTILE_ALWAYS };
enum { WALL_NO, WALL_CORNER, WALL_YES };

/* A move: from + 128 * to. */
typedef uint32_t move_t;
#define MOVE_FORCING 0x80000000u
#define FROM(move) ((int)((move)&127))
#define TO(move) ((int)((move) >> 7 & 127))

typedef struct {
    move_t move;
    int score;
} scored_t;

/* A position is a value: game_play makes the next one. */
typedef struct {
    bits_t men[2]; /* the attackers; the defenders without the king */
    uint64_t key;  /* of the board and the side to move */
    int squares;   /* the sum of the square weights, for p2 */
    int value;     /* the evaluation for p2, once it is known; else UNKNOWN */
    move_t ring;   /* of `ring_threat`, once it is known; else UNKNOWN_MOVE */
    uint16_t all[LINES]; /* the occupied squares of each line, the king's included */
    uint16_t attackers[LINES];
    uint8_t king; /* his square; where he was, once he is captured */
    uint8_t side; /* to move */
    uint8_t outcome;
    uint8_t captured; /* the king */
    uint8_t enclosed; /* set up with all of p2 surrounded and p1 to move, which has yet to make its move */
    uint16_t quiet;   /* the plies since the last capture, at most MOST_QUIET */
} board_t;
enum { UNKNOWN = 1 << 20, MOST_QUIET = UINT16_MAX };
#define UNKNOWN_MOVE UINT32_MAX

/* Where the weight of each feature lies, in hundredths of a man for p2. Most features are one of several cases. */
enum {
    CLASSES = 21,          /* of squares: on 11x11 there are so many, on smaller boards fewer */
    F_SQUARES = 0,         /* attackers, defenders, the king: by class of square */
    MOST_ATTACKERS = 25,
    MOST_DEFENDERS = 17,
    F_ATTACKERS = F_SQUARES + 3 * CLASSES, /* by their number */
    F_DEFENDERS = F_ATTACKERS + MOST_ATTACKERS + 1,
    F_TEMPO = F_DEFENDERS + MOST_DEFENDERS + 1, /* by the side to move, as others below */
    F_KING_MOVES = F_TEMPO + 2,
    F_DISTANCE = F_KING_MOVES + 16, /* king's moves to an escape: 1, 2, 3 or more; on larger boards 1, 2 or more */
    F_DIRECT = F_DISTANCE + 8,      /* escapes that he can go to */
    F_EXITS = F_DIRECT + 4,         /* squares that he can go to with an escape in reach */
    F_FORKS = F_EXITS + 18,         /* the same with two escapes in reach */
    F_OUTS = F_FORKS + 10,          /* escape squares in his region */
    F_AREA = F_OUTS + 9,            /* the size of his region */
    F_BESIDE = F_AREA + 10,         /* attackers beside him */
    F_GUARDS = F_BESIDE + 10,       /* defenders beside him */
    F_CLOSE = F_GUARDS + 5,         /* attackers within two steps */
    F_MOBILITY = F_CLOSE + 9,       /* the moves of the attackers, of the defenders */
    F_PAIRS = F_MOBILITY + 2,       /* attackers side by side and corner to corner, then defenders */
    F_HALF = F_PAIRS + 4,           /* attackers between an enemy and an empty square, then defenders */
    F_OPEN = F_HALF + 4,            /* lines without attackers */
    F_SHORES = F_OPEN + 9,          /* edge squares in his region, where p2 must not be surrounded */
    WEIGHTS = F_SHORES + 10
};

#include "buckquoy_weights.h"

/* What the rule options mean on this board. Files and ranks are alike, so one row serves both. */
typedef struct {
    const table_t *table; /* where the entry of the next position is fetched ahead */
    options_t options;
    bits_t hostile;        /* whoever stands there */
    bits_t hostile_centre; /* the centre if it is hostile while empty */
    bits_t centre, corners, edge, camps, escapes;
    bits_t near[SQUARES];
    bits_t around[SQUARES]; /* diagonal steps included */
    bits_t close[SQUARES];                         /* the squares within two steps, diagonal steps included */
    bits_t not_first_rank, not_last_rank, all_squares;
    uint16_t reach[2][SQUARES][2]; /* of a man, of the king: the places on the file and the rank of a square where he may
                                      go from there on an empty board */
    uint16_t sources[SQUARES][2];  /* the places from where a man may come to a square */
    bits_t man_steps[SQUARES];     /* where a man may go by one step */
    uint16_t escape[N];            /* by line: where the king wins */
    uint16_t man_stop[LINES];      /* by line: where a man may stop, and where he may not even pass */
    uint16_t man_closed[LINES];
    unsigned closing;       /* the ends of a line of the edge if empty corners close a row */
    uint8_t pairs[SQUARES]; /* the steps from a square, as bits, where a piece on the next one can be captured against the
                               one beyond */
    int men_slide;          /* any number of steps */
    uint8_t king_needs[SQUARES]; /* the squares beside him that must be held; 0: two opposite ones, as for a man */
    bits_t king_held[SQUARES];   /* those of them that count as held unless a defender stands there */
    int16_t weights[WEIGHTS];
    int square_weight[3][SQUARES]; /* for p2 */
    uint64_t piece_keys[3][SQUARES];
    uint64_t side_key;
} env_t;

/* ---- Tables of a line: by place and occupied squares ---- */

static uint16_t empty_up_to[N][1 << N]; /* the empty squares up to the next piece, both ways */
static uint16_t next_pieces[N][1 << N]; /* the next pieces, both ways */
static uint8_t file_of[SQUARES], rank_of[SQUARES];

__attribute__((constructor)) static void make_tables(void)
{
    for (int square = 0; square < SQUARES; square++) {
        file_of[square] = (uint8_t)(square / N);
        rank_of[square] = (uint8_t)(square % N);
    }
    for (int place = 0; place < N; place++)
        for (unsigned occupied = 0; occupied <= LINE_MASK; occupied++)
            for (int way = -1; way <= 1; way += 2)
                for (int at = place + way; at >= 0 && at < N; at += way) {
                    if (occupied >> at & 1) {
                        next_pieces[place][occupied] |= (uint16_t)(1u << at);
                        break;
                    }
                    empty_up_to[place][occupied] |= (uint16_t)(1u << at);
                }
}

/* ---- What stays fixed ---- */

/* Squares that mirrors and turns of the board map on each other are of one class. */
static int square_class(int square)
{
    int x = file_of[square], y = rank_of[square];
    if (x > MIDDLE)
        x = N - 1 - x;
    if (y > MIDDLE)
        y = N - 1 - y;
    return x < y ? y * (y + 1) / 2 + x : x * (x + 1) / 2 + y;
}

static void weigh_squares(env_t *env)
{
    for (int piece = 0; piece < 3; piece++)
        for (int square = 0; square < SQUARES; square++)
            env->square_weight[piece][square] = env->weights[F_SQUARES + piece * CLASSES + square_class(square)];
}

/* The learned weights whose variant is nearest: the same size first, then the most equal rule options. */
static const int16_t *nearest_weights(const options_t *options)
{
    const int64_t *wanted = &options->size;
    int best = 0, most = -1;
    for (int number = 0; number < WEIGHT_SETS; number++) {
        const int16_t *known = weight_options[number];
        int alike = known[0] == wanted[0] ? 100 : 0;
        alike += known[1] == wanted[1] ? 10 : 0;
        for (int option = 2; option < OPTION_COUNT; option++)
            alike += known[option] == wanted[option];
        if (alike > most) {
            most = alike;
            best = number;
        }
    }
    return learned_weights[best];
}

static uint64_t mixed(uint64_t *state)
{
    uint64_t mix = *state += 0x9E3779B97F4A7C15u;
    mix = (mix ^ mix >> 30) * 0xBF58476D1CE4E5B9u;
    mix = (mix ^ mix >> 27) * 0x94D049BB133111EBu;
    return mix ^ mix >> 31;
}

static const int steps[4] = {-1, 1, -N, N};

/* The camp of a square, from 1 on: the middle three squares of an edge and the one before them. 0 if it is in none. */
static int camp_of(int square)
{
    for (int camp = 1; camp <= 4; camp++) {
        int along = camp < 3 ? file_of[square] : rank_of[square], depth = camp < 3 ? rank_of[square] : file_of[square];
        if (camp & 1)
            depth = N - 1 - depth;
        if ((depth == 0 && abs(along - MIDDLE) <= 1) || (depth == 1 && along == MIDDLE))
            return camp;
    }
    return 0;
}

/* Where a man, and the king, may stop. */
static int may_stop(const options_t *options, int king, int square)
{
    if (square == CENTRE_SQUARE)
        return options->centre_stop == CENTRE_ANY || (king && options->centre_stop == CENTRE_KING);
    return king || options->men_on_corners || !((square % N == 0 || square % N == N - 1) && (square < N || square >= SQUARES - N));
}

/* The next square by a step; -1 beyond the edge. */
static int next_square(int square, int way)
{
    int step = steps[way], place = way < 2 ? rank_of[square] : file_of[square];
    return place == (way & 1 ? N - 1 : 0) ? -1 : square + step;
}

/* All that the tables say of one square. */
static void set_up_square(env_t *env, int square)
{
    const options_t *options = &env->options;
    int file = file_of[square], rank = rank_of[square], home = env->camps >> square & 1 ? camp_of(square) : 0;
    for (int other = 0; other < SQUARES; other++) {
        int files = abs(file_of[other] - file), ranks = abs(rank_of[other] - rank);
        if (files + ranks == 1)
            env->near[square] |= BIT(other);
        if (files + ranks == 1 || files + ranks == 2)
            env->close[square] |= BIT(other);
        if (other != square && files <= 1 && ranks <= 1)
            env->around[square] |= BIT(other);
    }
    for (int way = 0; way < 4; way++) {
        int middle = next_square(square, way), beyond = middle < 0 ? -1 : next_square(middle, way);
        if (beyond >= 0 && !(env->camps >> middle & env->camps >> beyond & 1))
            env->pairs[square] |= (uint8_t)(1u << way);
    }
    for (int king = 0; king < 2; king++)
        for (int way = 0; way < 4; way++) {
            int limit = (int)(king ? options->king_steps : options->men_steps), to = next_square(square, way);
            for (int distance = 1; to >= 0 && distance <= limit; distance++, to = next_square(to, way)) {
                if (env->camps >> to & 1 && camp_of(to) != home)
                    break;
                if (may_stop(options, king, to)) {
                    env->reach[king][square][way / 2] |= (uint16_t)(1u << (way < 2 ? rank_of[to] : file_of[to]));
                    if (!king)
                        env->sources[to][way / 2] |= (uint16_t)(1u << (way < 2 ? rank : file));
                    if (!king && distance == 1)
                        env->man_steps[square] |= BIT(to);
                }
                if (to == CENTRE_SQUARE && options->centre_pass != CENTRE_ANY && !(king && options->centre_pass == CENTRE_KING))
                    break;
            }
        }
    if (may_stop(options, 0, square)) {
        env->man_stop[file] |= (uint16_t)(1u << rank);
        env->man_stop[N + rank] |= (uint16_t)(1u << file);
    }
    if (env->camps >> square & 1 || (square == CENTRE_SQUARE && options->centre_pass != CENTRE_ANY)) {
        env->man_closed[file] |= (uint16_t)(1u << rank);
        env->man_closed[N + rank] |= (uint16_t)(1u << file);
    }
    if (env->escapes >> square & 1)
        env->escape[file] |= (uint16_t)(1u << rank);
    int on_centre = square == CENTRE_SQUARE, beside_centre = (env->near[square] & env->centre) != 0, needs = 0;
    switch (options->captured_by) {
    case BY_FOUR:
        needs = 4;
        break;
    case BY_FOUR_THREE_TWO:
        needs = on_centre || beside_centre ? 4 : 0;
        break;
    case BY_FOUR_TWO:
        needs = on_centre ? 4 : 0;
        break;
    case BY_ALL_SIDES:
        needs = count_of(env->near[square]);
    }
    env->king_needs[square] = (uint8_t)needs;
    env->king_held[square] = env->near[square] & (env->hostile | env->hostile_centre);
    if (options->captured_by == BY_FOUR_THREE_TWO)
        env->king_held[square] |= env->near[square] & env->centre;
    if (home)
        env->king_held[square] &= ~env->camps;
}

static int game_setup(env_t *env, const int64_t *settings)
{
    memset(env, 0, sizeof *env);
    memcpy(&env->options, settings, sizeof env->options);
    const options_t *options = &env->options;
    if (options->size != N)
        return 0;
    env->corners = BIT(0) | BIT(N - 1) | BIT(SQUARES - N) | BIT(SQUARES - 1);
    env->centre = BIT(CENTRE_SQUARE);
    env->men_slide = options->men_steps >= N - 1;
    env->closing = options->shieldwall == WALL_CORNER ? 1u | 1u << (N - 1) : 0;
    for (int square = 0; square < SQUARES; square++) {
        int file = file_of[square], rank = rank_of[square];
        env->all_squares |= BIT(square);
        if (rank > 0)
            env->not_first_rank |= BIT(square);
        if (rank < N - 1)
            env->not_last_rank |= BIT(square);
        if (rank == 0 || rank == N - 1 || file == 0 || file == N - 1)
            env->edge |= BIT(square);
        if (options->camps && camp_of(square))
            env->camps |= BIT(square);
    }
    env->escapes = options->corner_escapes ? env->corners : env->edge;
    env->hostile = env->camps | (options->corner_hostile ? env->corners : 0)
                   | (options->centre_hostile == HOSTILE_ALWAYS ? env->centre : 0);
    env->hostile_centre = options->centre_hostile == HOSTILE_EMPTY ? env->centre : 0;
    uint64_t state = 20261123;
    for (int square = 0; square < SQUARES; square++) {
        set_up_square(env, square);
        for (int piece = 0; piece < 3; piece++)
            env->piece_keys[piece][square] = mixed(&state);
    }
    env->side_key = mixed(&state);
    memcpy(env->weights, nearest_weights(options), sizeof env->weights);
    weigh_squares(env);
    return 1;
}

/* ---- Pieces ---- */

static inline void flip(const env_t *env, board_t *at, int piece, int square)
{
    int file = file_of[square], rank = rank_of[square];
    at->all[file] ^= (uint16_t)(1u << rank);
    at->all[N + rank] ^= (uint16_t)(1u << file);
    if (piece == ATTACKER) {
        at->attackers[file] ^= (uint16_t)(1u << rank);
        at->attackers[N + rank] ^= (uint16_t)(1u << file);
    }
    if (piece != KING)
        at->men[piece] ^= BIT(square);
    at->key ^= env->piece_keys[piece][square];
}

static inline void put(const env_t *env, board_t *at, int piece, int square)
{
    flip(env, at, piece, square);
    at->squares += env->square_weight[piece][square];
}

static inline void take(const env_t *env, board_t *at, int piece, int square)
{
    flip(env, at, piece, square);
    at->squares -= env->square_weight[piece][square];
}

static inline bits_t occupied(const board_t *at)
{
    return at->men[0] | at->men[1] | BIT(at->king);
}

/* The squares on the file and on the rank of a square where a piece from there may stop. */
typedef struct {
    unsigned on_file, on_rank;
} reach_t;

static inline reach_t man_moves(const env_t *env, const board_t *at, int from)
{
    int file = file_of[from], rank = rank_of[from];
    return (reach_t){empty_up_to[rank][at->all[file]] & env->reach[0][from][0],
                     empty_up_to[file][at->all[N + rank]] & env->reach[0][from][1]};
}

/* The same for the king if he stood on `from`, which is his square or an empty one. */
static inline reach_t king_moves(const env_t *env, const board_t *at, int from)
{
    int file = file_of[from], rank = rank_of[from];
    unsigned own_file = at->all[file], own_rank = at->all[N + rank];
    if (file == file_of[at->king])
        own_file &= ~(1u << rank_of[at->king]);
    if (rank == rank_of[at->king])
        own_rank &= ~(1u << file_of[at->king]);
    return (reach_t){empty_up_to[rank][own_file] & env->reach[1][from][0],
                     empty_up_to[file][own_rank] & env->reach[1][from][1]};
}

static inline int has_move(const env_t *env, const board_t *at)
{
    bits_t men = at->men[at->side];
    if (men && env->man_steps[highest(men)] & ~occupied(at))
        return 1;
    for (; men; men &= men - 1) {
        reach_t reach = man_moves(env, at, lowest(men));
        if (reach.on_file | reach.on_rank)
            return 1;
    }
    if (at->side == P1)
        return 0;
    reach_t reach = king_moves(env, at, at->king);
    return (reach.on_file | reach.on_rank) != 0;
}

static inline void judge_stuck(const env_t *env, board_t *at)
{
    if (!has_move(env, at))
        at->outcome = env->options.no_move_draws ? OVER_DRAWN : OVER_LOST;
}

/* Whether enough squares beside the king are held, where two opposite ones do not suffice. */
static inline int king_is_held(const env_t *env, const board_t *at)
{
    bits_t holders = at->men[0] | (env->king_held[at->king] & ~at->men[1]);
    return count_of(env->near[at->king] & holders) >= env->king_needs[at->king];
}

static inline int game_legal(const env_t *env, const board_t *at, move_t move)
{
    int from = FROM(move), to = TO(move), is_king = from == at->king;
    if (is_king ? at->side == P1 : !(at->men[at->side] >> from & 1))
        return 0;
    reach_t reach = is_king ? king_moves(env, at, from) : man_moves(env, at, from);
    return (file_of[from] == file_of[to] && reach.on_file >> rank_of[to] & 1)
           || (rank_of[from] == rank_of[to] && reach.on_rank >> file_of[to] & 1);
}

/* Where on its file and its rank the men of a side stand that can move to a square, which is empty. */
static inline reach_t men_to(const env_t *env, const board_t *at, int side, int square)
{
    int file = file_of[square], rank = rank_of[square];
    unsigned on_file = next_pieces[rank][at->all[file]] & env->sources[square][0];
    unsigned on_rank = next_pieces[file][at->all[N + rank]] & env->sources[square][1];
    if (side == P1)
        return (reach_t){on_file & at->attackers[file], on_rank & at->attackers[N + rank]};
    on_file &= ~at->attackers[file];
    on_rank &= ~at->attackers[N + rank];
    if (file_of[at->king] == file)
        on_file &= ~(1u << rank_of[at->king]);
    if (rank_of[at->king] == rank)
        on_rank &= ~(1u << file_of[at->king]);
    return (reach_t){on_file, on_rank};
}

typedef uint16_t eight_t __attribute__((vector_size(16)));    /* eight lines */
typedef uint64_t quarters_t __attribute__((vector_size(16))); /* the same bits */

static inline eight_t eight_lines(const uint16_t *lines)
{
    eight_t found;
    memcpy(&found, lines, sizeof found);
    return found;
}

static inline int count_in(eight_t lines)
{
    quarters_t bits = (quarters_t)lines;
    return __builtin_popcountll(bits[0]) + __builtin_popcountll(bits[1]);
}

#include "walls.h"

/* The position after a legal move. */
static void game_play(const env_t *env, const board_t *before, move_t move, board_t *at)
{
    int from = FROM(move), to = TO(move), side = before->side, enemy = side ^ 1;
    int piece = side == P1 ? ATTACKER : from == before->king ? KING : DEFENDER, ends = 0;
    *at = *before;
    at->value = UNKNOWN;
    at->ring = UNKNOWN_MOVE;
    at->enclosed = 0;
    if (at->quiet < MOST_QUIET)
        at->quiet++;
    take(env, at, piece, from);
    put(env, at, piece, to);
    if (piece == KING) {
        at->king = (uint8_t)to;
        ends = (int)(env->escapes >> to & 1);
    }
    bits_t king = BIT(at->king), enemies = side == P1 ? at->men[P2] | king : at->men[P1];
    if (env->near[to] & enemies && (piece != KING || env->options.king_armed)) {
        bits_t hostile = at->men[side] | env->hostile | (env->hostile_centre & ~occupied(at)), row = 0;
        int needs = env->king_needs[at->king];
        if (side == P2 && env->options.king_armed)
            hostile |= king;
        if (side == P1 && needs && env->near[to] & king && king_is_held(env, at))
            at->captured = 1;
        if (env->options.shieldwall && env->edge >> to & 1 && env->near[to] & env->edge & enemies)
            row = row_captures(env, before, from, to);
        for (int way = 0; way < 4; way++) {
            int middle = to + steps[way];
            if (!(env->pairs[to] >> way & 1) || !(hostile >> (middle + steps[way]) & 1))
                continue;
            if (at->men[enemy] >> middle & 1) {
                take(env, at, enemy, middle);
                at->quiet = 0;
            } else if (side == P1 && middle == at->king && !needs) {
                at->captured = 1;
            }
        }
        for (row &= at->men[enemy]; row; row &= row - 1) {
            take(env, at, enemy, lowest(row));
            at->quiet = 0;
        }
    }
    if (side == P1)
        ends = at->captured || (env->options.encirclement && closes_ring(env, before, at, to));
    else if (env->options.fort && !ends)
        ends = has_fort(env, at);
    at->side ^= 1;
    at->key ^= env->side_key;
    __builtin_prefetch(table_bucket(env->table, at->key));
    if (ends)
        at->outcome = OVER_LOST;
    else
        judge_stuck(env, at);
}

/* ---- Threats ---- */

static inline int ways_out(const env_t *env, const board_t *at, int from)
{
    reach_t reach = king_moves(env, at, from);
    return __builtin_popcount(reach.on_file & env->escape[file_of[from]])
           + __builtin_popcount(reach.on_rank & env->escape[rank_of[from]]);
}

/* One of them; -1 if there is none. */
static inline int man_to(const env_t *env, const board_t *at, int side, int square)
{
    reach_t men = men_to(env, at, side, square);
    if (men.on_file)
        return file_of[square] * N + __builtin_ctz(men.on_file);
    return men.on_rank ? __builtin_ctz(men.on_rank) * N + rank_of[square] : -1;
}

/* A move of the attackers that captures the king now; 0 if there is none.
   An attacker beside the king cannot reach another square beside him: the king stands between them. */
static move_t king_capture(const env_t *env, const board_t *at)
{
    int king = at->king, needs = env->king_needs[king];
    bits_t taken = occupied(at);
    if (needs) {
        bits_t around = env->near[king], holders = at->men[0] | (env->king_held[king] & ~taken);
        int held = count_of(around & holders);
        if (held + 1 < needs)
            return 0;
        for (bits_t free = around & ~taken; free; free &= free - 1) {
            int square = lowest(free);
            if (held + !(holders >> square & 1) < needs)
                continue;
            int from = man_to(env, at, P1, square);
            if (from >= 0)
                return (move_t)(from + 128 * square);
        }
        return 0;
    }
    bits_t hostile = at->men[0] | env->hostile | (env->hostile_centre & ~taken);
    for (int way = 0; way < 4; way++) {
        int step = steps[way], place = way < 2 ? rank_of[king] : file_of[king];
        if (place == 0 || place == N - 1 || !(hostile >> (king - step) & 1) || taken >> (king + step) & 1
            || !(env->pairs[king + step] >> (way ^ 1) & 1))
            continue;
        int from = man_to(env, at, P1, king + step);
        if (from >= 0)
            return (move_t)(from + 128 * (king + step));
    }
    return 0;
}

static int game_threatened(const env_t *env, const board_t *at)
{
    if (at->side == P1)
        return ways_out(env, at, at->king) > 0 || fort_move(env, at, 0);
    return king_capture(env, at) != 0 || ring_threat(env, at);
}

/* ---- Evaluation: a sum of features with weights, for p2 ---- */

typedef struct {
    const int16_t *weights;
    int sum;
    int32_t *pairs; /* where the features are written for learning; NULL in play */
    int count, sign;
    int64_t room; /* for so many pairs; the others are only counted */
} features_t;

static inline void feature(features_t *features, int number, int count)
{
    if (!features->pairs) {
        features->sum += features->weights[number] * count;
    } else if (count) {
        if (features->count < features->room) {
            features->pairs[2 * features->count] = number;
            features->pairs[2 * features->count + 1] = count * features->sign;
        }
        features->count++;
    }
}

static inline int at_most(int value, int most)
{
    return value < most ? value : most;
}

static inline int pairs_of(const env_t *env, bits_t bits, int diagonal)
{
    if (diagonal)
        return count_of(bits & (bits & env->not_last_rank) << (N + 1)) + count_of(bits & (bits & env->not_first_rank) << (N - 1));
    return count_of(bits & (bits & env->not_last_rank) << 1) + count_of(bits & bits << N);
}

/* The men beside which an enemy stands with an empty square opposite: half captured. */
static inline bits_t half_captured(const env_t *env, bits_t men, bits_t enemies, bits_t empty)
{
    bits_t enemy_below = (enemies & env->not_last_rank) << 1, enemy_above = (enemies & env->not_first_rank) >> 1;
    bits_t empty_below = (empty & env->not_last_rank) << 1, empty_above = (empty & env->not_first_rank) >> 1;
    bits_t enemy_left = enemies << N, enemy_right = enemies >> N, empty_left = empty << N, empty_right = empty >> N;
    return men
           & ((enemy_below & empty_above) | (enemy_above & empty_below) | (enemy_left & empty_right)
              | (enemy_right & empty_left));
}

/* The moves of each side, without the king's, for eight lines at once. A move ends on an empty square from which there
   are only empty squares up to a man. */
static inline void count_moves(const env_t *env, const board_t *at, int moves[2])
{
    moves[0] = moves[1] = 0;
    for (int line = 0; line < 2 * N; line += 8) {
        eight_t all = eight_lines(at->all + line), stop = eight_lines(env->man_stop + line);
        eight_t closed = eight_lines(env->man_closed + line);
        eight_t men[2] = {eight_lines(at->attackers + line)}, empty = ~(all | closed) & (uint16_t)LINE_MASK;
        eight_t two = empty & empty >> 1, four = two & two >> 2; /* so many empty squares from here on */
        men[1] = all & ~men[0];
        for (int who = P1; who <= P2; who++) {
            eight_t up = men[who] << 1 & empty, down = men[who] >> 1 & empty;
            if (env->men_slide) {
                up = empty & ~(empty + up); /* a carry runs over the empty squares above a man */
                down |= down >> 1 & empty;
                down |= down >> 2 & two;
                down |= down >> 4 & four;
                if (N > 9)
                    down |= down >> 2 & two;
            } else {
                for (int step = 1; step < env->options.men_steps; step++) {
                    up |= up << 1 & empty;
                    down |= down >> 1 & empty;
                }
            }
            up &= stop;
            down &= stop;
            moves[who] += N > 8 ? count_in(up) + count_in(down) : count_in(up | down << 8);
        }
    }
    reach_t king = man_moves(env, at, at->king);
    moves[1] -= __builtin_popcount(king.on_file | king.on_rank << 16);
}

static inline __attribute__((always_inline)) void evaluate_features(const env_t *env, const board_t *at,
                                                                    features_t *features)
{
    int king = at->king, side = at->side;
    bits_t attackers = at->men[0], defenders = at->men[1], taken = occupied(at);
    feature(features, F_ATTACKERS + at_most(count_of(attackers), MOST_ATTACKERS), 1);
    feature(features, F_DEFENDERS + at_most(count_of(defenders), MOST_DEFENDERS), 1);
    feature(features, F_TEMPO + side, 1);

    /* The king's way: where he can go now, and what he could do from there. */
    reach_t reach = king_moves(env, at, king);
    int file = file_of[king], rank = rank_of[king];
    int mobility = __builtin_popcount(reach.on_file) + __builtin_popcount(reach.on_rank);
    int direct = __builtin_popcount(reach.on_file & env->escape[file]) + __builtin_popcount(reach.on_rank & env->escape[rank]);
    int exits = 0, forks = 0;
    bits_t second = 0;
    for (unsigned places = reach.on_file | reach.on_rank << N; places; places &= places - 1) {
        int place = __builtin_ctz(places);
        int square = place < N ? file * N + place : (place - N) * N + rank;
        /* From here he sees no escape square, whatever stands in between. */
        if (N > 7 && !(env->escape[file_of[square]] | env->escape[rank_of[square]]))
            continue;
        reach_t next = king_moves(env, at, square);
        int ways = __builtin_popcount(next.on_file & env->escape[file_of[square]])
                   + __builtin_popcount(next.on_rank & env->escape[rank_of[square]]);
        if (ways && !(env->escapes >> square & 1)) {
            exits++;
            forks += ways > 1;
        }
        if (N > 7 || exits || direct)
            continue;
        second |= (bits_t)next.on_file << (file_of[square] * N);
        for (unsigned on_rank = next.on_rank; on_rank; on_rank &= on_rank - 1)
            second |= BIT(__builtin_ctz(on_rank) * N + rank_of[square]);
    }
    int distance = direct ? 0 : exits ? 1 : 3;
    if (distance == 3) /* on larger boards this costs more than it is worth: `second` is empty there */
        for (bits_t squares = second; squares; squares &= squares - 1)
            if (ways_out(env, at, lowest(squares))) {
                distance = 2;
                break;
            }
    feature(features, F_KING_MOVES + at_most(mobility, 15), 1);
    feature(features, F_DISTANCE + 4 * side + distance, 1);
    feature(features, F_DIRECT + at_most(direct, 3), 1);
    feature(features, F_EXITS + 9 * side + at_most(exits, 8), 1);
    feature(features, F_FORKS + 5 * side + at_most(forks, 4), 1);

    /* The region of the king: what he reaches by single steps if all his men make way. */
    bits_t region = BIT(king), grown, free = env->all_squares & ~(attackers | env->camps);
    bits_t open_above = free & env->not_first_rank, open_below = free & env->not_last_rank;
    for (;;) {
        grown = region | (region << 1 & open_above);
        grown |= grown >> 1 & open_below;
        grown |= (grown << N | grown >> N) & free;
        if (grown == region)
            break;
        region = grown;
    }
    int outs = count_of(region & env->escapes), area = count_of(region & ~taken);
    feature(features, F_OUTS + (env->options.corner_escapes ? at_most(outs, 8) : outs < 4 ? outs : at_most(4 + (outs - 4) / 4, 8)), 1);
    if (env->options.encirclement)
        feature(features, F_SHORES + at_most((count_of(region & env->edge) + 3) / 4, 9), 1);
    feature(features, F_AREA + at_most(area * 10 / (SQUARES - 12), 9), 1);

    feature(features, F_BESIDE + 5 * side + count_of(env->near[king] & attackers), 1);
    feature(features, F_GUARDS + count_of(env->near[king] & defenders), 1);
    feature(features, F_CLOSE + at_most(count_of(env->close[king] & attackers), 8), 1);

    int moves[2];
    count_moves(env, at, moves);
    feature(features, F_MOBILITY, moves[0]);
    feature(features, F_MOBILITY + 1, moves[1]);
    feature(features, F_PAIRS, pairs_of(env, attackers, 0));
    feature(features, F_PAIRS + 1, pairs_of(env, attackers, 1));
    feature(features, F_PAIRS + 2, pairs_of(env, defenders | BIT(king), 0));
    feature(features, F_PAIRS + 3, pairs_of(env, defenders | BIT(king), 1));

    bits_t empty = env->all_squares & ~taken;
    bits_t enemies = env->options.king_armed ? defenders | BIT(king) : defenders;
    feature(features, F_HALF + side, count_of(half_captured(env, attackers, enemies, empty)));
    feature(features, F_HALF + 2 + side, count_of(half_captured(env, defenders, attackers, empty)));

    int open = 0;
    for (int line = 0; line < N; line++)
        open += !at->attackers[line] + !at->attackers[N + line];
    feature(features, F_OPEN + at_most(open, 8), 1);
}

static int value_for_p2(const env_t *env, const board_t *at)
{
    features_t features = {.weights = env->weights, .sum = at->squares};
    evaluate_features(env, at, &features);
    int value = features.sum;
    return value > 15000 ? 15000 : value < -15000 ? -15000 : value;
}

static int game_evaluate(const env_t *env, const board_t *at)
{
    board_t *kept = (board_t *)at; /* the search asks for it more than once */
    if (at->value == UNKNOWN)
        kept->value = value_for_p2(env, at);
    return at->side == P2 ? at->value : -at->value;
}

/* ---- Moves for the search ---- */

enum { GENERATE_ALL, GENERATE_USEFUL, GENERATE_FORCING };
/* A piece has at most 2 * (N - 1) moves, and pieces take each other's squares. */
enum { MOST_MOVES = N == 7 ? 320 : N == 9 ? 640 : 1152 };
enum { HISTORY_SIZE = 1 << 14, MOVE_SLOTS = 1 };
enum { FUTILITY = 60, LATE_MOVES = 6, FORCING_PLIES = 4, FORCING_TRIES = 24, NULL_MOVE = 1 };
enum { KILLER_BONUS = 60, HISTORY_WEIGHT = 24, CAPTURE_SCORE = 100, THREAT_SCORE = 40, WINNING_SCORE = 25000 };
#define REDUCTION_BASE 0.6
#define REDUCTION_SLOPE 0.5

/* How many men a move would capture. */
static inline int captures(const env_t *env, const board_t *at, int piece, int from, int to)
{
    int enemy = at->side ^ 1, found = 0;
    if (!(env->near[to] & at->men[enemy]) || (piece == KING && !env->options.king_armed))
        return 0;
    bits_t hostile = (at->men[at->side] & ~BIT(from)) | env->hostile, row = 0;
    if (at->side == P2 && env->options.king_armed && piece != KING)
        hostile |= BIT(at->king);
    if (env->hostile_centre && to != CENTRE_SQUARE && !((occupied(at) & ~BIT(from)) & env->centre))
        hostile |= env->centre;
    if (env->options.shieldwall && env->edge >> to & 1) {
        row = row_captures(env, at, from, to) & at->men[enemy];
        found = count_of(row);
    }
    for (int way = 0; way < 4; way++) {
        int middle = to + steps[way];
        found += env->pairs[to] >> way & 1 && (at->men[enemy] & ~row) >> middle & 1 && hostile >> (middle + steps[way]) & 1;
    }
    return found;
}

/* The empty squares where a man of the side to move captures: an enemy is next to them, and behind him a hostile square
   or one of `also`, or they complete a shieldwall. */
static inline bits_t capture_squares(const env_t *env, const board_t *at, bits_t also)
{
    bits_t enemies = at->men[at->side ^ 1], taken = occupied(at);
    bits_t hostile = at->men[at->side] | env->hostile | (env->hostile_centre & ~taken) | also;
    if (at->side == P2 && env->options.king_armed)
        hostile |= BIT(at->king);
    bits_t below = (enemies & (hostile & env->not_first_rank) >> 1 & env->not_first_rank) >> 1;
    bits_t above = (enemies & (hostile & env->not_last_rank) << 1 & env->not_last_rank) << 1;
    bits_t rows = env->options.shieldwall ? row_squares(env, at) : 0;
    return (below | above | (enemies & hostile >> N) >> N | (enemies & hostile << N) << N | rows) & env->all_squares & ~taken;
}

typedef struct {
    const env_t *env;
    const board_t *at;
    scored_t *next;
    int base; /* the evaluation for the mover */
    int kind;
    bits_t threats;  /* squares from where the mover threatens to end the game */
    bits_t captures; /* squares where a man of the mover captures */
} list_t;

static inline void list_move(list_t *list, int piece, int from, int to)
{
    const env_t *env = list->env;
    const board_t *at = list->at;
    scored_t *entry = list->next;
    move_t move = (move_t)(from + 128 * to);
    if (list->kind == GENERATE_ALL) {
        *entry = (scored_t){move, 0};
        list->next++;
        return;
    }
    int taken = list->captures >> to & 1 ? captures(env, at, piece, from, to) : 0;
    int threat = piece != DEFENDER && list->threats >> to & 1;
    if (taken || threat)
        move |= MOVE_FORCING;
    else if (list->kind == GENERATE_FORCING)
        return;
    int gain = env->square_weight[piece][to] - env->square_weight[piece][from];
    int score = list->base + (at->side == P2 ? gain : -gain) + CAPTURE_SCORE * taken + THREAT_SCORE * threat;
    *entry = (scored_t){move, score};
    list->next++;
}

static inline void list_reach(list_t *list, int piece, int from, reach_t reach)
{
    int file = file_of[from], rank = rank_of[from];
    for (; reach.on_file; reach.on_file &= reach.on_file - 1)
        list_move(list, piece, from, file * N + __builtin_ctz(reach.on_file));
    for (; reach.on_rank; reach.on_rank &= reach.on_rank - 1)
        list_move(list, piece, from, __builtin_ctz(reach.on_rank) * N + rank);
}

/* The men of the side to move that can move to the empty square. */
static inline void list_men_to(list_t *list, int to)
{
    const board_t *at = list->at;
    reach_t men = men_to(list->env, at, at->side, to);
    int piece = at->side == P1 ? ATTACKER : DEFENDER, file = file_of[to], rank = rank_of[to];
    for (; men.on_file; men.on_file &= men.on_file - 1)
        list_move(list, piece, file * N + __builtin_ctz(men.on_file), to);
    for (; men.on_rank; men.on_rank &= men.on_rank - 1)
        list_move(list, piece, __builtin_ctz(men.on_rank) * N + rank, to);
}

/* The squares from where the king would threaten to escape. */
static bits_t king_threats(const env_t *env, const board_t *at)
{
    bits_t found = 0;
    reach_t reach = king_moves(env, at, at->king);
    int file = file_of[at->king], rank = rank_of[at->king];
    for (unsigned places = reach.on_file | reach.on_rank << N; places; places &= places - 1) {
        int place = __builtin_ctz(places);
        int square = place < N ? file * N + place : (place - N) * N + rank;
        if (ways_out(env, at, square))
            found |= BIT(square);
    }
    return found;
}

/* The empty squares beside the king where an attacker who comes would threaten to capture him. It is an estimate. */
static bits_t attacker_threats(const env_t *env, const board_t *at)
{
    int king = at->king, needs = env->king_needs[king];
    bits_t taken = occupied(at), found = 0;
    if (needs) {
        bits_t holders = at->men[0] | (env->king_held[king] & ~taken);
        return count_of(env->near[king] & holders) + 2 >= needs ? env->near[king] & ~taken : 0;
    }
    for (int way = 0; way < 4; way += 2) {
        int step = steps[way + 1], place = way < 2 ? rank_of[king] : file_of[king];
        if (place == 0 || place == N - 1 || taken >> (king - step) & 1 || taken >> (king + step) & 1)
            continue;
        if (man_to(env, at, P1, king + step) >= 0)
            found |= BIT(king - step);
        if (man_to(env, at, P1, king - step) >= 0)
            found |= BIT(king + step);
    }
    return found;
}

/* The squares on the king's way to the escape squares that he can reach, or none if one man cannot block them all. */
static bits_t blocking_squares(const env_t *env, const board_t *at)
{
    int king = at->king, file = file_of[king], rank = rank_of[king];
    reach_t reach = king_moves(env, at, king);
    unsigned on_file = reach.on_file & env->escape[file], on_rank = reach.on_rank & env->escape[rank];
    if (__builtin_popcount(on_file) + __builtin_popcount(on_rank) != 1)
        return 0;
    bits_t way = 0;
    int escape = on_file ? file * N + __builtin_ctz(on_file) : __builtin_ctz(on_rank) * N + rank;
    int step = (on_file ? 1 : N) * (escape > king ? 1 : -1);
    for (int square = king; square != escape; square += step)
        way |= BIT(square + step);
    return way;
}

/* The squares where a man of p2 can save the king from this capture: where he stands in the attacker's way, where he
   captures (the man who was in the centre may leave it hostile), and squares that hold the king only while no defender
   stands there. His other moves change nothing that the capture needs. */
static bits_t saving_squares(const env_t *env, const board_t *at, move_t capture)
{
    int from = FROM(capture), to = TO(capture);
    int step = (file_of[from] == file_of[to] ? 1 : N) * (from > to ? 1 : -1);
    bits_t found = env->king_held[at->king] | capture_squares(env, at, env->hostile_centre);
    for (int square = to; square != from; square += step)
        found |= BIT(square);
    return found & ~occupied(at);
}

/* Any one move of the side to move: it loses whatever it does. */
static int list_any(list_t *list, scored_t *moves)
{
    const env_t *env = list->env;
    const board_t *at = list->at;
    int piece = at->side == P1 ? ATTACKER : DEFENDER;
    list->next = moves;
    if (at->side == P2)
        list_reach(list, KING, at->king, king_moves(env, at, at->king));
    for (bits_t men = at->men[at->side]; men && list->next == moves; men &= men - 1)
        list_reach(list, piece, lowest(men), man_moves(env, at, lowest(men)));
    return list->next > moves;
}

/* Lists the moves of p2 that save the king; if none does, any one move. */
static int list_saving(list_t *list, scored_t *moves, move_t capture)
{
    const env_t *env = list->env;
    const board_t *at = list->at;
    reach_t king = king_moves(env, at, at->king);
    bits_t wanted = saving_squares(env, at, capture);
    list_reach(list, KING, at->king, king);
    for (bits_t men = at->men[1]; men; men &= men - 1) {
        int from = lowest(men), file = file_of[from], rank = rank_of[from];
        reach_t reach = man_moves(env, at, from);
        reach.on_file &= (unsigned)(wanted >> (file * N));
        for (unsigned on_rank = reach.on_rank; on_rank; on_rank &= on_rank - 1)
            if (!(wanted >> (__builtin_ctz(on_rank) * N + rank) & 1))
                reach.on_rank ^= on_rank & -on_rank;
        list_reach(list, DEFENDER, from, reach);
    }
    scored_t *kept = moves;
    for (scored_t *entry = moves; entry < list->next; entry++) {
        board_t next;
        game_play(env, at, entry->move, &next);
        if (next.outcome || !king_capture(env, &next))
            *kept++ = *entry;
    }
    return kept > moves ? (int)(kept - moves) : list_any(list, moves);
}

/* Of the moves that were listed, keeps those after which the opponent cannot close a ring or a fort with its next move;
   if there is none, any one move. */
static int keep_answers(list_t *list, scored_t *moves)
{
    const env_t *env = list->env;
    const board_t *at = list->at;
    scored_t *kept = moves;
    for (scored_t *entry = moves; entry < list->next; entry++) {
        board_t next;
        game_play(env, at, entry->move, &next);
        if (next.outcome || !(at->side == P1 ? fort_move(env, &next, 0) : ring_threat(env, &next)))
            *kept++ = *entry;
    }
    return kept > moves ? (int)(kept - moves) : list_any(list, moves);
}

/* A side that can win now has one move: it wins. A side that loses whatever it does has one move too: any. */
static int game_generate(const env_t *env, const board_t *at, int kind, scored_t *moves)
{
    list_t list = {.env = env, .at = at, .next = moves, .kind = kind};
    int piece = at->side == P1 ? ATTACKER : DEFENDER, blocks = 0, walls = 0;
    bits_t only = 0; /* the squares to move to, where they are few */
    if (kind != GENERATE_ALL) {
        list.base = game_evaluate(env, at);
        list.captures = capture_squares(env, at, 0);
        if (at->side == P1) {
            move_t winning = king_capture(env, at);
            if (!winning)
                winning = ring_move(env, at, list.captures);
            if (winning) {
                moves[0] = (scored_t){winning | MOVE_FORCING, WINNING_SCORE};
                return 1;
            }
            blocks = ways_out(env, at, at->king) > 0;
            if (blocks) {
                only = blocking_squares(env, at);
                list.kind = GENERATE_USEFUL;
            } else {
                only = list.captures;
            }
            if (kind == GENERATE_USEFUL) {
                list.threats = attacker_threats(env, at);
                walls = !blocks && fort_move(env, at, 0);
            }
        } else {
            reach_t reach = king_moves(env, at, at->king);
            int file = file_of[at->king], rank = rank_of[at->king];
            unsigned on_file = reach.on_file & env->escape[file], on_rank = reach.on_rank & env->escape[rank];
            if (on_file | on_rank) {
                int to = on_file ? file * N + __builtin_ctz(on_file) : __builtin_ctz(on_rank) * N + rank;
                moves[0] = (scored_t){(move_t)(at->king + 128 * to) | MOVE_FORCING, WINNING_SCORE};
                return 1;
            }
            move_t winning = fort_move(env, at, list.captures);
            if (winning) {
                moves[0] = (scored_t){winning | MOVE_FORCING, WINNING_SCORE};
                return 1;
            }
            list.threats = king_threats(env, at);
            only = list.captures;
            if (kind == GENERATE_USEFUL) {
                move_t capture = king_capture(env, at);
                if (capture)
                    return list_saving(&list, moves, capture);
                walls = ring_threat(env, at) != 0;
            }
        }
    }
    if (at->side == P2)
        list_reach(&list, KING, at->king, king_moves(env, at, at->king));
    if (blocks || kind == GENERATE_FORCING)
        for (; only; only &= only - 1)
            list_men_to(&list, lowest(only));
    else
        for (bits_t men = at->men[at->side]; men; men &= men - 1) {
            int from = lowest(men);
            list_reach(&list, piece, from, man_moves(env, at, from));
        }
    if (blocks && list.next == moves)
        return list_any(&list, moves);
    if (walls)
        return keep_answers(&list, moves);
    return (int)(list.next - moves);
}

/* A side with fewer moves may lose only because it must move: there a pass proves nothing. */
enum { FEW_MOVES = 6 };

static inline int has_few_moves(const env_t *env, const board_t *at)
{
    int moves = 0;
    for (bits_t men = at->men[at->side]; men && moves < FEW_MOVES; men &= men - 1) {
        reach_t reach = man_moves(env, at, lowest(men));
        moves += __builtin_popcount(reach.on_file) + __builtin_popcount(reach.on_rank);
    }
    if (at->side == P2 && moves < FEW_MOVES) {
        reach_t reach = king_moves(env, at, at->king);
        moves += __builtin_popcount(reach.on_file) + __builtin_popcount(reach.on_rank);
    }
    return moves < FEW_MOVES;
}

/* The position if the side to move passes; 0 where that says nothing: the side has few moves, so that a pass could be
   better than any of them, or its opponent could not move. */
static int game_pass(const env_t *env, const board_t *at, board_t *next)
{
    if (has_few_moves(env, at))
        return 0;
    *next = *at;
    next->side ^= 1;
    next->key ^= env->side_key;
    next->ring = UNKNOWN_MOVE;
    next->enclosed = 0;
    next->quiet = 0; /* a position after it repeats nothing */
    return has_move(env, next);
}

static inline int game_plies_back(const board_t *at)
{
    return at->quiet;
}

static inline unsigned move_slot(move_t move, int number)
{
    (void)number;
    return move & (HISTORY_SIZE - 1);
}

/* ---- A position as the caller gives it ---- */

/* The attackers, the defenders (each the low 64 bits, then the high ones), the king's square, the side to move, whether
   he has been captured, the plies since the last capture. */
enum { ROOT_WORDS = 8 };

static void put_all(const env_t *env, board_t *at, int piece, const uint64_t *words)
{
    bits_t men = words[0];
#if N > 7
    men |= (bits_t)words[1] << 64;
#endif
    for (men &= env->all_squares; men; men &= men - 1)
        put(env, at, piece, lowest(men));
}

static void game_root(const env_t *env, const uint64_t *words, board_t *at)
{
    memset(at, 0, sizeof *at);
    at->value = UNKNOWN;
    at->ring = UNKNOWN_MOVE;
    put_all(env, at, ATTACKER, words);
    put_all(env, at, DEFENDER, words + 2);
    at->king = (uint8_t)words[4];
    put(env, at, KING, at->king);
    at->side = (uint8_t)words[5];
    if (at->side == P2)
        at->key ^= env->side_key;
    at->quiet = words[7] < MOST_QUIET ? (uint16_t)words[7] : MOST_QUIET;
    at->captured = words[6] != 0;
    int encircled = env->options.encirclement && is_encircled(env, at);
    at->enclosed = encircled && at->side == P1;
    if (at->captured || env->escapes >> at->king & 1 || (at->side == P2 && encircled)
        || (at->side == P1 && env->options.fort && has_fort(env, at)))
        at->outcome = OVER_LOST;
    else
        judge_stuck(env, at);
}

static void game_words(const env_t *env, const board_t *at, uint64_t *words)
{
    (void)env;
    for (int piece = ATTACKER; piece <= DEFENDER; piece++) {
        words[2 * piece] = (uint64_t)at->men[piece];
#if N > 7
        words[2 * piece + 1] = (uint64_t)(at->men[piece] >> 64);
#else
        words[2 * piece + 1] = 0;
#endif
    }
    words[4] = at->king;
    words[5] = at->side;
    words[6] = at->captured;
    words[7] = at->quiet;
}

static void game_close(env_t *env)
{
    (void)env;
}

#include "search.h"

#define GAME_FEATURES

static int game_reweigh(env_t *env)
{
    weigh_squares(env);
    return 1;
}

/* An evaluation of another kind, which nobody has tuned: men, the king's moves and his ways out. */
static void game_plain(const env_t *env, int16_t *weights)
{
    static const int16_t ways_out[4] = {0, 100, 250, 300};
    (void)env;
    for (int count = 0; count <= MOST_ATTACKERS; count++)
        weights[F_ATTACKERS + count] = (int16_t)(-90 * count);
    for (int count = 0; count <= MOST_DEFENDERS; count++)
        weights[F_DEFENDERS + count] = (int16_t)(110 * count);
    for (int count = 0; count < 16; count++)
        weights[F_KING_MOVES + count] = (int16_t)(4 * count);
    memcpy(weights + F_DIRECT, ways_out, sizeof ways_out);
}

/* Moves are sorted without weights. */
static int game_guess(int weight)
{
    (void)weight;
    return -1;
}

static int game_features(const env_t *env, const board_t *at, int32_t *pairs, int64_t room)
{
    features_t features = {.weights = env->weights, .pairs = pairs, .room = room, .sign = at->side == P2 ? 1 : -1};
    for (int piece = ATTACKER; piece <= DEFENDER; piece++)
        for (bits_t men = at->men[piece]; men; men &= men - 1)
            feature(&features, F_SQUARES + piece * CLASSES + square_class(lowest(men)), 1);
    feature(&features, F_SQUARES + KING * CLASSES + square_class(at->king), 1);
    evaluate_features(env, at, &features);
    return features.count;
}

#include "kernel.h"
