/* An engine for every game of protocol/SPEC.md, written from that text alone; numbers such as 9.7 are its clauses.
 *
 * It shares nothing with the rest of the project, so it shows that the text is enough; its rules are a second opinion.
 * It owns its input, its rules and a small alpha-beta search; it knows nothing of openings and learns nothing.
 *     cc -std=c11 -O2 -Wall -Wextra -Werror -o independent independent.c
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 25, SQUARES = SIDE * SIDE, NONE = SQUARES };  /* 5.3: a square is file * SIDE + rank, both from 0 */
enum { MAX_MOVES = SQUARES * 28, PLIES = 64 };              /* at most 28 pairs of targets for a stone (A.4) */
enum { MAX_OUT = 65536 };                                 /* 2.5 */
enum { ONGOING, P1, P2, DRAW };                             /* sides, winners and results */
enum { MATE = 1000000, SLOWEST_MS = 30000 };                /* 10.6: well inside the 60 s of a nodes or depth limit */

/* ---- Rules: knobs and variants (A.4, A.8, A.11, A.14) ---- */

enum { ESCAPE, KING_ARMED, KING_STEPS, MEN_STEPS, KING_BY, CENTRE_PASS, CENTRE_STOP, CENTRE_HOSTILE, CORNER_STOP,
       CORNER_HOSTILE, CAMPS, SHIELDWALL, ENCIRCLEMENT, FORT, REPETITION, OCCURRENCES, NO_MOVE, SUPPLY, KNOBS };
enum { BY_TWO, BY_FOUR, BY_FOUR_THREE_TWO, BY_FOUR_TWO, BY_ALL_SIDES, KING_WORDS };
enum { ALWAYS = 2, WITH_CORNER = 1, P2_LOSES = 2 };  /* values of other knobs */

/* A knob's value is the place of its word in this list; where numbers are allowed, the number, and 0 for "any". */
static const struct { const char *name, *words[KING_WORDS]; bool number; } knob_table[KNOBS] = {
    [ESCAPE] = {"escape", {"edge", "corner"}, false},
    [KING_ARMED] = {"king_armed", {"no", "yes"}, false},
    [KING_STEPS] = {"king_steps", {"any"}, true},
    [MEN_STEPS] = {"men_steps", {"any"}, true},
    [KING_BY] = {"king_captured_by", {"two", "four", "four-three-two", "four-two", "all-sides"}, false},
    [CENTRE_PASS] = {"centre_pass", {"any", "king", "nobody"}, false},
    [CENTRE_STOP] = {"centre_stop", {"any", "king", "nobody"}, false},
    [CENTRE_HOSTILE] = {"centre_hostile", {"no", "yes", "always"}, false},
    [CORNER_STOP] = {"corner_stop", {"any", "king"}, false},
    [CORNER_HOSTILE] = {"corner_hostile", {"no", "yes"}, false},
    [CAMPS] = {"camps", {"no", "yes"}, false},
    [SHIELDWALL] = {"shieldwall", {"no", "corner", "yes"}, false},
    [ENCIRCLEMENT] = {"encirclement", {"no", "wins"}, false},
    [FORT] = {"fort", {"no", "wins"}, false},
    [REPETITION] = {"repetition", {"draw", "loses", "p2-loses"}, false},
    [OCCURRENCES] = {"occurrences", {"3", "2"}, false},
    [NO_MOVE] = {"no_move", {"loses", "draw"}, false},
    [SUPPLY] = {"supply", {NULL}, true},
};

#define SCOTTISH "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3"
#define ARD_RI "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2"
#define TAWLBWRDD "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4"
#define SEA_BATTLE "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3"
#define SEA_BATTLE_11 "3aaaaa3/5a5/5d5/a4d4a/a4d4a/aadddkdddaa/a4d4a/a4d4a/5d5/5a5/3aaaaa3"
#define LEWIS "4aaa4/4aaa4/5d5/5d5/aa3d3aa/aadddkdddaa/aa3d3aa/5d5/5d5/4aaa4/4aaa4"
#define FETLAR "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3"
#define CORNERS "**5**/*7*/9/9/9/9/9/*7*/**5**"
#define CALLANISH_9 "9/9/9/9/9/9/9/9/9"
#define BRANDUB "escape=corner king_armed=yes corner_stop=king corner_hostile=yes "
#define WTF "king_captured_by=four centre_stop=any encirclement=wins repetition=p2-loses"
#define SAAMI "king_armed=yes king_captured_by=four-three-two centre_hostile=yes encirclement=wins repetition=p2-loses"
#define ASHTON "king_armed=yes king_captured_by=four-three-two centre_pass=nobody centre_stop=nobody " \
    "centre_hostile=always camps=yes occurrences=2"
#define FETLAR_KNOBS BRANDUB "king_captured_by=four centre_hostile=yes encirclement=wins "

/* What is not named is as in scottish; a tafl board is one with knobs. callanish-N is not listed but built. */
static const struct { const char *name, *board, *knobs; bool p2_first; } variant_table[] = {
    {"callanish-corners", CORNERS, NULL, false},
    {"callanish", CALLANISH_9, NULL, false},
    {"scottish", SCOTTISH, "", false},
    {"scottish-armed", SCOTTISH, "king_armed=yes", false},
    {"scottish-king1", SCOTTISH, "king_armed=yes king_steps=1", false},
    {"scottish-king2", SCOTTISH, "king_armed=yes king_steps=2", false},
    {"scottish-king3", SCOTTISH, "king_armed=yes king_steps=3", false},
    {"brandub", SCOTTISH, BRANDUB, false},
    {"brandub-nielsen", SCOTTISH, BRANDUB "king_captured_by=four-three-two centre_stop=nobody centre_hostile=yes",
     false},
    {"ard-ri", ARD_RI, "men_steps=1 king_steps=1 king_armed=yes king_captured_by=four", false},
    {"ard-ri-two", ARD_RI, "men_steps=1 king_steps=1 king_armed=yes king_captured_by=two", false},
    {"tawlbwrdd", TAWLBWRDD, "king_armed=yes centre_stop=any", false},
    {"sea-battle-9", SEA_BATTLE, "king_captured_by=four centre_stop=any", false},
    {"tawlbwrdd-bell", TAWLBWRDD, SAAMI, true},
    {"tawlbwrdd-lewis", LEWIS, SAAMI, true},
    {"sea-battle-9-wtf", SEA_BATTLE, WTF, false},
    {"sea-battle-11", SEA_BATTLE_11, WTF, true},
    {"tablut-saami", SEA_BATTLE, SAAMI, false},
    {"tablut-ashton", SEA_BATTLE, ASHTON, true},
    {"fetlar", FETLAR, FETLAR_KNOBS, false},
    {"computer-fetlar", FETLAR, FETLAR_KNOBS "repetition=loses", false},
    {"copenhagen", FETLAR, FETLAR_KNOBS "shieldwall=corner fort=wins repetition=p2-loses", false},
};
enum { VARIANTS = sizeof variant_table / sizeof *variant_table };

