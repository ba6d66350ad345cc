/* Callanish for the search: positions as sets of bits, turns with their scores, and the evaluation.

   Compiled once for each number of 64-bit words that a set of squares needs (WORDS: 1 for 7x7, 2 for 9x9 and 11x11, 3
   for 13x13). Bits are numbered file by file from a1 upwards, as in the rules in Python, which the tests compare with
   these. A line is a file or a rank. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define ENGINE stornoway
#ifndef WORDS
#define WORDS 1
#endif

enum { MOST_SIDE = 13, MOST_SQUARES = 169, MOST_LINES = 2 * MOST_SIDE, LINE_BYTES = 32 };
enum { NO_SQUARE = 175, SQUARE_NUMBERS = 176, NO_NEED = 99 };

/* A turn: the square that the stone leaves, and both targets, a byte each. In a placement the first is NO_SQUARE and
   both targets are the same. */
typedef uint32_t move_t;
#define MOVE_FORCING 0x80000000u

typedef struct {
    move_t move;
    int score;
} scored_t;

typedef struct {
    uint64_t word[WORDS];
} set_t;

/* A stone of the side to move has at most 28 turns. Every turn needs free targets, and no square is both a stone and
   a target: so at most half of the squares can have all of them. */
enum { MOST_MOVES = 896 * WORDS };
enum { GENERATE_ALL, GENERATE_USEFUL, GENERATE_FORCING };

#include "stornoway_weights.h"
#include "stornoway_learned.h"

/* How many stones of which kind a line has: four digits of four bits. For each colour first the single stones, then
   those on top of another. */
typedef uint16_t counts_t;

/* What a line is worth: for p1 to move, for p2 to move; then the same two as a guess for the order of turns. */
typedef int16_t line_t __attribute__((vector_size(8)));
typedef int32_t sums_t __attribute__((vector_size(16)));
enum { GUESS = 2 };

typedef struct {
    const table_t *table; /* where the entry of the next position is fetched ahead */
    int width, height, squares, lines, supply;
    set_t playable;
    set_t knight[MOST_SQUARES];
    set_t below_top[2], above_bottom[2]; /* the squares with one more rank above or below them, and with two */
    uint8_t targets[MOST_SQUARES][8];
    uint8_t line_of[MOST_SQUARES][2];
    int need[MOST_LINES], size[MOST_LINES], edge[MOST_LINES];
    unsigned to_full[MOST_LINES]; /* added to what both sides hold, it sets the high bit of the byte of a full line */
    set_t line[MOST_LINES];
    uint64_t key[2][2][MOST_SQUARES]; /* colour, buried, square */
    uint64_t key_side;
    const line_t *values[MOST_LINES]; /* by counts_t */
    uint32_t lines_of[MOST_SQUARES];  /* its two lines as bits */
    uint32_t all_lines;
    int16_t reach_value[2][LACKS + 1][16]; /* mine or the opponent's; lack; 4 * reach + exposed to a cover */
    uint8_t lack[MOST_LINES][16]; /* by the squares that a side holds there; LACKS on a line without squares */
    uint64_t spread[128]; /* seven bits, as digits of four bits each */
    uint64_t file_mask;
    uint8_t three[1 << MOST_SIDE]; /* how many squares of a file are set, at most 3 */
    int16_t globals[GLOBALS];
    line_t *tables;
    int16_t weights[WEIGHTS];
} env_t;

typedef struct {
    set_t on[2], under[2]; /* exposed stones, and buried ones; colour 0 is p1 */
    sums_t sums;           /* of all lines */
    counts_t counts[MOST_LINES];
    uint8_t lack[2][LINE_BYTES]; /* what each side lacks there, as lack_of tells it */
    uint64_t key;
    uint16_t full; /* how many lines each side holds, a byte each */
    uint8_t side, outcome;
} board_t;

static const int16_t *default_weights(const env_t *env);

/* Sets of squares. */

static inline set_t set_and(set_t a, set_t b)
{
    for (int i = 0; i < WORDS; i++)
        a.word[i] &= b.word[i];
    return a;
}

static inline set_t set_or(set_t a, set_t b)
{
    for (int i = 0; i < WORDS; i++)
        a.word[i] |= b.word[i];
    return a;
}

static inline set_t set_less(set_t a, set_t b)
{
    for (int i = 0; i < WORDS; i++)
        a.word[i] &= ~b.word[i];
    return a;
}

static inline int set_count(set_t a)
{
    int count = 0;
    for (int i = 0; i < WORDS; i++)
        count += __builtin_popcountll(a.word[i]);
    return count;
}

static inline int set_any(set_t a)
{
    uint64_t any = 0;
    for (int i = 0; i < WORDS; i++)
        any |= a.word[i];
    return any != 0;
}

