/* Callanish for the search: positions as sets of bits, turns with their scores, and the evaluation.

   Compiled once for each number of 64-bit words that a set of squares needs (WORDS: 1 for 7x7, 2 for 9x9 and 11x11, 3
   for 13x13). Bits are numbered file by file from a1 upwards, as in the rules in Python, which the tests compare with
   these. A line is a file or a rank. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __aarch64__
#include <arm_neon.h>
#endif

#include "table.h"

#define ENGINE stornoway
#ifndef WORDS
#define WORDS 1
#endif

enum { MOST_SIDE = 13, MOST_SQUARES = 169, MOST_LINES = 2 * MOST_SIDE, LINE_ROOM = 32 };
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

/* What a side lacks on a line is here at most as much as on an empty line of 13 squares, for which no weight is
   learned: it has the weights of one less. A line without squares has no weight. */
enum { MOST_LACK = (MOST_SIDE + 1) / 2 + LACK_ZERO, NO_LACK = MOST_LACK + 1 };
_Static_assert((int)MOST_LACK == (int)LACKS, "only an empty line of 13 squares has no weights of its own");

/* How many stones of which kind a line has: four digits of four bits. For each colour first the single stones, then
   those on top of another. */
typedef uint16_t counts_t;

/* What a line is worth: for p1 to move, for p2 to move; then the same two as a guess for the order of turns. */
typedef int16_t line_t __attribute__((vector_size(8)));
typedef int32_t sums_t __attribute__((vector_size(16)));
enum { GUESS = 2, COUNTS = 1 << 16 };

/* What the guess gains, for one side, from what a turn does to a line: it adds a stone, covers one of the opponent's,
   leaves a square, uncovers a stone of the opponent's. Then what two additions gain beyond what each gains, if none of
   them covers a stone, one does, both do. Last a place for LINE_FORCES, if two additions complete the line. */
typedef int16_t gains_t __attribute__((vector_size(16)));
enum { ADDS, COVERS, LEAVES, UNCOVERS, TOGETHER, FORCES = 7, LINE_FORCES = INT16_MIN };
enum { MOST_GAIN = INT16_MAX / 5 }; /* both lines of two targets, and what they gain together, are added in 16 bits */

typedef uint8_t bytes_t __attribute__((vector_size(16)));
typedef uint32_t moves_t __attribute__((vector_size(16)));
typedef uint64_t both_t __attribute__((vector_size(16)));
typedef uint16_t shorts_t __attribute__((vector_size(16)));
typedef int8_t levels_t __attribute__((vector_size(16), may_alias));

/* A stone has up to eight targets, from the lowest square to the highest; those that are free are a mask of eight bits,
   and are numbered anew without gaps. The turns of a stone are listed by their first target, then by their second. */
enum { TARGETS = 8, MASKS = 1 << TARGETS, ROUNDS = 4 };

/* How eight turns are put together from the free targets, as `shuffled` takes it. */
typedef struct {
    bytes_t first, second;     /* their gains, two bytes each */
    bytes_t moves[2], flag[2]; /* four turns each: both targets with the first one's flag; the second one's flag */
} round_t;

/* A mask of free targets: what brings them together, in the first half their squares, in the other their flags; and
   which of the next eight turns has both targets on one line, by the PAIRS of them. */
typedef struct {
    bytes_t order, shared[ROUNDS];
} mask_t;

/* The targets of a stone that lie on one line: on a file, for the four files from the lowest, then on a rank. */
enum { PAIRS = 8 };
static const uint8_t pairs[PAIRS][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {2, 4}, {0, 6}, {1, 7}, {3, 5}};

/* A set of squares in another form: the ranks of each file as bits. */
typedef struct {
    shorts_t half[2]; /* eight files each */
} rows_t;

typedef struct {
    const table_t *table; /* where the entry of the next position is fetched ahead */
    int width, height, squares, lines, supply;
    set_t playable;
    set_t knight[MOST_SQUARES];
    set_t below_top[2], above_bottom[2]; /* the squares with one more rank above or below them, and with two */
    uint8_t targets[MOST_SQUARES][TARGETS]; /* ascending; NO_SQUARE where there are fewer */
    mask_t masks[MASKS];
    /* By the number of free targets: how their turns are put together, and which of these, as bits, have a target. */
    round_t rounds[TARGETS + 1][ROUNDS];
    uint32_t with[TARGETS + 1][TARGETS];
    uint8_t line_of[MOST_SQUARES][2];
    int need[MOST_LINES], size[MOST_LINES], edge[MOST_LINES];
    set_t line[MOST_LINES];
    uint64_t key[2][2][MOST_SQUARES]; /* colour, buried, square */
    uint64_t key_side;
    const line_t *values[MOST_LINES];     /* by counts_t */
    const gains_t *gains[2][MOST_LINES];  /* by the side to move and counts_t */
    uint32_t lines_of[MOST_SQUARES];  /* its two lines as bits */
    uint32_t lines_near[MOST_SQUARES]; /* the lines where its targets are */
    uint32_t all_lines;
    int16_t reach_value[2][NO_LACK + 1][16]; /* mine or the opponent's; lack; 4 * reach + exposed to a cover */
    /* What a side without stones lacks; NO_LACK on a line without squares. */
    int8_t lack[LINE_ROOM] __attribute__((aligned(16)));
    /* What takes four files at once out of the bytes of a set: their bytes, and how far they are brought up and then
       down again. */
    bytes_t file_bytes[4];
    moves_t file_up[4];
    int file_down, second_word; /* the word where the second eight files begin, or one before */
    rows_t squares_of_files;
    int16_t globals[GLOBALS];
    line_t *tables;
    gains_t *gain_tables;
    int16_t weights[WEIGHTS];
} env_t;