typedef struct { bool tafl, drawn, p2_first; int files, ranks, knob[KNOBS]; } Rules;

/* A whole number from min to max in plain digits, or -1. */
static long number(const char *text, long min, long max) {
    long value = 0;
    if (!text || !*text) return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || value > max) return -1;
        value = value * 10 + (*text - '0');
    }
    return value >= min && value <= max ? value : -1;
}

static bool set_knob(int *knob, const char *pair) {
    for (int i = 0; i < KNOBS; i++) {
        size_t length = strlen(knob_table[i].name);
        if (strncmp(pair, knob_table[i].name, length) || pair[length] != '=') continue;
        const char *value = pair + length + 1;
        for (int j = 0; j < KING_WORDS && knob_table[i].words[j]; j++)
            if (!strcmp(value, knob_table[i].words[j])) { knob[i] = j; return true; }
        long steps = knob_table[i].number ? number(value, 1, 1000000) : -1;
        if (steps > 0) knob[i] = (int)steps;
        return steps > 0;
    }
    return false;
}

/* Knobs of the other family are taken and mean nothing: options come one by one, in either order (4.6). */
static bool set_knobs(int *knob, const char *text) {
    char copy[1024], *rest = copy;
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    for (char *pair; (pair = strtok_r(rest, " ", &rest)); )
        if (!set_knob(knob, pair)) return false;
    return true;
}

/* ---- Positions and their text (5.5 to 5.7) ---- */

/* In tafl a cell is one of the first four. In Callanish it is a set: who has a stone there, and is p2's on top? */
enum { EMPTY, ATTACKER, DEFENDER, KING, HOLE = 8 };
enum { WHITE = 1, BLACK = 2, BLACK_TOP = 4 };
static const char tafl_letters[] = ".adk", callanish_letters[] = ".w?W??bB*";  /* by cell */

typedef struct {
    uint8_t cell[SQUARES];  /* beside the board all is HOLE */
    uint8_t side, result;   /* the side to move; the result, but for repetition, which needs the game */
    short count[3];         /* stones of a side, covered ones included; in tafl count[0] is all pieces */
    long turn;
} Position;

typedef struct { uint16_t from, to[2]; } Move;  /* what is not used is NONE; the two targets ascend (5.4) */
typedef struct { Rules rules; Position *list; size_t length, room; } Game;  /* 6.1: from its first position on */

static int at(const Rules *r, const Position *p, int file, int rank) {
    return file < 0 || rank < 0 || file >= r->files || rank >= r->ranks ? HOLE : p->cell[file * SIDE + rank];
}

/* 5.5: rows from the top rank down. Sets the size too. A run has no leading zero. */
static bool read_board(const char *text, Rules *r, Position *p) {
    const char *letters = r->tafl ? tafl_letters : callanish_letters, *found;
    int file = 0, rank = 0, files = 0;
    *p = (Position){.side = P1, .turn = 1};
    memset(p->cell, HOLE, sizeof p->cell);
    for (const char *c = text; *c; c++) rank += *c == '/';
    r->ranks = rank + 1;
    for (const char *c = text; rank >= 0 && rank < SIDE; c++) {
        if (*c == '/' || !*c) {
            if (!file || (files && file != files)) return false;
            files = r->files = file;
            if (!*c) return true;
            file = 0, rank--;
        } else if (*c >= '1' && *c <= '9') {
            int run = *c - '0';
            if (c[1] >= '0' && c[1] <= '9') run = run * 10 + (*++c - '0');
            if (file + run > SIDE || (c[1] >= '0' && c[1] <= '9')) return false;
            while (run--) p->cell[file++ * SIDE + rank] = EMPTY;
        } else {
            if (file >= SIDE || *c == '.' || *c == '?' || !(found = strchr(letters, *c))) return false;
            int cell = (int)(found - letters);
            p->cell[file++ * SIDE + rank] = (uint8_t)cell;
            if (r->tafl) p->count[0]++;
            else if (cell != HOLE) p->count[P1] += (cell & WHITE) > 0, p->count[P2] += (cell & BLACK) > 0;
        }
    }
    return false;
}

static void write_position(const Rules *r, const Position *p, char *out, size_t room) {
    size_t n = 0;
    for (int rank = r->ranks - 1; rank >= 0; rank--) {
        for (int file = 0, run = 0; file < r->files; file++) {
            int cell = at(r, p, file, rank);
            if (cell == EMPTY) run++;
            if (run && (cell != EMPTY || file == r->files - 1)) {
                n += (size_t)snprintf(out + n, room - n, "%d", run);
                run = 0;
            }
            if (cell != EMPTY) out[n++] = (r->tafl ? tafl_letters : callanish_letters)[cell];
        }
        out[n++] = rank ? '/' : ' ';
    }
    snprintf(out + n, room - n, "p%d %ld", p->side, p->turn);
}

static void write_move(const Move *m, char *out) {
    const uint16_t square[3] = {m->from, m->to[0], m->to[1]};
    *out = 0;
    for (int i = 0; i < 3 && square[i] != NONE; i++)
        out += sprintf(out, "%c%d", 'a' + square[i] / SIDE, square[i] % SIDE + 1);
}

/* 5.3, 5.4: one to three squares. The targets of a turn are taken in either order, as the referee takes them. */
static bool read_move(const char *text, Move *m) {
    uint16_t square[3] = {NONE, NONE, NONE};
    for (int i = 0; *text; i++) {
        if (i == 3 || text[0] < 'a' || text[0] > 'y' || text[1] < '1' || text[1] > '9') return false;
        int file = text[0] - 'a', rank = text[1] - '0';
        text += 2;
        if (*text >= '0' && *text <= '9') rank = rank * 10 + (*text++ - '0');
        if (rank > SIDE) return false;
        square[i] = (uint16_t)(file * SIDE + rank - 1);
    }
    bool turned = square[2] < square[1];
    *m = (Move){square[0], {square[1 + turned], square[2 - turned]}};
    return square[0] != NONE;
}

/* ---- Callanish (A.2 to A.8) ---- */

static int controller(int cell) { return cell == EMPTY || cell == HOLE ? 0 : cell & BLACK_TOP ? P2 : P1; }