static inline int set_has(const set_t *a, int square)
{
    return (int)(a->word[WORDS == 1 ? 0 : square >> 6] >> (square & 63) & 1);
}

static inline void set_flip(set_t *a, int square)
{
    a->word[WORDS == 1 ? 0 : square >> 6] ^= (uint64_t)1 << (square & 63);
}

static inline set_t set_up(set_t a, int by)
{
    for (int i = WORDS - 1; i > 0; i--)
        a.word[i] = a.word[i] << by | a.word[i - 1] >> (64 - by);
    a.word[0] <<= by;
    return a;
}

static inline set_t set_down(set_t a, int by)
{
    for (int i = 0; i < WORDS - 1; i++)
        a.word[i] = a.word[i] >> by | a.word[i + 1] << (64 - by);
    a.word[WORDS - 1] >>= by;
    return a;
}

#define EACH_SQUARE(square, set)                                                                                       \
    for (int word_ = 0; word_ < WORDS; word_++)                                                                        \
        for (uint64_t left_ = (set).word[word_]; left_ && (square = word_ * 64 + __builtin_ctzll(left_), 1);           \
             left_ &= left_ - 1)

/* The squares a knight's move away from any of these: one rank and two files away, or two ranks and one file. */
static inline set_t leaps(const env_t *env, set_t from)
{
    set_t near = set_or(set_up(set_and(from, env->below_top[0]), 1), set_down(set_and(from, env->above_bottom[0]), 1));
    set_t far = set_or(set_up(set_and(from, env->below_top[1]), 2), set_down(set_and(from, env->above_bottom[1]), 2));
    int file = env->height;
    set_t found = set_or(set_up(near, 2 * file), set_down(near, 2 * file));
    return set_and(set_or(found, set_or(set_up(far, file), set_down(far, file))), env->playable);
}

/* Lines. */

/* How many squares of a line each side holds, a byte each. */
static inline unsigned both_held(unsigned counts)
{
    return (counts & 0x0F0F) + (counts >> 4 & 0x0F0F);
}

static inline int held(unsigned counts, int side)
{
    return (int)(both_held(counts) >> 8 * side & 255);
}

static inline int full(const board_t *board, int side)
{
    return board->full >> 8 * side & 255;
}

#define SINGLE(side) (1 << 8 * (side))
#define STACK(side) (16 << 8 * (side))

static inline void change_line(const env_t *env, board_t *board, int line, int change)
{
    unsigned before = board->counts[line], after = (unsigned)((int)before + change);
    unsigned held_before = both_held(before), held_after = both_held(after), to_full = env->to_full[line];
    const line_t *values = env->values[line];
    board->counts[line] = (counts_t)after;
    board->lack[0][line] = env->lack[line][held_after & 255];
    board->lack[1][line] = env->lack[line][held_after >> 8];
    board->sums += __builtin_convertvector(values[after], sums_t) - __builtin_convertvector(values[before], sums_t);
    board->full = (uint16_t)(board->full + ((held_after + to_full) >> 7 & 0x0101) - ((held_before + to_full) >> 7 & 0x0101));
}

static inline void change_lines(const env_t *env, board_t *board, int square, int change)
{
    change_line(env, board, env->line_of[square][0], change);
    change_line(env, board, env->line_of[square][1], change);
}

/* Turns. */

static int has_turn(const env_t *env, const board_t *board, int side)
{
    set_t stones = set_or(board->on[side], board->under[side]);
    if (env->supply && set_count(stones) >= env->supply)
        return 0;
    if (!set_any(stones))
        return set_any(set_less(env->playable, board->on[1 - side]));
    int square;
    EACH_SQUARE(square, board->on[side])
        if (set_count(set_less(env->knight[square], stones)) >= 2)
            return 1;
    return 0;
}

static inline void judge(const env_t *env, board_t *board)
{
    board->outcome = full(board, board->side) ? 1 : has_turn(env, board, board->side) ? 0 : 2;
}

/* The key after a stone was added or taken away. */
static inline uint64_t flipped(const env_t *env, int side, int square, const set_t *others)
{
    /* If the stone is on top of another, that one is buried or uncovered with it. */
    uint64_t both = env->key[1 - side][0][square] ^ env->key[1 - side][1][square];
    return env->key[side][0][square] ^ (both & -(uint64_t)set_has(others, square));
}

static inline void place(const env_t *env, board_t *board, int side, int square)
{
    int other = 1 - side, change = SINGLE(side);
    set_flip(&board->on[side], square);
    if (set_has(&board->on[other], square)) {
        set_flip(&board->on[other], square);
        set_flip(&board->under[other], square);
        change = STACK(side) - SINGLE(other);
    }
    change_lines(env, board, square, change);
}