typedef struct {
    set_t on[2], under[2]; /* exposed stones, and buried ones; colour 0 is p1 */
    sums_t sums;           /* of all lines */
    counts_t counts[LINE_ROOM];
    uint64_t key;
    uint8_t side, outcome;
    /* From here on all is found from what is above: what each side lacks on each line, and who holds a whole one, as
       bits. */
    uint8_t full;
    uint8_t lack[2][LINE_ROOM] __attribute__((aligned(16)));
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
    return board->full >> side & 1;
}

#define SINGLE(side) (1 << 8 * (side))
#define STACK(side) (16 << 8 * (side))

static inline sums_t widened(line_t line)
{
#if defined(__SSE4_1__) && !defined(__clang__)
    /* One instruction, of which GCC makes four by itself. */
    typedef short whole_t __attribute__((vector_size(16)));
    return (sums_t)__builtin_ia32_pmovsxwd128((whole_t)(both_t){(uint64_t)line, 0});
#else
    return __builtin_convertvector(line, sums_t);
#endif
}

static inline void change_line(const env_t *env, board_t *board, int line, int change)
{
    unsigned before = board->counts[line], after = (counts_t)((int)before + change);
    const line_t *values = env->values[line];
    board->counts[line] = (counts_t)after;
    board->sums += widened(values[after]) - widened(values[before]);
}

/* Puts a stone on a square, or takes it away. `covers` is whether one of the other side's lies or lay below it. */
static inline void change_square(const env_t *env, board_t *board, int side, int square, int covers, int change)
{
    int other = 1 - side, word = WORDS == 1 ? 0 : square >> 6;
    uint64_t below = (uint64_t)covers << (square & 63);
    set_flip(&board->on[side], square);
    board->on[other].word[word] ^= below;
    board->under[other].word[word] ^= below;
    change_line(env, board, env->line_of[square][0], change);
    change_line(env, board, env->line_of[square][1], change);
}

static inline void add_stone(const env_t *env, board_t *board, int side, int square, int covers)
{
    change_square(env, board, side, square, covers, covers ? STACK(side) - SINGLE(1 - side) : SINGLE(side));
}

static inline void take_stone(const env_t *env, board_t *board, int side, int square, int covers)
{
    change_square(env, board, side, square, covers, covers ? SINGLE(1 - side) - STACK(side) : -SINGLE(side));
}

/* Vectors. */

/* The bytes of `from` with the numbers in `which`, and 0 where that is above 127. */
static inline bytes_t shuffled(bytes_t from, bytes_t which)
{
#ifdef __SSSE3__
    typedef char chars_t __attribute__((vector_size(16)));
    return (bytes_t)__builtin_ia32_pshufb128((chars_t)from, (chars_t)which);
#elif defined(__aarch64__)
    return (bytes_t)vqtbl1q_u8((uint8x16_t)from, (uint8x16_t)(which & 0x8F));
#else
    bytes_t found;
    for (int lane = 0; lane < 16; lane++)
        found[lane] = which[lane] > 127 ? 0 : from[which[lane] & 15];
    return found;
#endif
}

/* The high bits of all bytes. */
static inline uint32_t high_bits(bytes_t bytes)
{
#ifdef __SSE2__
    typedef char chars_t __attribute__((vector_size(16)));
    return (uint32_t)__builtin_ia32_pmovmskb128((chars_t)bytes);
#else
    both_t ends = (both_t)bytes & 0x8080808080808080;
    /* The product brings the high bits of eight bytes side by side. */
    return (uint32_t)(ends[0] * 0x0002040810204081 >> 56 | ends[1] * 0x0002040810204081 >> 56 << 8);
#endif
}

/* Chosen lanes of two vectors. */
#ifdef __clang__
#define CHOSEN(lanes, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define CHOSEN(lanes, a, b, ...) __builtin_shuffle(a, b, (lanes){__VA_ARGS__})
#endif
/* The lanes of two vectors in turn: those of their first halves, or those of their second halves. */
#define FIRST_HALVES(a, b) CHOSEN(sums_t, (sums_t)(a), (sums_t)(b), 0, 4, 1, 5)
#define SECOND_HALVES(a, b) CHOSEN(sums_t, (sums_t)(a), (sums_t)(b), 2, 6, 3, 7)
#define FIRST_SHORTS(a, b) ((sums_t)CHOSEN(gains_t, a, b, 0, 8, 1, 9, 2, 10, 3, 11))
#define SECOND_SHORTS(a, b) ((sums_t)CHOSEN(gains_t, a, b, 4, 12, 5, 13, 6, 14, 7, 15))
#define FIRST_QUADS(a, b) ((shorts_t)CHOSEN(both_t, (both_t)(a), (both_t)(b), 0, 2))
#define SECOND_QUADS(a, b) ((shorts_t)CHOSEN(both_t, (both_t)(a), (both_t)(b), 1, 3))
#define EVEN_PAIRS(a, b) ((shorts_t)CHOSEN(sums_t, (sums_t)(a), (sums_t)(b), 0, 2, 4, 6))
#define ODD_PAIRS(a, b) ((shorts_t)CHOSEN(sums_t, (sums_t)(a), (sums_t)(b), 1, 3, 5, 7))
#define LOW_SHORTS(a, b) CHOSEN(shorts_t, (shorts_t)(a), (shorts_t)(b), 0, 2, 4, 6, 8, 10, 12, 14)
/* Eight files in a row of sixteen, one or two before the second eight, or after the first. */
#define FILES_UP_1(a, b) CHOSEN(shorts_t, a, b, 7, 8, 9, 10, 11, 12, 13, 14)
#define FILES_UP_2(a, b) CHOSEN(shorts_t, a, b, 6, 7, 8, 9, 10, 11, 12, 13)
#define FILES_DOWN_1(a, b) CHOSEN(shorts_t, a, b, 1, 2, 3, 4, 5, 6, 7, 8)
#define FILES_DOWN_2(a, b) CHOSEN(shorts_t, a, b, 2, 3, 4, 5, 6, 7, 8, 9)
#define LOW_BYTES(a, b)                                                                                                \
    CHOSEN(bytes_t, (bytes_t)(a), (bytes_t)(b), 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)