/* Writes at most `max` legal moves and returns their number. */
static int callanish_moves(const Rules *r, const Position *p, Move *out, int max) {
    /* In ascending order, so that the pairs of targets are too. */
    static const int jump[8][2] = {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}};
    int n = 0, own = p->side == P1 ? WHITE : BLACK;
    if (r->knob[SUPPLY] && p->count[p->side] >= r->knob[SUPPLY]) return 0;
    for (int square = 0; square < SQUARES && n < max; square++) {
        if (!p->count[p->side]) {  /* A.3, 5.7: the first stone */
            if (p->cell[square] == EMPTY) out[n++] = (Move){(uint16_t)square, {NONE, NONE}};
            continue;
        }
        if (controller(p->cell[square]) != p->side) continue;
        int target[8], targets = 0;
        for (int i = 0; i < 8; i++) {
            int file = square / SIDE + jump[i][0], rank = square % SIDE + jump[i][1], cell = at(r, p, file, rank);
            if (cell != HOLE && !(cell & own)) target[targets++] = file * SIDE + rank;
        }
        for (int i = 0; i < targets; i++)
            for (int j = i + 1; j < targets && n < max; j++)
                out[n++] = (Move){(uint16_t)square, {(uint16_t)target[i], (uint16_t)target[j]}};
    }
    return n;
}

/* A.5. Adds the worth of the side's lines to *worth, for the search. */
static bool has_line(const Rules *r, const Position *p, int side, int *worth) {
    bool held = false;
    for (int across = 0; across < 2; across++)
        for (int line = 0; line < (across ? r->ranks : r->files); line++) {
            int squares = 0, mine = 0;
            for (int i = 0; i < (across ? r->files : r->ranks); i++) {
                int cell = p->cell[across ? i * SIDE + line : line * SIDE + i];
                squares += cell != HOLE;
                mine += controller(cell) == side;
            }
            held |= squares && mine >= (squares + 1) / 2;
            if (worth && squares) *worth += 40 * mine * mine / ((squares + 1) / 2);
        }
    return held;
}

static void callanish_play(Position *p, const Move *m) {
    bool white = p->side == P1, placement = m->to[0] == NONE;
    p->count[p->side]++;
    if (!placement) p->cell[m->from] = white ? (p->cell[m->from] & BLACK ? BLACK | BLACK_TOP : EMPTY)
                                             : p->cell[m->from] & WHITE;
    for (int i = 0; i < (placement ? 1 : 2); i++) {
        uint8_t *cell = &p->cell[placement ? m->from : m->to[i]];
        *cell = white ? (*cell & BLACK) | WHITE : (*cell & WHITE) | BLACK | BLACK_TOP;
    }
}

/* ---- Tafl (A.9 to A.14, A.17 to A.20) ---- */

static const int step[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};

static bool on_centre(const Rules *r, int file, int rank) { return file == r->files / 2 && rank == r->ranks / 2; }
static bool on_edge(const Rules *r, int file, int rank) {
    return file == 0 || rank == 0 || file == r->files - 1 || rank == r->ranks - 1;
}
static bool on_corner(const Rules *r, int file, int rank) {
    return (file == 0 || file == r->files - 1) && (rank == 0 || rank == r->ranks - 1);
}
static bool escaped(const Rules *r, int file, int rank) {
    return r->knob[ESCAPE] ? on_corner(r, file, rank) : on_edge(r, file, rank);
}
static bool may_stop(const Rules *r, int piece, int file, int rank) {  /* knob: 0 any, 1 the king, 2 nobody */
    int who = on_centre(r, file, rank) ? r->knob[CENTRE_STOP] : on_corner(r, file, rank) ? r->knob[CORNER_STOP] : 0;
    return who == 0 || (who == 1 && piece == KING);
}

/* A.17: which of the four camps this square is of, or 0. */
static int camp(const Rules *r, int file, int rank) {
    int last = r->files - 1, half = last / 2;
    if (!r->knob[CAMPS]) return 0;
    for (int i = 0; i < 4; i++) {
        int along = i % 2 ? file : rank, from_edge = i % 2 ? rank : file;
        if (i > 1) from_edge = last - from_edge;
        if ((from_edge == 0 && abs(along - half) <= 1) || (from_edge == 1 && along == half)) return i + 1;
    }
    return 0;
}

/* A.9, A.11: may a piece that began in the camp `from` pass over this square? */
static bool may_pass(const Rules *r, int piece, int from, int file, int rank) {
    int who = on_centre(r, file, rank) ? r->knob[CENTRE_PASS] : 0, there = camp(r, file, rank);
    return (who == 0 || (who == 1 && piece == KING)) && (!there || there == from);
}

static int tafl_moves(const Rules *r, const Position *p, Move *out, int max) {
    int n = 0;
    for (int file = 0; file < r->files; file++)
        for (int rank = 0; rank < r->ranks; rank++) {
            int piece = at(r, p, file, rank);
            if (piece == EMPTY || (piece == ATTACKER) != (p->side == P1)) continue;
            int steps = r->knob[piece == KING ? KING_STEPS : MEN_STEPS], from = camp(r, file, rank);
            for (int d = 0; d < 4; d++)
                for (int i = 1; n < max && (!steps || i <= steps); i++) {
                    int to_file = file + i * step[d][0], to_rank = rank + i * step[d][1];
                    if (at(r, p, to_file, to_rank) != EMPTY) break;
                    int there = camp(r, to_file, to_rank);
                    if (may_stop(r, piece, to_file, to_rank) && (!there || there == from))
                        out[n++] = (Move){(uint16_t)(file * SIDE + rank), {(uint16_t)(to_file * SIDE + to_rank), NONE}};
                    if (!may_pass(r, piece, from, to_file, to_rank)) break;
                }
        }
    return n;
}

/* A.11, A.17: is this square hostile, whoever stands on it, to a piece that stands in the camp `victim_camp`? */
static bool always_hostile(const Rules *r, int file, int rank, int victim_camp) {
    if (on_centre(r, file, rank)) return r->knob[CENTRE_HOSTILE] == ALWAYS;
    if (on_corner(r, file, rank)) return r->knob[CORNER_HOSTILE];
    return !victim_camp && camp(r, file, rank);
}

static bool is_own(const Rules *r, int piece, bool attackers) {  /* does this piece take part in the side's captures? */
    return attackers ? piece == ATTACKER : piece == DEFENDER || (piece == KING && r->knob[KING_ARMED]);
}