static inline int game_legal(const env_t *env, const board_t *board, move_t move)
{
    int from = (int)(move & 255), first = (int)(move >> 8 & 255), second = (int)(move >> 16 & 255), side = board->side;
    set_t stones = set_or(board->on[side], board->under[side]);
    if (from == NO_SQUARE)
        return !set_any(stones) && !set_has(&board->on[1 - side], first);
    return set_has(&board->on[side], from) && set_has(&env->knight[from], first) && set_has(&env->knight[from], second)
           && !set_has(&stones, first) && !set_has(&stones, second);
}

static inline void game_play(const env_t *env, const board_t *board, move_t move, board_t *next)
{
    int from = (int)(move & 255), first = (int)(move >> 8 & 255), second = (int)(move >> 16 & 255);
    int side = board->side, other = 1 - side;
    uint64_t key = board->key ^ env->key_side ^ flipped(env, side, first, &board->on[other]);
    if (from != NO_SQUARE)
        key ^= flipped(env, side, from, &board->under[other]) ^ flipped(env, side, second, &board->on[other]);
    __builtin_prefetch(table_bucket(env->table, key));
    *next = *board;
    next->key = key;
    if (from != NO_SQUARE) {
        int change = -SINGLE(side);
        set_flip(&next->on[side], from);
        if (set_has(&next->under[other], from)) {
            set_flip(&next->under[other], from);
            set_flip(&next->on[other], from);
            change = SINGLE(other) - STACK(side);
        }
        change_lines(env, next, from, change);
        place(env, next, side, second);
    }
    place(env, next, side, first);
    next->side = (uint8_t)other;
    judge(env, next);
}

static inline int game_pass(const env_t *env, const board_t *board, board_t *next)
{
    int side = board->side;
    if (set_count(board->on[side]) < 3 || set_count(board->on[1 - side]) < 3)
        return 0;
    *next = *board;
    next->side = (uint8_t)(1 - side);
    next->key ^= env->key_side;
    judge(env, next);
    return next->outcome == 0;
}

static inline int game_threatened(const env_t *env, const board_t *board)
{
    (void)env;
    return full(board, 1 - board->side) != 0;
}

static inline int game_plies_back(const board_t *board)
{
    (void)board;
    return 0; /* Each turn adds a stone: no position comes again. */
}

static inline int gain_of(const env_t *env, const board_t *board, int square, int change)
{
    /* After the turn the opponent is to move, so his tables count. */
    int other = 1 - board->side, sum = 0;
    for (int axis = 0; axis < 2; axis++) {
        int line = env->line_of[square][axis];
        const line_t *values = env->values[line];
        unsigned counts = board->counts[line];
        sum += values[counts][GUESS + other] - values[(counts_t)((int)counts + change)][GUESS + other];
    }
    return sum;
}

/* What two additions to one line are worth beyond what each is worth. */
static inline int together(const line_t *values, int counts, int change, int second_change, int other)
{
    return values[(counts_t)(counts + change)][GUESS + other] + values[(counts_t)(counts + second_change)][GUESS + other]
           - values[counts][GUESS + other] - values[(counts_t)(counts + change + second_change)][GUESS + other];
}

/* What the turns of a position have in common: what each target and each line adds to their score. */
typedef struct {
    const env_t *env;
    const board_t *board;
    scored_t *moves;
    int count, kind;
    set_t stones; /* of the side to move */
    int base;     /* the score if nothing changes */
    /* The opponent's complete lines. A turn has to cover a stone on each of them, or two on those of `twice`. */
    uint32_t once, twice;
    uint32_t lack_one, lack_two; /* lines that one addition would complete, lines that two would */
    int gain[SQUARE_NUMBERS], change[SQUARE_NUMBERS];
    uint32_t covers[SQUARE_NUMBERS]; /* the lines of a target where an opponent's stone is */
} list_t;

static inline void weigh_target(list_t *list, int square)
{
    const board_t *board = list->board;
    int side = board->side, covers = set_has(&board->on[1 - side], square);
    list->change[square] = covers ? STACK(side) - SINGLE(1 - side) : SINGLE(side);
    list->gain[square] = gain_of(list->env, board, square, list->change[square]);
    list->covers[square] = covers ? list->env->lines_of[square] : 0;
}

/* The turns of one stone, whose free targets are weighed already. `answers` is whether lines of the opponent must be
   broken, `forcing` whether only turns that force are wanted: both are constants where this is called. */
