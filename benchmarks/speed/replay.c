/* An engine for measuring: replays one prepared game by ply number, and stamps its own time.
 *
 *     replay GAME CAPACITY [spin|sleep MICROSECONDS]
 *
 * GAME is a file of move words split by blanks. Speaks the protocol of protocol/SPEC.md, and enough of UCI for other
 * referees. Knows no rules: which ply is due follows from the position before its first `go` of a game and from
 * counting its own moves. Between `go` and `bestmove` it burns so much CPU time, or sleeps so long, as it was told;
 * else it answers at once.
 *
 * The stamps (CLOCK_MONOTONIC, ns) go to a file of its own, mapped into memory, in $TMPDIR: the one folder that every
 * containment leaves open. Nothing is written at the end, so an engine that was killed has left them too. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PLIES = 1024, WORD = 8, INPUT = 1 << 20, SLACK_NS = 1 };

/* benchmarks/stamps.py reads both as they lie in memory. */
typedef struct { int64_t count, parent; } Head;
typedef struct { int64_t ply, go_ns, best_ns, cpu_ns; } Stamp;

static char words[MOST_PLIES][WORD + 1];
static int plies;
static Head *head;
static Stamp *stamps;
static int64_t capacity;

static int64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void fail(const char *why) {
    fprintf(stderr, "replay: %s\n", why);
    exit(2);
}

static void read_game(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail("cannot read GAME");
    while (plies < MOST_PLIES && fscanf(file, "%8s", words[plies]) == 1) plies++;
    fclose(file);
}

/* All pages are made now: none is met for the first time while a game is timed. */
static void open_stamps(void) {
    const char *folder = getenv("TMPDIR");
    char path[4096];
    size_t size = sizeof(Head) + (size_t)capacity * sizeof(Stamp);
    snprintf(path, sizeof path, "%s/stamps-XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0 || ftruncate(fd, (off_t)size)) fail("cannot write stamps in TMPDIR");
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (memory == MAP_FAILED) fail("cannot map the stamps");
    head = memory;
    stamps = (Stamp *)(head + 1);
    close(fd);
}

static void say(const char *text) {
    size_t length = strlen(text);
    if (write(STDOUT_FILENO, text, length) != (ssize_t)length) exit(1);
}

/* The ply that a position line leads to; only its parity and its being early count. */
static int ply_of(const char *line) {
    const char *moves = strstr(line, " moves ");
    const char *end = moves ? moves : line + strlen(line);
    int ply = 0;
    if (!strncmp(line, "position fen ", 13)) {
        const char *side = strchr(line + 13, ' ');
        ply = side && side < end && (!strncmp(side, " b", 2) || !strncmp(side, " p2", 3));
    }
    if (moves) for (const char *c = moves + 6; (c = strchr(c, ' ')); c++) ply++;
    return ply;
}

static void think(const char *how, int64_t us, Stamp *stamp) {
    int64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    if (!strcmp(how, "spin")) {
        while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < cpu_ns + us * 1000) {}
    } else {
        int64_t until = stamp->go_ns + us * 1000;
        struct timespec t = {until / 1000000000, until % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL)) {}
    }
    stamp->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
}

int main(int argc, char **argv) {
    static char in[INPUT + 1];
    size_t have = 0, from = 0;
    int ply = 0;
    bool going = false;
    const char *how = argc == 5 ? argv[3] : NULL;
    if (argc != 3 && argc != 5) fail("usage: replay GAME CAPACITY [spin|sleep MICROSECONDS]");
    if (how && strcmp(how, "spin") && strcmp(how, "sleep")) fail("spin or sleep");
    int64_t us = how ? atoll(argv[4]) : 0;
    capacity = atoll(argv[2]);
    read_game(argv[1]);
    open_stamps();
    prctl(PR_SET_TIMERSLACK, SLACK_NS);  /* a sleep ends when it was asked to, not 50 us later */
    head->parent = getppid();
    for (;;) {
        char *end = memchr(in + from, '\n', have - from);
        if (!end) {
            memmove(in, in + from, have -= from);
            from = 0;
            ssize_t more = have < INPUT ? read(STDIN_FILENO, in + have, INPUT - have) : 0;
            if (more <= 0) return 0;
            have += (size_t)more;
            continue;
        }
        char *line = in + from;
        *end = 0;
        from = (size_t)(end + 1 - in);
        if (!strncmp(line, "go", 2)) {
            char answer[32];
            Stamp kept = {.go_ns = clock_ns(CLOCK_MONOTONIC)};
            if (how) think(how, us, &kept);
            kept.ply = ply;
            snprintf(answer, sizeof answer, "bestmove %s\n", ply < plies ? words[ply] : "0000");
            ply += 2;
            going = true;
            kept.best_ns = clock_ns(CLOCK_MONOTONIC);
            if (head->count < capacity) stamps[head->count++] = kept;
            say(answer);
        } else if (!strncmp(line, "position", 8)) {
            if (!going) ply = ply_of(line);  /* some referees send the start to both sides, once more before `go` */
        } else if (!strcmp(line, "isready")) {
            say("readyok\n");
        } else if (!strcmp(line, "ugi") || !strcmp(line, "uci")) {
            say(line[1] == 'g' ? "id name Replay\nugiok\n" : "id name Replay\nuciok\n");
        } else if (!strcmp(line, "uginewgame") || !strcmp(line, "ucinewgame")) {
            going = false;
        } else if (!strcmp(line, "quit")) {
            return 0;
        }
    }
}