/* A.10: does this square stand against the victim, by its piece or as a hostile one? */
static bool against(const Rules *r, const Position *p, int file, int rank, int victim, int victim_camp) {
    int piece = at(r, p, file, rank);
    if (piece == HOLE || (victim_camp && camp(r, file, rank) == victim_camp)) return false;
    if (on_centre(r, file, rank) && piece == EMPTY && r->knob[CENTRE_HOSTILE]) return true;
    return always_hostile(r, file, rank, victim_camp) || is_own(r, piece, victim != ATTACKER);
}

/* A.12, when an attacker has just moved beside the king; `far` is the square behind him. */
static bool king_taken(const Rules *r, const Position *p, int file, int rank, const int far[2]) {
    int held = 0, squares = 0, by = r->knob[KING_BY], own_camp = camp(r, file, rank);
    bool beside = false;
    for (int d = 0; d < 4; d++) {
        int f = file + step[d][0], k = rank + step[d][1], piece = at(r, p, f, k);
        bool centre = on_centre(r, f, k), empty_counts = by == BY_FOUR_THREE_TWO || r->knob[CENTRE_HOSTILE];
        beside |= centre;
        squares += piece != HOLE;
        held += piece == ATTACKER || (centre && piece == EMPTY && empty_counts)
            || (piece != HOLE && piece != DEFENDER && always_hostile(r, f, k, own_camp));
    }
    bool by_two = by == BY_TWO || ((by == BY_FOUR_THREE_TWO || by == BY_FOUR_TWO) && !on_centre(r, file, rank)
                                   && !(by == BY_FOUR_THREE_TWO && beside));
    if (by_two) return against(r, p, far[0], far[1], KING, own_camp);
    return held == (by == BY_ALL_SIDES ? squares : 4);
}

/* A.18: puts the squares of the rows that a move to this edge square takes into `taken` and returns their number. */
static int shieldwall(const Rules *r, const Position *p, int file, int rank, uint16_t *taken) {
    int n = 0, last = r->files - 1;
    bool attackers = at(r, p, file, rank) == ATTACKER;
    for (int d = 0; d < 4; d++) for (int edge = 0; edge < 4; edge++) {
        /* `edge` is the step from it towards the middle; d is the step along it. */
        const int *along = step[d], *inward = step[edge];
        if (inward[0] ? file != (inward[0] > 0 ? 0 : last) : rank != (inward[1] > 0 ? 0 : last)) continue;
        if (inward[0] ? along[0] : along[1]) continue;
        int length = 0, men = 0, f = file + along[0], k = rank + along[1];
        uint16_t row[SIDE];
        for (;; f += along[0], k += along[1], length++) {
            int piece = at(r, p, f, k);
            if (attackers ? piece != DEFENDER && piece != KING : piece != ATTACKER) break;
            if (!is_own(r, at(r, p, f + inward[0], k + inward[1]), attackers)) { length = 0; break; }
            if (piece != KING) row[men++] = (uint16_t)(f * SIDE + k);
        }
        bool corner = r->knob[SHIELDWALL] == WITH_CORNER && on_corner(r, f, k) && at(r, p, f, k) == EMPTY;
        if (length < 2 || !(corner || is_own(r, at(r, p, f, k), attackers))) continue;
        memcpy(taken + n, row, (size_t)men * sizeof *row);
        n += men;
    }
    return n;
}

/* Marks what can be reached from the marked squares by steps through squares whose bit is in `through`. */
static void flood(const Rules *r, const Position *p, bool *marked, unsigned through) {
    uint16_t stack[SQUARES];
    int n = 0;
    for (int i = 0; i < SQUARES; i++) if (marked[i]) stack[n++] = (uint16_t)i;
    while (n) {
        int from = stack[--n];
        for (int d = 0; d < 4; d++) {
            int f = from / SIDE + step[d][0], k = from % SIDE + step[d][1], to = f * SIDE + k, piece = at(r, p, f, k);
            if (piece == HOLE || marked[to] || !(through >> piece & 1)) continue;
            marked[to] = true;
            stack[n++] = (uint16_t)to;
        }
    }
}

/* A.19: from the edge through squares without an attacker. */
static bool encircled(const Rules *r, const Position *p) {
    bool marked[SQUARES] = {false};
    for (int i = 0; i < SQUARES; i++)
        marked[i] = p->cell[i] != HOLE && p->cell[i] != ATTACKER && on_edge(r, i / SIDE, i % SIDE);
    flood(r, p, marked, 1u << EMPTY | 1u << DEFENDER | 1u << KING);
    for (int i = 0; i < SQUARES; i++) if (marked[i] && p->cell[i] != EMPTY) return false;
    return true;
}

/* A.20. */
static bool in_fort(const Rules *r, const Position *p) {
    bool inside[SQUARES] = {false};
    int king = 0, empty = 0;
    while (king < SQUARES && p->cell[king] != KING) king++;
    if (king == SQUARES || !on_edge(r, king / SIDE, king % SIDE)) return false;
    inside[king] = true;
    flood(r, p, inside, 1u << EMPTY);
    for (int i = 0; i < SQUARES; i++) {
        int file = i / SIDE, rank = i % SIDE, exposed[4] = {0}, own_camp = camp(r, file, rank);
        bool in_wall = false;
        empty += inside[i] && p->cell[i] == EMPTY;
        if (inside[i] && on_corner(r, file, rank)) return false;
        if (inside[i] || (p->cell[i] != ATTACKER && p->cell[i] != DEFENDER)) continue;
        for (int d = 0; d < 4; d++) {
            int f = file + step[d][0], k = rank + step[d][1], piece = at(r, p, f, k);
            if (piece == HOLE) continue;
            bool within = inside[f * SIDE + k];
            in_wall |= within;
            exposed[d] = piece == ATTACKER || (piece == EMPTY && !within) || always_hostile(r, f, k, own_camp);
        }
        /* The steps 0 and 3 are opposite, and so are 1 and 2. */
        bool breakable = (exposed[0] && exposed[3]) || (exposed[1] && exposed[2]);
        if (in_wall && (p->cell[i] == ATTACKER || breakable)) return false;
    }
    return empty > 0;
}