static inline __attribute__((always_inline)) void list_turns(list_t *list, int square, set_t free, int answers, int forcing)
{
    const env_t *env = list->env;
    const board_t *board = list->board;
    int side = board->side, other = 1 - side, covered = set_has(&board->under[other], square);
    if (covered && list->kind != GENERATE_ALL) {
        int file = env->line_of[square][0], rank = env->line_of[square][1];
        /* The stone below would complete a line, and no target of this stone lies on it. */
        if (held(board->counts[file], other) + 1 >= env->need[file]
            || held(board->counts[rank], other) + 1 >= env->need[rank])
            return;
    }
    int targets[8], found = 0, target;
    EACH_SQUARE(target, free)
        targets[found++] = target;
    if (found < 2)
        return;
    int start = list->base + gain_of(env, board, square, covered ? SINGLE(other) - STACK(side) : -SINGLE(side));
    uint32_t once = list->once, twice = list->twice, lack_one = list->lack_one, lack_two = list->lack_two;
    scored_t *next = list->moves + list->count;
    for (int a = 0; a < found - 1; a++) {
        int first = targets[a], partial = start + list->gain[first];
        uint32_t lines = env->lines_of[first], covers = list->covers[first], alone = lines & lack_one;
        move_t move = (uint32_t)square | (uint32_t)first << 8;
        for (int b = a + 1; b < found; b++) {
            int second = targets[b];
            if (answers
                && (((covers | list->covers[second]) & once) != once || (covers & list->covers[second] & twice) != twice))
                continue;
            uint32_t others = env->lines_of[second], shared = lines & others;
            uint32_t forces = alone | (others & lack_one) | (shared & lack_two);
            if (forcing && !forces)
                continue;
            int score = partial + list->gain[second];
            if (shared) {
                int line = __builtin_ctz(shared);
                score += together(env->values[line], board->counts[line], list->change[first], list->change[second],
                                  other);
            }
            *next++ = (scored_t){move | (uint32_t)second << 16 | (forces ? MOVE_FORCING : 0), score / UNIT};
        }
    }
    list->count = (int)(next - list->moves);
}

/* The turns that break the opponent's lines: their stones can reach a stone on one of these. */
static int list_answers(list_t *list, int line)
{
    const env_t *env = list->env;
    const board_t *board = list->board;
    int side = board->side, square, target;
    set_t weighed = {{0}}, covers = set_less(set_and(env->line[line], board->on[1 - side]), list->stones);
    EACH_SQUARE(square, set_and(leaps(env, covers), board->on[side])) {
        set_t free = set_less(env->knight[square], list->stones);
        EACH_SQUARE(target, set_less(free, weighed))
            weigh_target(list, target);
        weighed = set_or(weighed, free);
        list_turns(list, square, free, 1, list->kind == GENERATE_FORCING);
    }
    return list->count;
}

/* The lines, as bits, where a side lacks no more than so much. Eight lines are looked at in one word. */
static inline uint32_t lines_lacking(const env_t *env, const board_t *board, int side, int most)
{
    uint64_t words[LINE_BYTES / 8], found = 0;
    memcpy(words, board->lack[side], sizeof words);
    for (int word = 0; word < LINE_BYTES / 8; word++) {
        uint64_t few = ((uint64_t)(128 + LACK_ZERO + most) * 0x0101010101010101 - words[word]) & 0x8080808080808080;
        found |= few * 0x0002040810204081 >> 56 << 8 * word; /* the high bits of all bytes side by side */
    }
    return (uint32_t)found & env->all_lines;
}

static int game_generate(const env_t *env, const board_t *board, int kind, scored_t *moves)
{
    int side = board->side, other = 1 - side, square;
    list_t list;
    list.env = env;
    list.board = board;
    list.moves = moves;
    list.count = 0;
    list.kind = kind;
    list.stones = set_or(board->on[side], board->under[side]);
    list.base = -env->globals[GLOBALS - 1] - board->sums[GUESS + other];
    list.once = list.twice = 0;
    list.lack_one = lines_lacking(env, board, side, 1);
    list.lack_two = lines_lacking(env, board, side, 2);
    /* Most positions have no line that a turn could complete. */
    if (kind == GENERATE_FORCING && !list.lack_two)
        return 0;
    if (!set_any(list.stones)) {
        /* A first stone covers nothing. */
        if (kind == GENERATE_FORCING || (kind == GENERATE_USEFUL && full(board, other)))
            return 0;
        EACH_SQUARE(square, set_less(env->playable, board->on[other])) {
            int score = (list.base + gain_of(env, board, square, SINGLE(side))) / UNIT;
            moves[list.count++] = (scored_t){NO_SQUARE | (uint32_t)square << 8 | (uint32_t)square << 16, score};
        }
        return list.count;
    }
    if (kind != GENERATE_ALL && full(board, other)) {
        int broken = 0;
        for (int line = 0; line < env->lines; line++) {
            int excess = held(board->counts[line], other) - env->need[line];
            if (excess < 0)
                continue;
            if (excess > 1)
                return 0; /* No turn covers more than two squares. */
            broken = line;
            if (excess)
                list.twice |= 1u << line;
            else
                list.once |= 1u << line;
        }
        return list_answers(&list, broken);
    }
    EACH_SQUARE(square, set_less(leaps(env, board->on[side]), list.stones))
        weigh_target(&list, square);
    if (kind == GENERATE_FORCING)
        EACH_SQUARE(square, board->on[side])
            list_turns(&list, square, set_less(env->knight[square], list.stones), 0, 1);
    else
        EACH_SQUARE(square, board->on[side])
            list_turns(&list, square, set_less(env->knight[square], list.stones), 0, 0);
    return list.count;
}