/* Turns. */

static inline int has_turn(const env_t *env, const board_t *board, int side)
{
    set_t stones = set_or(board->on[side], board->under[side]);
    if (env->supply && set_count(stones) >= env->supply)
        return 0;
    int square;
    EACH_SQUARE(square, board->on[side])
        if (set_count(set_less(env->knight[square], stones)) >= 2)
            return 1;
    return !set_any(stones) && set_any(set_less(env->playable, board->on[1 - side]));
}

static inline void judge(const env_t *env, board_t *board)
{
    board->outcome = full(board, board->side) ? 1 : has_turn(env, board, board->side) ? 0 : 2;
}

/* What the board knows of its lines from their counts. Eight counts are a vector. */
static inline void survey(const env_t *env, board_t *board)
{
    levels_t full[2] = {{0}};
    for (int line = 0; line < env->lines; line += 16) {
        shorts_t held[2];
        memcpy(held, board->counts + line, sizeof held);
        for (int half = 0; half < 2; half++)
            held[half] = (held[half] & 0x0F0F) + (held[half] >> 4 & 0x0F0F);
        for (int side = 0; side < 2; side++) {
            levels_t lack = *(const levels_t *)(env->lack + line);
            lack -= (levels_t)LOW_BYTES(held[0] >> 8 * side, held[1] >> 8 * side);
            lack &= lack > 0;
            *(levels_t *)(board->lack[side] + line) = lack;
            full[side] |= lack <= LACK_ZERO;
        }
    }
    board->full = (uint8_t)((high_bits((bytes_t)full[0]) != 0) | (high_bits((bytes_t)full[1]) != 0) << 1);
}