static void tafl_play(const Rules *r, Position *p, const Move *m) {
    int piece = p->cell[m->from], file = m->to[0] / SIDE, rank = m->to[0] % SIDE, n = 0;
    uint16_t taken[4 + 2 * SIDE];
    p->cell[m->from] = EMPTY;
    p->cell[m->to[0]] = (uint8_t)piece;
    if (piece == KING && escaped(r, file, rank)) p->result = P2;
    bool captures = is_own(r, piece, piece == ATTACKER);
    for (int d = 0; d < 4 && captures; d++) {
        int f = file + step[d][0], k = rank + step[d][1], victim = at(r, p, f, k);
        const int far[2] = {f + step[d][0], k + step[d][1]};
        bool king = victim == KING && piece == ATTACKER, man = victim == (piece == ATTACKER ? DEFENDER : ATTACKER);
        bool held = king ? king_taken(r, p, f, k, far) : man && against(r, p, far[0], far[1], victim, camp(r, f, k));
        if (!held) continue;
        if (king) p->result = P1;
        taken[n++] = (uint16_t)(f * SIDE + k);  /* A.10: the king likewise */
    }
    if (captures && r->knob[SHIELDWALL] && on_edge(r, file, rank)) n += shieldwall(r, p, file, rank, taken + n);
    while (n--) {  /* a man may be taken both ways */
        p->count[0] -= p->cell[taken[n]] != EMPTY;
        p->cell[taken[n]] = EMPTY;
    }
}

/* ---- Any game ---- */

static int moves_of(const Rules *r, const Position *p, Move *out, int max) {
    return p->result ? 0 : r->tafl ? tafl_moves(r, p, out, max) : callanish_moves(r, p, out, max);
}

/* A.6, A.7, A.13, A.19, A.20: what can be said of a position alone, once the side to move is set. */
static void judge(const Rules *r, Position *p) {
    Move any;
    if (!r->tafl && has_line(r, p, p->side, NULL)) p->result = p->side;
    if (r->tafl && !p->result && p->side == P2 && r->knob[ENCIRCLEMENT] && encircled(r, p)) p->result = P1;
    if (r->tafl && !p->result && p->side == P1 && r->knob[FORT] && in_fort(r, p)) p->result = P2;
    if (!p->result && !moves_of(r, p, &any, 1)) p->result = r->tafl && r->knob[NO_MOVE] ? DRAW : P1 + P2 - p->side;
}

static void play(const Rules *r, const Position *before, const Move *m, Position *after) {
    *after = *before;
    if (r->tafl) tafl_play(r, after, m);
    else callanish_play(after, m);
    after->turn += after->side == P2;
    after->side = P1 + P2 - after->side;
    judge(r, after);
}

static Position *last(const Game *g) { return &g->list[g->length - 1]; }

/* A.13, repetition included; a piece that is gone never comes back, so the look back ends there. */
static int outcome(const Game *g) {
    const Position *now = last(g);
    int times = 1, most = g->rules.knob[OCCURRENCES] ? 2 : 3;
    if (now->result || !g->rules.tafl) return now->result;
    for (size_t i = g->length - 1; i-- > 0 && g->list[i].count[0] == now->count[0] && times < most; )
        times += g->list[i].side == now->side && !memcmp(g->list[i].cell, now->cell, sizeof now->cell);
    if (times < most) return ONGOING;
    return g->rules.knob[REPETITION] == P2_LOSES ? P1 : g->rules.knob[REPETITION] ? now->side : DRAW;
}

static void make_room(Game *g, size_t more) {
    if (g->length + more <= g->room) return;
    g->room = 2 * (g->length + more);
    g->list = realloc(g->list, g->room * sizeof *g->list);
    if (!g->list) abort();
}

/* ---- The engine: input and output (chapter 2) ---- */

typedef struct { uint64_t nodes; int depth; int64_t ms; bool infinite; } Limits;

typedef struct {
    char variant[32], rules[1024];  /* the options */
    long seed;
    Game game, spare;               /* a new position is made in the spare and takes its place if it is sound */
    char *in;
    size_t in_from, in_seen, in_to, in_room;  /* in_seen: how far it was looked through during a search */
    bool quit, stop, counting, moves_to_go;
    size_t out_length;
    char out[MAX_OUT + 2];
    Limits limits;
    uint64_t nodes;
    int64_t started_ms, heard_ms;
    int roots, pv_length[PLIES + 1];
    Move pv[PLIES + 1][PLIES + 1], moves[PLIES + 1][MAX_MOVES];
} Engine;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Adds to the line; what goes beyond 2.5 is lost, and out_length tells. */
static void __attribute__((format(printf, 2, 3))) put(Engine *e, const char *format, ...) {
    va_list values;
    va_start(values, format);
    size_t room = e->out_length < MAX_OUT ? MAX_OUT + 1 - e->out_length : 0;
    e->out_length += (size_t)vsnprintf(room ? e->out + e->out_length : NULL, room, format, values);
    va_end(values);
}

/* 2.7: a line leaves at once and in one write. 14.4: nobody there means quit. */
static void send_line(Engine *e) {
    if (e->out_length > MAX_OUT) e->out_length = (size_t)snprintf(e->out, MAX_OUT, "error too long for a line");
    e->out[e->out_length++] = '\n';
    for (size_t done = 0; done < e->out_length && !e->quit; ) {
        ssize_t n = write(STDOUT_FILENO, e->out + done, e->out_length - done);
        if (n > 0) done += (size_t)n;
        else if (n < 0 && errno == EAGAIN) poll(&(struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT}, 1, -1);
        else if (n < 0 && errno != EINTR) e->quit = true;
    }
    e->out_length = 0;
}

#define SAY(e, ...) (put(e, __VA_ARGS__), send_line(e))

/* 2.4: reads what has come, perhaps half a line. The end of the input (14.3) and a closed output (14.4) mean quit. */
static void hear(Engine *e, bool wait) {
    struct pollfd ends[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO}};
    if (e->in_from) memmove(e->in, e->in + e->in_from, e->in_to - e->in_from);
    e->in_to -= e->in_from, e->in_seen -= e->in_from, e->in_from = 0;
    if (e->in_room - e->in_to < 4096 && !(e->in = realloc(e->in, e->in_room = 2 * e->in_room + 8192))) abort();
    if (poll(ends, 2, wait ? -1 : 0) <= 0) return;
    if (ends[1].revents) e->quit = true;
    if (!ends[0].revents) return;
    ssize_t n = read(STDIN_FILENO, e->in + e->in_to, e->in_room - e->in_to);
    if (n > 0) e->in_to += (size_t)n;
    else if (n == 0 || (errno != EINTR && errno != EAGAIN)) e->quit = true;
}

/* The first line from *from on, which moves behind it, or NULL if there is no whole one yet. */
static char *cut_line(Engine *e, size_t *from) {
    char *line = e->in + *from, *end = e->in_to > *from ? memchr(line, '\n', e->in_to - *from) : NULL;
    if (!end) return NULL;
    for (char *c = line; c < end; c++) if (!*c) *c = '?';  /* a NUL must not hide the rest */
    *from = (size_t)(end - e->in) + 1;
    return line;
}