/* The evaluation. */

static inline int bounded(int value, int most)
{
    return value < most ? value : most;
}

static inline int lack_of(int need, int count)
{
    int lack = need - count + LACK_ZERO;
    return lack < 0 ? 0 : lack < LACKS ? lack : LACKS - 1;
}

/* A word of a set of p1 and the same word of one of p2: what is counted for one side is counted for the other with the
   same instructions. */
typedef uint64_t both_t __attribute__((vector_size(16)));

typedef struct {
    both_t word[WORDS];
} sets_t;

static inline sets_t sets_of(const set_t *set)
{
    sets_t sets;
    for (int i = 0; i < WORDS; i++)
        sets.word[i] = (both_t){set[0].word[i], set[1].word[i]};
    return sets;
}

static inline set_t set_of(const sets_t *sets, int side)
{
    set_t set;
    for (int i = 0; i < WORDS; i++)
        set.word[i] = sets->word[i][side];
    return set;
}

static inline sets_t sets_up(sets_t a, int by)
{
    for (int i = WORDS - 1; i > 0; i--)
        a.word[i] = a.word[i] << by | a.word[i - 1] >> (64 - by);
    a.word[0] <<= by;
    return a;
}

static inline sets_t sets_down(sets_t a, int by)
{
    for (int i = 0; i < WORDS - 1; i++)
        a.word[i] = a.word[i] >> by | a.word[i + 1] << (64 - by);
    a.word[WORDS - 1] >>= by;
    return a;
}

static inline sets_t sets_or(sets_t a, sets_t b)
{
    for (int i = 0; i < WORDS; i++)
        a.word[i] |= b.word[i];
    return a;
}

static inline sets_t sets_within(sets_t a, const set_t *b)
{
    for (int i = 0; i < WORDS; i++)
        a.word[i] &= (both_t){b->word[i], b->word[i]};
    return a;
}

typedef struct {
    sets_t reach, exposed;
} contact_t;

/* The squares that the stones of each side can go to, and the stones that the opponent can cover. */
static inline contact_t contact_of(const env_t *env, const board_t *board)
{
    sets_t on = sets_of(board->on), under = sets_of(board->under);
    sets_t near = sets_or(sets_up(sets_within(on, env->below_top), 1), sets_down(sets_within(on, env->above_bottom), 1));
    sets_t far = sets_or(sets_up(sets_within(on, env->below_top + 1), 2), sets_down(sets_within(on, env->above_bottom + 1), 2));
    int file = env->height;
    sets_t reach = sets_or(sets_up(near, 2 * file), sets_down(near, 2 * file));
    reach = sets_within(sets_or(reach, sets_or(sets_up(far, file), sets_down(far, file))), &env->playable);
    contact_t contact;
    for (int i = 0; i < WORDS; i++) {
        both_t from_there = reach.word[i] & ~(on.word[i] | under.word[i]);
        both_t buried_there = {under.word[i][1], under.word[i][0]}, from_here = {from_there[1], from_there[0]};
        contact.reach.word[i] = from_there;
        contact.exposed.word[i] = on.word[i] & ~buried_there & from_here;
    }
    return contact;
}

/* How many squares of sets lie on each rank: 0 to 3, where 3 is three or more. The first and the second binary digits of
   all ranks lie side by side. */
typedef struct {
    both_t low, high;
} tally_t;

static inline void count_ranks(tally_t *tally, both_t squares)
{
    both_t carry = tally->low & squares;
    tally->low = (tally->low ^ squares) | (tally->high & carry);
    tally->high |= carry;
}

/* Seven or thirteen bits, as digits of four bits each. */
static inline uint64_t spread(const env_t *env, uint64_t bits)
{
    uint64_t digits = env->spread[bits & 127];
    return env->height > 7 ? digits | env->spread[bits >> 7] << 28 : digits;
}

/* For each rank, the lowest first, a digit of four bits: 4 * reached + exposed. */
static inline uint64_t digits_of(const env_t *env, const tally_t *reach, const tally_t *exposed, int side)
{
    return spread(env, reach->high[side]) << 3 | spread(env, reach->low[side]) << 2 | spread(env, exposed->high[side]) << 1
           | spread(env, exposed->low[side]);
}