/* The key after a stone was added or taken away, which lies on another or not. */
static inline uint64_t flipped(const env_t *env, int side, int square, int covers)
{
    /* The other one is buried or uncovered with it. */
    uint64_t both = env->key[1 - side][0][square] ^ env->key[1 - side][1][square];
    return env->key[side][0][square] ^ (both & -(uint64_t)covers);
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
    int first_covers = set_has(&board->on[other], first), second_covers = set_has(&board->on[other], second);
    uint64_t key = board->key ^ env->key_side ^ flipped(env, side, first, first_covers);
    int from_covers = 0;
    if (from != NO_SQUARE) {
        from_covers = set_has(&board->under[other], from);
        key ^= flipped(env, side, from, from_covers) ^ flipped(env, side, second, second_covers);
    }
    __builtin_prefetch(table_bucket(env->table, key));
    memcpy(next, board, offsetof(board_t, full));
    next->key = key;
    next->side = (uint8_t)other;
    if (from != NO_SQUARE) {
        take_stone(env, next, side, from, from_covers);
        add_stone(env, next, side, second, second_covers);
    }
    add_stone(env, next, side, first, first_covers);
    survey(env, next);
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

enum { LINE_0 = 2 };
enum { MOST_BROKEN = 4 }; /* both targets together lie on so many lines */

/* What the turns of a position have in common: what each target and each line adds to their score. */
typedef struct {
    const env_t *env;
    const board_t *board;
    scored_t *moves;
    int count, kind;
    set_t stones; /* of the side to move */
    int base;     /* the score if nothing changes */
    /* The opponent's complete lines, and on how many squares of each a turn has to cover a stone. */
    int broken, broken_line[MOST_BROKEN], covered[MOST_BROKEN];
    uint32_t lack_one, lack_two; /* lines that one addition would complete, lines that two would */
    uint32_t buried_one;         /* lines that one addition of the opponent would complete */
    gains_t line[2 + MOST_LINES + 2]; /* from LINE_0 on; what lies before and after is never used for a turn */
    int16_t gain[SQUARE_NUMBERS];
    uint8_t flags[SQUARE_NUMBERS]; /* 0 for a square that is no free target */
} list_t;

/* The bits of a target's flags. From BREAKS_BIT on: whether it covers a stone on each of the broken lines. FORCES_BIT
   is where a move has MOVE_FORCING. */
enum { FREE_BIT, COVERS_BIT, BREAKS_BIT, FORCES_BIT = 7 };

/* Weighs targets, of which all cover a stone or none does. */
static inline void weigh_targets(list_t *list, set_t targets, int covers)
{
    int square;
    EACH_SQUARE(square, targets) {
        const uint8_t *lines = list->env->line_of[square];
        list->gain[square] = (int16_t)(list->line[LINE_0 + lines[0]][ADDS + covers]
                                       + list->line[LINE_0 + lines[1]][ADDS + covers]);
        list->flags[square] = (uint8_t)(1 << FREE_BIT | covers << COVERS_BIT);
    }
}

static inline void flag_targets(list_t *list, set_t targets, int bit)
{
    int square;
    EACH_SQUARE(square, targets)
        list->flags[square] |= (uint8_t)(1 << bit);
}

/* The targets, as bits, whose flags have this bit. */
static inline unsigned flagged(uint64_t flags, int bit)
{
    return (unsigned)((flags >> bit & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

/* The turns, as bits, that have at least so many of these targets. */
static inline uint32_t turns_with(const env_t *env, unsigned free, unsigned targets, int least)
{
    const uint32_t *with = env->with[__builtin_popcount(free)];
    uint32_t one = 0, both = 0;
    for (; targets; targets &= targets - 1) {
        uint32_t these = with[__builtin_popcount(free & ((targets & -targets) - 1))];
        both |= one & these;
        one |= these;
    }
    return least == 1 ? one : both;
}

/* The turns of a stone, as bits, that break all complete lines of the opponent. */
static inline uint32_t turns_breaking(const list_t *list, unsigned free, uint64_t flags)
{
    uint32_t breaking = UINT32_MAX;
    for (int number = 0; number < list->broken; number++)
        breaking &= turns_with(list->env, free, flagged(flags, BREAKS_BIT + number), list->covered[number]);
    return breaking;
}

/* All turns of one stone, eight at a time. What is written after the last one is no turn; no list is so long that there
   would be no room for it. */
static inline int list_each(list_t *list, int square, int start, unsigned free, uint64_t flags)
{
    const env_t *env = list->env;
    const uint8_t *targets = env->targets[square];
    int found = __builtin_popcount(free), count = found * (found - 1) / 2;
    scored_t *turns = list->moves + list->count;
    uint64_t squares;
    memcpy(&squares, targets, sizeof squares);
    both_t known = {squares, flags & 0x0101010101010101 << FORCES_BIT};
#define GAIN(number) list->gain[targets[number]]
    gains_t gains = {GAIN(0), GAIN(1), GAIN(2), GAIN(3), GAIN(4), GAIN(5), GAIN(6), GAIN(7)};
    /* How many of the targets on a line cover a stone. */
    uint64_t covers = flags >> COVERS_BIT & 0x0101010101010101;
    uint64_t on_file = covers + (covers >> 8), on_rank = covers + (covers >> 16), far_on_rank = covers + (covers >> 48);
    const gains_t *file = list->line + LINE_0 + env->line_of[square][0];
    const gains_t *rank = list->line + LINE_0 + env->line_of[square][1];
#define PAIR(line, sums, number) (line)[TOGETHER + ((sums) >> 8 * (number) & 3)]
    gains_t together = {PAIR(file[-2], on_file, 0), PAIR(file[-1], on_file, 2), PAIR(file[1], on_file, 4),
                        PAIR(file[2], on_file, 6), PAIR(rank[-2], on_rank, 2), PAIR(rank[-1], far_on_rank, 0),
                        PAIR(rank[1], far_on_rank, 1), PAIR(rank[2], on_rank, 3)};
    gains_t force = {file[-2][FORCES], file[-1][FORCES], file[1][FORCES], file[2][FORCES],
                     rank[-2][FORCES], rank[-1][FORCES], rank[1][FORCES], rank[2][FORCES]};
#undef GAIN
#undef PAIR
    const mask_t *mask = env->masks + free;
    bytes_t order = mask->order, twice = CHOSEN(bytes_t, order, order, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    bytes_t packed = shuffled((bytes_t)known, order);
    bytes_t gained = shuffled((bytes_t)gains, twice + twice + (bytes_t)((gains_t){0} + 256));
    moves_t from = (moves_t){0} + (uint32_t)square;
    for (int number = 0; number < count; number += 8) {
        const round_t *round = env->rounds[found] + number / 8;
        bytes_t shared = mask->shared[number / 8];
        gains_t both = (gains_t)shuffled(gained, round->first) + (gains_t)shuffled(gained, round->second)
                       + (gains_t)shuffled((bytes_t)together, shared);
        gains_t forces = (gains_t)shuffled((bytes_t)force, shared), zero = {0};
        for (int half = 0; half < 2; half++) {
            /* In the high half of 32 bits: so the sign comes with a gain, and LINE_FORCES becomes MOVE_FORCING. */
            sums_t gain = half ? SECOND_SHORTS(zero, both) : FIRST_SHORTS(zero, both);
            moves_t forcing = (moves_t)(half ? SECOND_SHORTS(zero, forces) : FIRST_SHORTS(zero, forces));
            sums_t score = ((gain >> 16) + start) / UNIT;
            moves_t move = (moves_t)(shuffled(packed, round->moves[half]) | shuffled(packed, round->flag[half]));
            move |= forcing | from;
            sums_t halves[2] = {FIRST_HALVES(move, score), SECOND_HALVES(move, score)};
            memcpy(turns + number + 4 * half, halves, sizeof halves);
        }
    }
    return count;
}

/* The turns of one stone, whose targets are weighed already. `some` is whether not all are wanted: a constant where
   this is called. */
static inline __attribute__((always_inline)) void list_turns(list_t *list, int square, int some)
{
    const env_t *env = list->env;
    int covered = set_has(&list->board->under[1 - list->board->side], square);
    if (covered && list->kind != GENERATE_ALL && env->lines_of[square] & list->buried_one)
        return; /* The stone below would complete a line, and no target of this stone lies on it. */
    const uint8_t *targets = env->targets[square];
    uint64_t flags = 0;
    for (int number = 0; number < TARGETS; number++)
        flags |= (uint64_t)list->flags[targets[number]] << 8 * number;
    unsigned free = flagged(flags, FREE_BIT);
    if (!(free & (free - 1)))
        return;
    uint32_t wanted = UINT32_MAX;
    int forcing = list->kind == GENERATE_FORCING;
    if (some && !(wanted = turns_breaking(list, free, flags)))
        return;
    if (some && forcing && !flagged(flags, FORCES_BIT) && !(env->lines_near[square] & list->lack_two))
        return;
    int start = list->base + list->line[LINE_0 + env->line_of[square][0]][LEAVES + covered]
                + list->line[LINE_0 + env->line_of[square][1]][LEAVES + covered];
    int count = list_each(list, square, start, free, flags);
    if (!some) {
        list->count += count;
        return;
    }
    scored_t *next = list->moves + list->count;
    const scored_t *turns = next;
    wanted &= (1u << count) - 1;
    for (; wanted; wanted &= wanted - 1) {
        scored_t turn = turns[__builtin_ctz(wanted)];
        *next = turn;
        next += !forcing || turn.move >> 31;
    }
    list->count = (int)(next - list->moves);
}

/* The lines, as bits, where a side lacks no more than so much. */
static inline uint32_t lines_lacking(const env_t *env, const board_t *board, int side, int most)
{
    uint32_t found = 0;
    for (int line = 0; line < env->lines; line += 16) {
        levels_t lack = *(const levels_t *)(board->lack[side] + line);
        found |= high_bits((bytes_t)(lack <= (int8_t)(LACK_ZERO + most))) << line;
    }
    return found & env->all_lines;
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
    list.broken = 0;
    list.lack_one = lines_lacking(env, board, side, 1);
    list.lack_two = lines_lacking(env, board, side, 2);
    list.buried_one = lines_lacking(env, board, other, 1);
    /* Most positions have no line that a turn could complete. */
    if (kind == GENERATE_FORCING && !list.lack_two)
        return 0;
    for (int line = 0; line < env->lines; line++)
        list.line[LINE_0 + line] = env->gains[side][line][board->counts[line]];
    for (uint32_t lines = list.lack_two; lines; lines &= lines - 1)
        list.line[LINE_0 + __builtin_ctz(lines)][FORCES] = LINE_FORCES;
    memset(list.flags, 0, sizeof list.flags);
    if (!set_any(list.stones)) {
        /* A first stone covers nothing. */
        if (kind == GENERATE_FORCING || (kind == GENERATE_USEFUL && full(board, other)))
            return 0;
        set_t free = set_less(env->playable, board->on[other]);
        weigh_targets(&list, free, 0);
        EACH_SQUARE(square, free) {
            int score = (list.base + list.gain[square]) / UNIT;
            moves[list.count++] = (scored_t){NO_SQUARE | (uint32_t)square << 8 | (uint32_t)square << 16, score};
        }
        return list.count;
    }
    set_t stones = board->on[side], opposing = set_less(board->on[other], list.stones);
    if (kind != GENERATE_ALL && full(board, other)) {
        for (int line = 0; line < env->lines; line++) {
            int excess = held(board->counts[line], other) - env->need[line];
            if (excess < 0)
                continue;
            if (excess > 1 || list.broken == MOST_BROKEN)
                return 0; /* No turn covers more than two squares. */
            list.broken_line[list.broken] = line;
            list.covered[list.broken++] = excess + 1;
        }
        /* Only stones that can reach a stone on one of these lines. */
        stones = set_and(stones, leaps(env, set_and(env->line[list.broken_line[0]], opposing)));
    }
    set_t targets = set_less(leaps(env, stones), list.stones), covering = set_and(targets, opposing);
    weigh_targets(&list, set_less(targets, opposing), 0);
    weigh_targets(&list, covering, 1);
    for (int number = 0; number < list.broken; number++)
        flag_targets(&list, set_and(covering, env->line[list.broken_line[number]]), BREAKS_BIT + number);
    for (uint32_t lines = list.lack_one; lines; lines &= lines - 1)
        flag_targets(&list, set_and(targets, env->line[__builtin_ctz(lines)]), FORCES_BIT);
    if (kind == GENERATE_FORCING || list.broken)
        EACH_SQUARE(square, stones)
            list_turns(&list, square, 1);
    else
        EACH_SQUARE(square, stones)
            list_turns(&list, square, 0);
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

/* Most boards of one word have no more than eight files, so that half of the rows is empty. `halves` is how many are
   not: a constant where this is called. */
static inline __attribute__((always_inline)) rows_t rows_of(const env_t *env, const set_t *set, int halves)
{
    rows_t rows = {{{0}}};
    for (int half = 0; half < halves; half++) {
        int word = WORDS == 3 && half ? env->second_word : 0;
        bytes_t bytes = (bytes_t)(both_t){set->word[word], WORDS > 1 ? set->word[word + 1] : 0};
        moves_t files[2];
        for (int four = 0; four < 2; four++)
            files[four] = (moves_t)shuffled(bytes, env->file_bytes[2 * half + four]) * env->file_up[2 * half + four]
                          >> env->file_down;
        rows.half[half] = LOW_SHORTS(files[0], files[1]);
    }
    return rows;
}

typedef struct {
    rows_t reach[2], exposed[2];
} contact_t;

/* The squares that the stones of each side can go to, and the stones that the opponent can cover. */
static inline __attribute__((always_inline)) contact_t contact_of(const env_t *env, const board_t *board, int halves)
{
    contact_t contact = {0};
    rows_t on[2], under[2];
    for (int side = 0; side < 2; side++) {
        on[side] = rows_of(env, &board->on[side], halves);
        under[side] = rows_of(env, &board->under[side], halves);
        shorts_t one[2] = {{0}}, two[2] = {{0}}, none = {0};
        for (int half = 0; half < halves; half++) {
            shorts_t from = on[side].half[half];
            one[half] = from << 1 | from >> 1; /* one rank away, then two files */
            two[half] = from << 2 | from >> 2;
        }
        for (int half = 0; half < halves; half++) {
            shorts_t up = FILES_UP_1(half ? two[0] : none, two[half]) | FILES_UP_2(half ? one[0] : none, one[half]);
            shorts_t down =
                FILES_DOWN_1(two[half], half ? none : two[1]) | FILES_DOWN_2(one[half], half ? none : one[1]);
            contact.reach[side].half[half] =
                (up | down) & env->squares_of_files.half[half] & ~(on[side].half[half] | under[side].half[half]);
        }
    }
    for (int side = 0; side < 2; side++)
        for (int half = 0; half < halves; half++)
            contact.exposed[side].half[half] =
                on[side].half[half] & ~under[1 - side].half[half] & contact.reach[1 - side].half[half];
    return contact;
}

static inline __attribute__((always_inline)) int rows_count(const rows_t *rows, int halves)
{
    int count = 0;
    for (int half = 0; half < halves; half++) {
        both_t words = (both_t)rows->half[half];
        count += __builtin_popcountll(words[0]) + __builtin_popcountll(words[1]);
    }
    return count;
}

/* How many squares lie on each file, at most 3, times one or four. */
static inline shorts_t file_digits(shorts_t files, int times)
{
    static const bytes_t bits = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    static const bytes_t most = {0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    bytes_t counts = shuffled(bits, (bytes_t)(files & 0x0F0F)) + shuffled(bits, (bytes_t)(files >> 4 & 0x0F0F));
    shorts_t sums = ((shorts_t)counts & 255) + ((shorts_t)counts >> 8);
    return (shorts_t)shuffled(most * (uint8_t)times, (bytes_t)sums);
}

/* For each rank, as bits side by side, how many squares lie there: 0 to 3, where 3 is three or more. */
typedef struct {
    shorts_t low, high;
} tally_t;

static inline tally_t tally_sum(shorts_t low, shorts_t high, shorts_t other_low, shorts_t other_high)
{
    shorts_t carry = low & other_low, any_high = high | other_high;
    return (tally_t){(low ^ other_low) | (high & other_high) | (carry & any_high), any_high | carry};
}

/* Sums up the files of two sets, eight each, to four each. */
static inline tally_t tally_fours(tally_t first, tally_t second)
{
    return tally_sum(FIRST_QUADS(first.low, second.low), FIRST_QUADS(first.high, second.high),
                     SECOND_QUADS(first.low, second.low), SECOND_QUADS(first.high, second.high));
}

static inline tally_t tally_halves(const rows_t *rows)
{
    return (tally_t){rows->half[0] ^ rows->half[1], rows->half[0] & rows->half[1]};
}

/* For each rank a byte, 4 * reached + exposed. In the tally each side has 32 bits for what it reaches, p1 first, then
   each has 32 for what is exposed. */
static inline bytes_t rank_digits(const tally_t *tally, int side)
{
    static const bytes_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    static const bytes_t ranks = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    bytes_t reach = ranks + (uint8_t)(4 * side), exposed = reach + 8;
    bytes_t low = (bytes_t)tally->low, high = (bytes_t)tally->high;
#define DIGIT(bits, value) ((bytes_t)(((bits) & bit) == bit) & (value))
    return DIGIT(shuffled(high, reach), 8) | DIGIT(shuffled(low, reach), 4) | DIGIT(shuffled(high, exposed), 2)
           | DIGIT(shuffled(low, exposed), 1);
#undef DIGIT
}

static inline __attribute__((always_inline)) int evaluated(const env_t *env, const board_t *board, int halves)
{
    int side = board->side, other = 1 - side;
    contact_t contact = contact_of(env, board, halves);
    const rows_t *reach = contact.reach, *exposed = contact.exposed;
    tally_t fours[2] = {tally_fours(tally_halves(reach), tally_halves(reach + 1)),
                        tally_fours(tally_halves(exposed), tally_halves(exposed + 1))};
    tally_t twos = tally_sum(EVEN_PAIRS(fours[0].low, fours[1].low), EVEN_PAIRS(fours[0].high, fours[1].high),
                             ODD_PAIRS(fours[0].low, fours[1].low), ODD_PAIRS(fours[0].high, fours[1].high));
    tally_t ranks =
        tally_sum(twos.low, twos.high, (shorts_t)((moves_t)twos.low >> 16), (shorts_t)((moves_t)twos.high >> 16));
    /* For each line the place of its value, from what the side lacks there, and its digit. */
    uint8_t places[2][LINE_ROOM] __attribute__((aligned(16)));
    for (int colour = 0; colour < 2; colour++) {
        shorts_t files[2] = {{0}}, lack;
        for (int half = 0; half < halves; half++)
            files[half] = file_digits(reach[colour].half[half], 4) + file_digits(exposed[colour].half[half], 1);
        memcpy(&lack, board->lack[colour], sizeof lack);
        bytes_t place = (bytes_t)(lack << 4) + LOW_BYTES(files[0], files[1]);
        memcpy(places[colour], &place, sizeof place);
        memcpy(&lack, board->lack[colour] + env->width, sizeof lack);
        place = (bytes_t)(lack << 4) + rank_digits(&ranks, colour);
        memcpy(places[colour] + env->width, &place, sizeof place);
    }
    const int16_t *first = env->reach_value[side][0], *second = env->reach_value[other][0]; /* of p1, of p2 */
    int sum = env->globals[0] + board->sums[side];
    for (int line = 0; line < env->lines; line += 4) /* After the last one come lines without squares. */
        for (int next = line; next < line + 4; next++)
            sum += first[places[0][next]] + second[places[1][next]];
    sum += env->globals[1] * rows_count(reach + side, halves) + env->globals[2] * rows_count(reach + other, halves);
    sum += env->globals[3] * set_count(board->on[side]) + env->globals[4] * set_count(board->on[other]);
    int expected = sum / UNIT;
    return expected > 15000 ? 15000 : expected < -15000 ? -15000 : expected;
}

static int game_evaluate(const env_t *env, const board_t *board)
{
    return WORDS == 1 && env->width <= 8 ? evaluated(env, board, 1) : evaluated(env, board, 2);
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

/* Whether a line may hold so many stones. */
static inline int possible(unsigned counts)
{
    return held(counts, 0) + held(counts, 1) <= MOST_SIDE;
}

static inline int16_t bounded_gain(int gain)
{
    return (int16_t)(gain < -MOST_GAIN ? -MOST_GAIN : bounded(gain, MOST_GAIN));
}

/* What changes of a line gain for the side to move, from what the line is worth. */
static void gain_table(const line_t *values, int side, gains_t *gains)
{
    /* After the turn the opponent is to move, so his values count. */
    int other = 1 - side, lane = GUESS + other;
    int change[] = {[ADDS] = SINGLE(side), [COVERS] = STACK(side) - SINGLE(other), [LEAVES] = -SINGLE(side),
                    [UNCOVERS] = SINGLE(other) - STACK(side)};
#define AFTER(change) values[(counts_t)((int)counts + (change))][lane]
    for (unsigned counts = 0; counts < COUNTS; counts++) {
        if (!possible(counts))
            continue;
        for (int kind = 0; kind < TOGETHER; kind++)
            gains[counts][kind] = bounded_gain(AFTER(0) - AFTER(change[kind]));
        for (int covers = 0; covers <= 2; covers++) {
            int first = change[covers ? COVERS : ADDS], second = change[covers == 2 ? COVERS : ADDS];
            gains[counts][TOGETHER + covers] =
                bounded_gain(AFTER(first) + AFTER(second) - AFTER(0) - AFTER(first + second));
        }
    }
#undef AFTER
}

/* How turns of a stone are put together from its free targets. */
static void turn_tables(env_t *env)
{
    for (int found = 2; found <= TARGETS; found++) {
        int number = 0;
        for (int first = 0; first < found; first++)
            for (int second = first + 1; second < found; second++, number++) {
                round_t *round = env->rounds[found] + number / 8;
                env->with[found][first] |= 1u << number;
                env->with[found][second] |= 1u << number;
                int lane = number % 8, half = lane / 4, at = 4 * (lane % 4);
                for (int byte = 0; byte < 2; byte++) {
                    round->first[2 * lane + byte] = (uint8_t)(2 * first + byte);
                    round->second[2 * lane + byte] = (uint8_t)(2 * second + byte);
                }
                uint8_t move[4] = {128, (uint8_t)first, (uint8_t)second, (uint8_t)(TARGETS + first)};
                uint8_t flag[4] = {128, 128, 128, (uint8_t)(TARGETS + second)};
                for (int byte = 0; byte < 4; byte++) {
                    round->moves[half][at + byte] = move[byte];
                    round->flag[half][at + byte] = flag[byte];
                }
            }
    }
    for (unsigned bits = 0; bits < MASKS; bits++) {
        mask_t *mask = env->masks + bits;
        int numbers[TARGETS] = {0}, found = 0;
        for (int target = 0; target < TARGETS; target++)
            if (bits >> target & 1) {
                mask->order[found] = (uint8_t)target;
                mask->order[TARGETS + found] = (uint8_t)(TARGETS + target);
                numbers[target] = found++;
            }
        memset(mask->shared, 128, sizeof mask->shared);
        for (int pair = 0; pair < PAIRS; pair++) {
            if (!(bits >> pairs[pair][0] & bits >> pairs[pair][1] & 1))
                continue;
            int first = numbers[pairs[pair][0]], second = numbers[pairs[pair][1]];
            int before = first * (2 * found - first - 1) / 2; /* turns with a lower first target */
            int place = before + second - first - 1;
            for (int byte = 0; byte < 2; byte++)
                mask->shared[place / 8][2 * (place % 8) + byte] = (uint8_t)(2 * pair + byte);
        }
    }
}

/* How the files of a set become rows. */
static void row_tables(env_t *env)
{
    env->second_word = WORDS == 3 && env->height >= 8;
    env->file_down = 32 - env->height;
    memset(env->file_bytes, 128, sizeof env->file_bytes);
    for (int file = 0; file < env->width; file++) {
        int lane = file % 4, bit = file * env->height - (file < 8 ? 0 : 64 * env->second_word);
        for (int byte = bit / 8; byte <= (bit + env->height - 1) / 8; byte++)
            env->file_bytes[file / 4][4 * lane + byte - bit / 8] = (uint8_t)byte;
        env->file_up[file / 4][lane] = 1u << (32 - env->height - bit % 8);
        for (int rank = 0; rank < env->height; rank++)
            if (set_has(&env->playable, file * env->height + rank))
                env->squares_of_files.half[file / 8][file % 8] |= (uint16_t)(1 << rank);
    }
}

static void line_tables(env_t *env)
{
    /* Lines of equal size and equal distance from the edge share a table. */
    int made = 0;
    struct {
        int need, edge;
        line_t *table;
    } known[MOST_LINES];
    free(env->tables);
    free(env->gain_tables);
    env->tables = NULL;
    env->gain_tables = NULL;
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
    env->tables = calloc((size_t)kinds * COUNTS, sizeof(line_t));
    env->gain_tables = calloc((size_t)kinds * 2 * COUNTS, sizeof(gains_t));
    if (!env->tables || !env->gain_tables)
        return;
    for (; made < kinds; made++) {
        line_t *table = known[made].table = env->tables + (size_t)made * COUNTS;
        int need = known[made].need;
        for (unsigned counts = 0; need != NO_NEED && counts < COUNTS; counts++)
            for (int side = 0; side < 2 && possible(counts); side++) {
                int weight = line_weight(known[made].edge, lack_of(need, held(counts, side)),
                                         bounded((int)(counts >> (8 * side + 4) & 15), 3),
                                         lack_of(need, held(counts, 1 - side)),
                                         bounded((int)(counts >> (8 * (1 - side) + 4) & 15), 3));
                table[counts][side] = env->weights[weight];
                table[counts][GUESS + side] = env->weights[ORDER + weight];
            }
        for (int side = 0; side < 2; side++)
            gain_table(table, side, env->gain_tables + (size_t)(2 * made + side) * COUNTS);
    }
    for (int line = 0; line < env->lines; line++) {
        env->values[line] = known[kind_of[line]].table;
        for (int side = 0; side < 2; side++)
            env->gains[side][line] = env->gain_tables + (size_t)(2 * kind_of[line] + side) * COUNTS;
    }
    for (int whose = 0; whose < 2; whose++) {
        int16_t(*value)[16] = env->reach_value[whose];
        memcpy(value, env->weights + LINE_WEIGHTS + whose * LACKS * 16, sizeof(int16_t) * LACKS * 16);
        memcpy(value[MOST_LACK], value[LACKS - 1], sizeof value[0]);
    }
    memcpy(env->globals, env->weights + LINE_WEIGHTS + REACH_WEIGHTS, sizeof env->globals);
}

static int game_reweigh(env_t *env)
{
    line_tables(env);
    return env->tables && env->gain_tables;
}

/* `settings`: width, height, supply (0 is none), then three words with the playable squares. */
static int game_setup(env_t *env, const int64_t *settings)
{
    static const int files[TARGETS] = {-2, -2, -1, -1, 1, 1, 2, 2}, ranks[TARGETS] = {-1, 1, -2, 2, -2, 2, -1, 1};
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
        memset(env->targets[square], NO_SQUARE, TARGETS);
        for (int leap = 0; leap < TARGETS; leap++) {
            int to_file = file + files[leap], to_rank = rank + ranks[leap], to = to_file * env->height + to_rank;
            if (to_file < 0 || to_file >= env->width || to_rank < 0 || to_rank >= env->height
                || !set_has(&env->playable, to))
                continue;
            set_flip(&env->knight[square], to);
            env->targets[square][leap] = (uint8_t)to;
            env->lines_near[square] |= 1u << to_file | 1u << (env->width + to_rank);
        }
    }
    env->key_side = random_next(&state);
    env->all_lines = (1u << env->lines) - 1;
    for (int line = 0; line < env->lines; line++)
        /* A line without squares cannot be won. */
        env->need[line] = env->size[line] ? (env->size[line] + 1) / 2 : NO_NEED;
    memset(env->lack, NO_LACK, sizeof env->lack);
    for (int line = 0; line < env->lines; line++)
        if (env->size[line])
            env->lack[line] = (int8_t)(env->need[line] + LACK_ZERO);
    row_tables(env);
    memcpy(env->weights, default_weights(env), sizeof env->weights);
    turn_tables(env);
    return game_reweigh(env);
}

static void game_root(const env_t *env, const uint64_t *words, board_t *board)
{
    memset(board, 0, sizeof *board);
    board->side = (uint8_t)words[12];
    for (int line = 0; line < env->lines; line++)
        board->sums += widened(env->values[line][0]);
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
            int change = set_has(&board->under[1 - side], square) ? STACK(side) : SINGLE(side);
            change_line(env, board, env->line_of[square][0], change);
            change_line(env, board, env->line_of[square][1], change);
        }
        EACH_SQUARE(square, board->under[side])
            board->key ^= env->key[side][1][square];
    }
    survey(env, board);
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
    free(env->gain_tables);
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

static int rows_on_line(const env_t *env, const rows_t *rows, int line)
{
    int count = 0;
    for (int file = 0; file < env->width; file++) {
        unsigned ranks = rows->half[file / 8][file % 8];
        count += line >= env->width ? (int)(ranks >> (line - env->width) & 1)
                 : line == file     ? __builtin_popcount(ranks)
                                    : 0;
    }
    return count;
}

static int game_features(const env_t *env, const board_t *board, int32_t *pairs, int64_t room)
{
    int side = board->side, other = 1 - side, count = 0;
    contact_t contact = contact_of(env, board, 2);
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
            int reach = bounded(rows_on_line(env, contact.reach + colour, line), 3);
            int exposed = bounded(rows_on_line(env, contact.exposed + colour, line), 3);
            FEATURE(LINE_WEIGHTS + ((whose * LACKS + lack_of(need, held(counts, colour))) * 4 + reach) * 4 + exposed, 1);
        }
    }
    int first = LINE_WEIGHTS + REACH_WEIGHTS;
    FEATURE(first, 1);
    FEATURE(first + 1, rows_count(contact.reach + side, 2));
    FEATURE(first + 2, rows_count(contact.reach + other, 2));
    FEATURE(first + 3, set_count(board->on[side]));
    FEATURE(first + 4, set_count(board->on[other]));
#undef FEATURE
    return count;
}

#include "kernel.h"