static char *word(char **rest) { return strtok_r(*rest, " \t\r", rest); }  /* 2.2, 2.3 */

static bool says(const char *line, const char *command) {
    line += strspn(line, " \t\r");
    size_t length = strcspn(line, " \t\r\n");
    return length == strlen(command) && !memcmp(line, command, length);
}

/* What is heard at work: 6.5, 14.1 and 14.2 are done at once, all else waits in its order. A perft is no search. */
static void hear_at_work(Engine *e, bool wait) {
    for (char *line; !e->stop && (line = cut_line(e, &e->in_seen)); ) {
        bool ready = !e->counting && says(line, "isready"), stop = !e->counting && says(line, "stop");
        if (says(line, "quit")) e->quit = true;
        if (ready) SAY(e, "readyok");
        if (stop) e->stop = true;
        if (ready || stop) memset(line, ' ', (size_t)(e->in + e->in_seen - line) - 1);
    }
    if (!e->stop) hear(e, wait);
}

/* Counts a node; now and then looks at the clock and, at most once a millisecond, at the input. True: stop. */
static bool node(Engine *e) {
    if (++e->nodes >= e->limits.nodes) e->stop = true;
    if (e->nodes % 16 == 0) {
        int64_t now = now_ms();
        if (now - e->started_ms >= e->limits.ms) e->stop = true;
        if (now != e->heard_ms) {
            e->heard_ms = now;
            hear_at_work(e, false);
        }
    }
    return e->stop |= e->quit;
}

/* ---- Search (chapters 7, 9, 13) ---- */

/* Hundredths of a piece, from the mover's side (9.1). */
static int evaluate(const Rules *r, const Position *p) {
    int worth[3] = {0, 0, 0};
    if (!r->tafl) {
        has_line(r, p, P1, &worth[P1]);
        has_line(r, p, P2, &worth[P2]);
    } else for (int file = 0; file < r->files; file++) for (int rank = 0; rank < r->ranks; rank++) {
        int piece = at(r, p, file, rank);
        if (piece == ATTACKER) worth[P1] += 70;
        if (piece == DEFENDER) worth[P2] += 100;
        for (int d = 0; d < 4 && piece == KING; d++) {  /* the king likes ways out, and room */
            int f = file + step[d][0], k = rank + step[d][1];
            for (; at(r, p, f, k) == EMPTY; f += step[d][0], k += step[d][1])
                worth[P2] += escaped(r, f, k) ? 80 : 5;
        }
    }
    return worth[p->side] - worth[P1 + P2 - p->side];
}

static int search(Engine *e, int ply, int depth, int alpha, int beta) {
    Game *g = &e->game;
    int result = outcome(g), side = last(g)->side;
    e->pv_length[ply] = 0;
    if (result) return result == DRAW ? 0 : result == side ? MATE - ply : ply - MATE;
    if (depth == 0) return evaluate(&g->rules, last(g));
    Move *list = e->moves[ply];
    int n = ply ? moves_of(&g->rules, last(g), list, MAX_MOVES) : e->roots;
    for (int i = 0; i < n && alpha < beta; i++) {
        if (node(e)) break;
        play(&g->rules, last(g), &list[i], last(g) + 1);
        g->length++;
        int score = -search(e, ply + 1, depth - 1, -beta, -alpha);
        g->length--;
        if (e->stop) break;
        if (score <= alpha) continue;
        alpha = score;
        e->pv[ply][0] = list[i];
        memcpy(e->pv[ply] + 1, e->pv[ply + 1], (size_t)e->pv_length[ply + 1] * sizeof(Move));
        e->pv_length[ply] = e->pv_length[ply + 1] + 1;
    }
    return alpha;
}

static void info(Engine *e, int depth, int score, const Move *pv, int length) {
    char text[16];
    int plies = MATE - abs(score);
    if (plies > PLIES) put(e, "info depth %d score cp %d", depth, score);
    else put(e, "info depth %d score mate %d", depth, score < 0 ? -plies : plies);
    put(e, " nodes %llu time %lld pv", (unsigned long long)e->nodes, (long long)(now_ms() - e->started_ms));
    for (int i = 0; i < length; i++) write_move(&pv[i], text), put(e, " %s", text);
    send_line(e);
}

/* 13.2: the order of equal moves follows from Seed and the position alone, so there is nothing to forget (6.6). */
static void shuffle(Engine *e) {
    uint64_t state = (uint64_t)e->seed * 0x9E3779B97F4A7C15u + 1469598103934665603u;
    for (int i = 0; i < SQUARES; i++) state = (state ^ last(&e->game)->cell[i]) * 1099511628211u;
    for (int i = e->roots - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int j = (int)((state >> 33) % (uint64_t)(i + 1));
        Move m = e->moves[0][i];
        e->moves[0][i] = e->moves[0][j], e->moves[0][j] = m;
    }
}

static void think(Engine *e) {
    Move best = {NONE, {NONE, NONE}};
    char text[16] = "0000";  /* 8.9: in a finished position */
    int depth = 1, score = 0;
    e->nodes = 0, e->stop = false;
    make_room(&e->game, PLIES + 1);
    e->roots = outcome(&e->game) ? 0 : moves_of(&e->game.rules, last(&e->game), e->moves[0], MAX_MOVES);
    shuffle(e);
    for (; e->roots && depth <= e->limits.depth && !e->stop; depth++) {
        score = search(e, 0, depth, -MATE - 1, MATE + 1);
        if (e->stop && depth > 1) break;  /* the first depth counts as far as it has come */
        best = e->pv_length[0] ? e->pv[0][0] : e->moves[0][0];
        if (!e->pv_length[0]) score = evaluate(&e->game.rules, last(&e->game));
        info(e, depth, score, e->pv_length[0] ? e->pv[0] : &best, e->pv_length[0] ? e->pv_length[0] : 1);
        for (int i = 0; i < e->roots; i++)  /* the best move goes to the front */
            if (!memcmp(&e->moves[0][i], &best, sizeof best)) {
                memmove(e->moves[0] + 1, e->moves[0], (size_t)i * sizeof best);
                e->moves[0][0] = best;
            }
        if (abs(score) > MATE - PLIES) break;
    }
    while (e->limits.infinite && !e->stop && !e->quit) hear_at_work(e, true);  /* 7.8 */
    if (e->roots) write_move(&best, text);
    if (!e->quit) SAY(e, "bestmove %s", text);
}