static int game_evaluate(const env_t *env, const board_t *board)
{
    int side = board->side, other = 1 - side;
    contact_t contact = contact_of(env, board);
    sets_t reach = contact.reach, exposed = contact.exposed;
    tally_t reach_tally = {{0}, {0}}, exposed_tally = {{0}, {0}};
    const uint8_t *lack[2] = {board->lack[0], board->lack[1]};
    const int16_t(*value[2])[16] = {env->reach_value[side], env->reach_value[other]}; /* p1's is mine if p1 is to move */
    int sum = env->globals[0] + board->sums[side];
    both_t first_file = {env->file_mask, env->file_mask};
    for (int file = 0; file < env->width; file++) {
        both_t reached = reach.word[0] & first_file, attacked = exposed.word[0] & first_file;
        reach = sets_down(reach, env->height);
        exposed = sets_down(exposed, env->height);
        count_ranks(&reach_tally, reached);
        count_ranks(&exposed_tally, attacked);
        sum += value[0][lack[0][file]][4 * env->three[reached[0]] + env->three[attacked[0]]]
               + value[1][lack[1][file]][4 * env->three[reached[1]] + env->three[attacked[1]]];
    }
    uint64_t first = digits_of(env, &reach_tally, &exposed_tally, 0), second = digits_of(env, &reach_tally, &exposed_tally, 1);
    for (int line = env->width; line < env->lines; line++, first >>= 4, second >>= 4)
        sum += value[0][lack[0][line]][first & 15] + value[1][lack[1][line]][second & 15];
    sum += env->globals[1] * set_count(set_of(&contact.reach, side)) + env->globals[2] * set_count(set_of(&contact.reach, other));
    sum += env->globals[3] * set_count(board->on[side]) + env->globals[4] * set_count(board->on[other]);
    int expected = sum / UNIT;
    return expected > 15000 ? 15000 : expected < -15000 ? -15000 : expected;
}

/* The constants of the search, found by matches at equal nodes. */

enum { HISTORY_SIDE = WORDS == 3 ? MOST_SQUARES : 64 * WORDS, HISTORY_SIZE = HISTORY_SIDE * HISTORY_SIDE, MOVE_SLOTS = 2 };
enum { FUTILITY = 60, LATE_MOVES = 4, FORCING_PLIES = 1, FORCING_TRIES = 24, NULL_MOVE = 1 };
enum { KILLER_BONUS = 60, HISTORY_WEIGHT = 24 };
#define BEYOND 100
#define BEYOND_DEPTH 3
#define WINS_BY_FORCING 1
#define LATE_DEPTH 5
#define FUTILE_DEPTH 4
#define REDUCTION_BASE 0.6
#define REDUCTION_SLOPE 0.5

static inline unsigned move_slot(move_t move, int number)
{
    unsigned from = move & 255;
    /* A placement shares the entries of turns from a1. There is only one in a game. */
    return (from == NO_SQUARE ? 0 : from * HISTORY_SIDE) + (move >> (8 + 8 * number) & 255);
}

#include "search.h"

/* Setting up. */

enum { ROOT_WORDS = 13 }; /* exposed and buried stones of p1, then of p2, three words each; then the side to move */

static void line_tables(env_t *env)
{
    /* Lines of equal size and equal distance from the edge share a table. */
    int made = 0;
    struct {
        int need, edge;
        line_t *table;
    } known[MOST_LINES];
    free(env->tables);
    env->tables = NULL;
    int kinds = 0, kind_of[MOST_LINES];
    for (int line = 0; line < env->lines; line++) {
        int length = line < env->width ? env->width : env->height, at = line < env->width ? line : line - env->width;
        int edge = at < length - 1 - at ? at : length - 1 - at, kind = 0;
        if (edge >= EDGES)
            edge = EDGES - 1;
        while (kind < kinds && (known[kind].need != env->need[line] || known[kind].edge != edge))
            kind++;
        if (kind == kinds) {
            known[kind].need = env->need[line];
            known[kinds++].edge = edge;
        }
        kind_of[line] = kind;
        env->edge[line] = edge;
    }
    env->tables = calloc((size_t)kinds * 65536, sizeof(line_t));
    if (!env->tables)
        return;
    for (; made < kinds; made++) {
        line_t *table = known[made].table = env->tables + (size_t)made * 65536;
        int need = known[made].need;
        for (unsigned counts = 0; need != NO_NEED && counts < 65536; counts++)
            for (int side = 0; side < 2; side++) {
                int weight = line_weight(known[made].edge, lack_of(need, held(counts, side)),
                                         bounded((int)(counts >> (8 * side + 4) & 15), 3),
                                         lack_of(need, held(counts, 1 - side)),
                                         bounded((int)(counts >> (8 * (1 - side) + 4) & 15), 3));
                table[counts][side] = env->weights[weight];
                table[counts][GUESS + side] = env->weights[ORDER + weight];
            }
    }
    for (int line = 0; line < env->lines; line++)
        env->values[line] = known[kind_of[line]].table;
    for (int whose = 0; whose < 2; whose++)
        memcpy(env->reach_value[whose], env->weights + LINE_WEIGHTS + whose * LACKS * 16, sizeof(int16_t) * LACKS * 16);
    memcpy(env->globals, env->weights + LINE_WEIGHTS + REACH_WEIGHTS, sizeof env->globals);
}