/* 9.7: repetition is not counted, a game that ends sooner adds nothing. */
static uint64_t perft(Engine *e, const Position *p, int depth, int ply) {
    if (depth == 0) return 1;
    Position after;
    uint64_t sum = 0;
    int n = moves_of(&e->game.rules, p, e->moves[ply], MAX_MOVES);
    if (depth == 1) return (uint64_t)n;
    for (int i = 0; i < n && !node(e); i++) {
        play(&e->game.rules, p, &e->moves[ply][i], &after);
        sum += perft(e, &after, depth - 1, ply + 1);
    }
    return sum;
}

/* ---- Commands ---- */

/* A variant's rules, and its start board in `text`; false for a name that is none. */
static bool find_variant(const char *name, Rules *r, char *text, size_t room) {
    long size = strncmp(name, "callanish-", 10) ? -1 : number(name + 10, 5, 25);
    *r = (Rules){.drawn = !strcmp(name, "callanish")};
    if (size % 2 == 1 && name[10] != '0') {
        for (long i = 0, n = 0; i < size; i++) n += snprintf(text + n, room - (size_t)n, i ? "/%ld" : "%ld", size);
        return true;
    }
    for (int i = 0; i < VARIANTS; i++) {
        if (strcmp(name, variant_table[i].name)) continue;
        snprintf(text, room, "%s", variant_table[i].board);
        r->tafl = variant_table[i].knobs != NULL, r->p2_first = variant_table[i].p2_first;
        return set_knobs(r->knob, "centre_stop=king") && (!r->tafl || set_knobs(r->knob, variant_table[i].knobs));
    }
    return false;
}

/* 6.1: fills the spare game. The board NULL is the start. NULL is success, else what is wrong. */
static const char *set_up(Engine *e, const char *board, const char *side, const char *turn) {
    Game *g = &e->spare;
    Position start;
    char text[128];
    g->length = 0;
    make_room(g, 1);
    if (!find_variant(e->variant, &g->rules, text, sizeof text) || !set_knobs(g->rules.knob, e->rules)
        || !read_board(text, &g->rules, &start)) return "no such game";
    if (g->rules.p2_first) start.side = P2;
    g->list[g->length++] = start;
    if (board) {
        Position *p = last(g);
        int kings = 0, squares = 0, misfits = 0;
        if (!read_board(board, &g->rules, p)) return "not a board";
        if (!side || (strcmp(side, "p1") && strcmp(side, "p2"))) return "the side is p1 or p2";
        p->side = side[1] == '1' ? P1 : P2;
        p->turn = turn ? number(turn, 1, 1000000000) : 1;
        if (p->turn < 1) return "the turn is a number from 1";
        for (int i = 0; i < SQUARES; i++) {
            bool king = g->rules.tafl && p->cell[i] == KING;
            if (king && escaped(&g->rules, i / SIDE, i % SIDE)) return "the king has escaped";
            kings += king, squares += p->cell[i] != HOLE, misfits += (p->cell[i] == HOLE) != (start.cell[i] == HOLE);
        }
        if (g->rules.tafl && kings != 1) return "there is not one king";
        if (g->rules.drawn ? squares < 2 : misfits > 0) return "not a board of this game";
    }
    judge(&g->rules, last(g));
    return NULL;
}

static void swap_in(Engine *e) {
    Game g = e->game;
    e->game = e->spare, e->spare = g;
}

static void reset(Engine *e) {
    if (!set_up(e, NULL, NULL, NULL)) swap_in(e);
}

static bool find_move(Engine *e, const Game *g, const char *text, Move *m) {
    if (!read_move(text, m) || outcome(g)) return false;
    for (int i = moves_of(&g->rules, last(g), e->moves[0], MAX_MOVES); i-- > 0; )
        if (!memcmp(&e->moves[0][i], m, sizeof *m)) return true;
    return false;
}

/* 6.7: after an error the position before stands. */
static void command_position(Engine *e, char *rest) {
    char *kind = word(&rest), *board = NULL, *side = NULL, *turn = NULL, *next = NULL;
    if (kind && !strcmp(kind, "fen")) {
        board = word(&rest), side = word(&rest), turn = word(&rest);
        if (turn && !strcmp(turn, "moves")) next = turn, turn = NULL;
    }
    if (!kind || (strcmp(kind, "startpos") && !board)) { SAY(e, "error position needs startpos or fen"); return; }
    if (!next) next = word(&rest);
    const char *wrong = set_up(e, board, side, turn);
    if (!wrong && next && strcmp(next, "moves")) wrong = "moves should follow";
    for (char *text; !wrong && next && (text = word(&rest)); ) {
        Move m;
        if (!find_move(e, &e->spare, text, &m)) { SAY(e, "error illegal move %.20s", text); return; }
        make_room(&e->spare, 1);
        play(&e->spare.rules, last(&e->spare), &m, last(&e->spare) + 1);
        e->spare.length++;
    }
    if (wrong) SAY(e, "error %s", wrong);
    else swap_in(e);
}

/* 4.1: names and values may have blanks; 4.3: what does not fit leaves the option as it was. */
static void command_setoption(Engine *e, char *rest) {
    char name[64] = "", value[1024] = "", board[128], *into = name, *next = word(&rest);
    size_t room = sizeof name;
    int knobs[KNOBS] = {0};
    Rules rules;
    if (!next || strcmp(next, "name")) { SAY(e, "error setoption needs name"); return; }
    while ((next = word(&rest))) {
        if (into == name && !strcmp(next, "value")) { into = value, room = sizeof value; continue; }
        if (strlen(into) + strlen(next) + 2 > room) { SAY(e, "error the option is too long"); return; }
        if (*into) strcat(into, " ");
        strcat(into, next);
    }
    for (char *c = name; *c; c++) if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    if (!strcmp(value, "<empty>")) *value = 0;
    bool truth = !strcmp(value, "true"), good = true;
    if (!strcmp(name, "seed")) {
        long seed = number(value, 0, 2147483647);
        if ((good = seed >= 0)) e->seed = seed;
    } else if (!strcmp(name, "ugi_movestogo")) {
        if ((good = truth || !strcmp(value, "false"))) e->moves_to_go = truth;
    } else if (!strcmp(name, "ugi_variant")) {
        if ((good = find_variant(value, &rules, board, sizeof board))) strcpy(e->variant, value), reset(e);
    } else if (!strcmp(name, "ugi_rules")) {
        if ((good = set_knobs(knobs, value))) strcpy(e->rules, value), reset(e);
    } else if (strcmp(name, "ugi_queries")) good = false;  /* this one only tells */
    if (!good) SAY(e, "error cannot set option %s", name);
}