/* `settings`: width, height, supply (0 is none), then three words with the playable squares. */
static int game_setup(env_t *env, const int64_t *settings)
{
    static const int files[8] = {1, 2, 2, 1, -1, -2, -2, -1}, ranks[8] = {2, 1, -1, -2, -2, -1, 1, 2};
    env->width = (int)settings[0];
    env->height = (int)settings[1];
    env->supply = (int)settings[2];
    env->squares = env->width * env->height;
    env->lines = env->width + env->height;
    if (env->width > MOST_SIDE || env->height > MOST_SIDE || env->squares > 64 * WORDS)
        return 0;
    for (int word = 0; word < WORDS; word++)
        env->playable.word[word] = (uint64_t)settings[3 + word];
    uint64_t state = 1912;
    for (int square = 0; square < env->squares; square++) {
        int file = square / env->height, rank = square % env->height;
        env->line_of[square][0] = (uint8_t)file;
        env->line_of[square][1] = (uint8_t)(env->width + rank);
        env->lines_of[square] = 1u << file | 1u << (env->width + rank);
        for (int kind = 0; kind < 4; kind++)
            env->key[kind & 1][kind >> 1][square] = random_next(&state);
        if (!set_has(&env->playable, square))
            continue;
        for (int ranks_away = 1; ranks_away <= 2; ranks_away++) {
            if (rank + ranks_away < env->height)
                set_flip(&env->below_top[ranks_away - 1], square);
            if (rank >= ranks_away)
                set_flip(&env->above_bottom[ranks_away - 1], square);
        }
        for (int axis = 0; axis < 2; axis++) {
            set_flip(&env->line[env->line_of[square][axis]], square);
            env->size[env->line_of[square][axis]]++;
        }
        for (int leap = 0; leap < 8; leap++) {
            int to_file = file + files[leap], to_rank = rank + ranks[leap], to = to_file * env->height + to_rank;
            if (to_file < 0 || to_file >= env->width || to_rank < 0 || to_rank >= env->height
                || !set_has(&env->playable, to))
                continue;
            set_flip(&env->knight[square], to);
        }
    }
    env->key_side = random_next(&state);
    env->all_lines = (1u << env->lines) - 1;
    for (int line = 0; line < env->lines; line++)
        /* A line without squares cannot be won. */
        env->need[line] = env->size[line] ? (env->size[line] + 1) / 2 : NO_NEED;
    for (int line = 0; line < env->lines; line++)
        env->to_full[line] = (unsigned)(128 - env->need[line]) * 0x0101;
    for (int line = 0; line < env->lines; line++)
        for (int count = 0; count < 16; count++)
            env->lack[line][count] = (uint8_t)(env->size[line] ? lack_of(env->need[line], count) : LACKS);
    for (unsigned bits = 0; bits < 128; bits++)
        for (int bit = 0; bit < 7; bit++)
            env->spread[bits] |= (uint64_t)(bits >> bit & 1) << 4 * bit;
    env->file_mask = ((uint64_t)1 << env->height) - 1;
    for (unsigned bits = 0; bits <= env->file_mask; bits++)
        env->three[bits] = (uint8_t)bounded(__builtin_popcount(bits), 3);
    memcpy(env->weights, default_weights(env), sizeof env->weights);
    line_tables(env);
    return env->tables != NULL;
}

static void game_root(const env_t *env, const uint64_t *words, board_t *board)
{
    memset(board, 0, sizeof *board);
    board->side = (uint8_t)words[12];
    for (int line = 0; line < env->lines; line++) {
        board->sums += __builtin_convertvector(env->values[line][0], sums_t);
        board->lack[0][line] = board->lack[1][line] = env->lack[line][0];
    }
    board->key = board->side ? env->key_side : 0;
    for (int side = 0; side < 2; side++)
        for (int word = 0; word < WORDS; word++) {
            board->on[side].word[word] = words[side * 6 + word];
            board->under[side].word[word] = words[side * 6 + 3 + word];
        }
    for (int side = 0; side < 2; side++) {
        int square;
        EACH_SQUARE(square, board->on[side]) {
            board->key ^= env->key[side][0][square];
            change_lines(env, board, square, set_has(&board->under[1 - side], square) ? STACK(side) : SINGLE(side));
        }
        EACH_SQUARE(square, board->under[side])
            board->key ^= env->key[side][1][square];
    }
    judge(env, board);
}