/* 7.3 to 7.8: every limit that is given holds; words unknown are skipped; without any limit it is a second. */
static void command_go(Engine *e, char *rest) {
    enum { P1TIME, P2TIME, P1INC, P2INC, MOVESTOGO, MOVETIME, NODES, DEPTH, KINDS };
    static const char *const names[KINDS] = {"p1time", "p2time", "p1inc", "p2inc",
                                             "movestogo", "movetime", "nodes", "depth"};
    int64_t given[KINDS] = {0};  /* 0: not given */
    bool infinite = false;
    e->started_ms = e->heard_ms = now_ms();
    for (char *next = word(&rest); next; next = word(&rest)) {
        infinite |= !strcmp(next, "infinite");
        for (int i = 0; i < KINDS; i++) {
            if (strcmp(next, names[i])) continue;
            char *text = word(&rest);
            long long n = text ? strtoll(text, NULL, 10) : 0;
            given[i] = n >= 1 ? n < 1000000000000 ? n : 1000000000000 : i != P1INC && i != P2INC;
            break;
        }
    }
    bool p1 = last(&e->game)->side == P1;
    int64_t time = given[p1 ? P1TIME : P2TIME], inc = given[p1 ? P1INC : P2INC], ms = SLOWEST_MS;
    if (time) {
        int64_t share = time / (given[MOVESTOGO] && e->moves_to_go ? given[MOVESTOGO] + 1 : 25) + inc * 3 / 4;
        int64_t most = time - (time > 80 ? 40 : time / 2 + 1);  /* 7.4: a clock of 1 ms leaves none */
        ms = share < most ? share : most;
    } else if (!given[MOVETIME] && !given[NODES] && !given[DEPTH]) ms = 1000;
    int64_t whole = given[MOVETIME] - given[MOVETIME] / 20 - 1;
    if (given[MOVETIME] && whole < ms) ms = whole;
    e->limits = (Limits){.nodes = UINT64_MAX, .depth = PLIES - 1, .ms = INT64_MAX, .infinite = infinite};
    if (!infinite) e->limits.ms = ms;
    if (!infinite && given[NODES]) e->limits.nodes = (uint64_t)given[NODES];
    if (!infinite && given[DEPTH] && given[DEPTH] < PLIES) e->limits.depth = (int)given[DEPTH];
    think(e);
}

static void query_perft(Engine *e, const char *text) {
    long depth = number(text, 0, PLIES);
    if (depth < 0) { SAY(e, "error perft needs a depth from 0 to %d", PLIES); return; }
    e->limits = (Limits){.nodes = UINT64_MAX, .ms = INT64_MAX};
    e->nodes = 0, e->stop = false, e->counting = true;
    uint64_t sum = perft(e, last(&e->game), (int)depth, 0);
    e->counting = false;
    SAY(e, "response %llu", (unsigned long long)sum);
}

static void command_query(Engine *e, char *rest) {
    static const char *const results[] = {"none", "p1win", "p2win", "draw"};
    const Game *g = &e->game;
    char *what = word(&rest), *argument = word(&rest), text[1024];
    Move m;
    if (!what) SAY(e, "error query what?");
    else if (!strcmp(what, "p1turn")) SAY(e, "response %s", last(g)->side == P1 ? "true" : "false");
    else if (!strcmp(what, "gameover")) SAY(e, "response %s", outcome(g) ? "true" : "false");
    else if (!strcmp(what, "result")) SAY(e, "response %s", results[outcome(g)]);
    else if (!strcmp(what, "islegal") && !argument) SAY(e, "error islegal needs a move");
    else if (!strcmp(what, "islegal")) SAY(e, "response %s", find_move(e, g, argument, &m) ? "true" : "false");
    else if (!strcmp(what, "perft")) query_perft(e, argument);
    else if (!strcmp(what, "fen")) {
        write_position(&g->rules, last(g), text, sizeof text);
        SAY(e, "response %s", text);
    } else if (!strcmp(what, "legalmoves")) {
        int n = outcome(g) ? 0 : moves_of(&g->rules, last(g), e->moves[0], MAX_MOVES);
        put(e, "response %d", n);
        for (int i = 0; i < n; i++) write_move(&e->moves[0][i], text), put(e, " %s", text);
        send_line(e);
    } else SAY(e, "error unknown query %.20s", what);
}

static void command_ugi(Engine *e) {
    SAY(e, "id name Independent");
    SAY(e, "id version 1");
    SAY(e, "id author The authors of Callanish Arena");
    put(e, "option name UGI_Variant type combo default callanish-9");
    for (int n = 5; n <= 25; n += 2) put(e, " var callanish-%d", n);
    for (int i = 0; i < VARIANTS; i++) put(e, " var %s", variant_table[i].name);
    send_line(e);
    SAY(e, "option name UGI_Rules type string default <empty>");
    SAY(e, "option name UGI_MovesToGo type check default true");
    SAY(e, "option name UGI_Queries type string default legalmoves islegal fen perft");
    SAY(e, "option name Seed type spin default 1 min 0 max 2147483647");
    SAY(e, "ugiok");
}

static void command(Engine *e, char *line) {
    char *first = word(&line);
    if (!first) return;  /* 2.3: blank lines; unknown words, `stop` (14.1) and `gameover` (9.10) are passed over too */
    if (!strcmp(first, "ugi")) command_ugi(e);
    else if (!strcmp(first, "isready")) SAY(e, "readyok");
    else if (!strcmp(first, "setoption")) command_setoption(e, line);
    else if (!strcmp(first, "uginewgame")) reset(e);
    else if (!strcmp(first, "position")) command_position(e, line);
    else if (!strcmp(first, "go")) command_go(e, line);
    else if (!strcmp(first, "query")) command_query(e, line);
    else if (!strcmp(first, "quit")) e->quit = true;
}

int main(void) {
    Engine *e = calloc(1, sizeof *e);
    if (!e) return 1;
    signal(SIGPIPE, SIG_IGN);  /* 14.4: write tells; SIGTERM ends it as it ends any program (10.7) */
    strcpy(e->variant, "callanish-9");
    e->seed = 1, e->moves_to_go = true;
    reset(e);
    while (!e->quit) {
        char *line = cut_line(e, &e->in_from);
        if (line) line[strcspn(line, "\n")] = 0, e->in_seen = e->in_from, command(e, line);
        else hear(e, true);
    }
    free(e->game.list);
    free(e->spare.list);
    free(e->in);
    free(e);
    return 0;
}