static void game_words(const env_t *env, const board_t *board, uint64_t *words)
{
    (void)env;
    memset(words, 0, sizeof(uint64_t) * ROOT_WORDS);
    for (int side = 0; side < 2; side++)
        for (int word = 0; word < WORDS; word++) {
            words[side * 6 + word] = board->on[side].word[word];
            words[side * 6 + 3 + word] = board->under[side].word[word];
        }
    words[12] = board->side;
}

static void game_close(env_t *env)
{
    free(env->tables);
}

static const int16_t *default_weights(const env_t *env)
{
    int side = env->width > env->height ? env->width : env->height;
    if (side <= 7)
        return learned_weights[0];
    if (side > 9)
        return learned_weights[3];
    /* On a line with holes fewer squares are enough, so squares have another worth. */
    return learned_weights[set_count(env->playable) < env->squares ? 2 : 1];
}

#define GAME_FEATURES

static int game_reweigh(env_t *env)
{
    line_tables(env);
    return env->tables != NULL;
}

/* An evaluation of another kind, which nobody has tuned: what each side lacks on each line, and what it can reach. */
static void game_plain(const env_t *env, int16_t *weights)
{
    static const int by_lack[LACKS] = {90, 75, 60, 34, 16, 7, 3, 1, 0};
    (void)env;
    for (int edge = 0; edge < EDGES; edge++)
        for (int mine = 0; mine < LACKS; mine++)
            for (int safe = 0; safe < 4; safe++)
                for (int theirs = 0; theirs < LACKS; theirs++)
                    for (int unsafe = 0; unsafe < 4; unsafe++) {
                        int line = line_weight(edge, mine, safe, theirs, unsafe);
                        int value = UNIT * (by_lack[mine] + 5 * safe - by_lack[theirs] - 5 * unsafe);
                        weights[line] = weights[ORDER + line] = (int16_t)value;
                    }
    for (int lack = 0; lack < LACKS; lack++)
        for (int reach = 0; reach < 4; reach++)
            for (int exposed = 0; exposed < 4; exposed++) {
                int value = UNIT * by_lack[lack] * (reach - exposed) / 8, place = (lack * 4 + reach) * 4 + exposed;
                weights[LINE_WEIGHTS + place] = (int16_t)value;
                weights[LINE_WEIGHTS + LACKS * 16 + place] = (int16_t)-value;
            }
    weights[LINE_WEIGHTS + REACH_WEIGHTS] = 10 * UNIT;
}

/* The weight of the guess for what a weight of the evaluation stands for; -1 if the guess does not look at it. */
static int game_guess(int weight)
{
    int constant = LINE_WEIGHTS + REACH_WEIGHTS;
    return weight < LINE_WEIGHTS ? ORDER + weight : weight == constant ? constant + GLOBALS - 1 : -1;
}

static int game_features(const env_t *env, const board_t *board, int32_t *pairs, int64_t room)
{
    int side = board->side, other = 1 - side, count = 0;
    contact_t contact = contact_of(env, board);
#define FEATURE(weight, times) \
    (count < room ? pairs[2 * count] = (weight), pairs[2 * count + 1] = (times) : 0, count++)
    for (int line = 0; line < env->lines; line++) {
        unsigned counts = board->counts[line];
        int need = env->need[line];
        if (!env->size[line])
            continue;
        FEATURE(line_weight(env->edge[line], lack_of(need, held(counts, side)),
                            bounded((int)(counts >> (8 * side + 4) & 15), 3), lack_of(need, held(counts, other)),
                            bounded((int)(counts >> (8 * other + 4) & 15), 3)),
                1);
        for (int whose = 0; whose < 2; whose++) {
            int colour = whose ? other : side;
            int reach = bounded(set_count(set_and(set_of(&contact.reach, colour), env->line[line])), 3);
            int exposed = bounded(set_count(set_and(set_of(&contact.exposed, colour), env->line[line])), 3);
            FEATURE(LINE_WEIGHTS + ((whose * LACKS + lack_of(need, held(counts, colour))) * 4 + reach) * 4 + exposed, 1);
        }
    }
    int first = LINE_WEIGHTS + REACH_WEIGHTS;
    FEATURE(first, 1);
    FEATURE(first + 1, set_count(set_of(&contact.reach, side)));
    FEATURE(first + 2, set_count(set_of(&contact.reach, other)));
    FEATURE(first + 3, set_count(board->on[side]));
    FEATURE(first + 4, set_count(board->on[other]));
#undef FEATURE
    return count;
}

#include "kernel.h"
