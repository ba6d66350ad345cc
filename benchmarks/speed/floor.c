/* The least that any referee pays: two engines over pipes, without rules, clocks or records.
 *
 *     floor GAMES GAME ENGINE [ARGUMENT...]
 *
 * Sends what the referee sends, waits with poll and a deadline, reads: `position` and `isready` in one write, `readyok`,
 * then `go`, `bestmove`. GAME is a file of move words; the engines are trusted to know it too. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEADLINE_MS = 10000, MOST_PLIES = 1024, WORD = 8, LINE = 64 + MOST_PLIES * (WORD + 1) };

#define GO "go p1time 600000 p2time 600000 p1inc 1000 p2inc 1000\n"

typedef struct { int in, out; pid_t pid; } Engine;

static void fail(const char *why) {
    fprintf(stderr, "floor: %s\n", why);
    exit(1);
}

static Engine start(char **command) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) fail("no pipe");
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execv(command[0], command);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (Engine){in[1], out[0], pid};
}

static void say(const Engine *e, const char *text, size_t length) {
    if (write(e->in, text, length) != (ssize_t)length) fail("an engine does not read");
}

/* Waits for the line that starts with `due`; what else comes is passed over. */
static void hear(const Engine *e, const char *due) {
    char buffer[4096];
    size_t have = 0;
    struct pollfd ready = {e->out, POLLIN, 0};
    for (;;) {
        if (poll(&ready, 1, DEADLINE_MS) <= 0) fail("an engine is silent");
        ssize_t more = read(e->out, buffer + have, sizeof buffer - 1 - have);
        if (more <= 0) fail("an engine is gone");
        buffer[have += (size_t)more] = 0;
        if (buffer[have - 1] != '\n') continue;
        char *last = memrchr(buffer, '\n', have - 1);
        if (!strncmp(last ? last + 1 : buffer, due, strlen(due))) return;
    }
}

static void ask(const Engine *e, const char *text, const char *due) {
    say(e, text, strlen(text));
    hear(e, due);
}

int main(int argc, char **argv) {
    static char words[MOST_PLIES][WORD + 1], line[LINE + 128];
    int plies = 0;
    if (argc < 4) fail("usage: floor GAMES GAME ENGINE [ARGUMENT...]");
    int games = atoi(argv[1]);
    FILE *file = fopen(argv[2], "r");
    if (!file) fail("cannot read GAME");
    while (plies < MOST_PLIES && fscanf(file, "%8s", words[plies]) == 1) plies++;
    fclose(file);
    signal(SIGPIPE, SIG_IGN);
    Engine engines[2] = {start(argv + 3), start(argv + 3)};
    for (int i = 0; i < 2; i++) ask(&engines[i], "ugi\n", "ugiok");
    for (int game = 0; game < games; game++) {
        for (int i = 0; i < 2; i++) ask(&engines[i], "uginewgame\nisready\n", "readyok");
        size_t length = (size_t)sprintf(line, "position startpos");
        for (int ply = 0; ply < plies; ply++) {
            /* The second engine has p1 in every other game, as in a match. */
            const Engine *e = &engines[(ply + game) % 2];
            sprintf(line + length, "\nisready\n");
            ask(e, line, "readyok");
            ask(e, GO, "bestmove ");
            if (ply == 0) length += (size_t)sprintf(line + length, " moves");
            length += (size_t)sprintf(line + length, " %s", words[ply]);
        }
    }
    for (int i = 0; i < 2; i++) {
        say(&engines[i], "quit\n", 5);
        waitpid(engines[i].pid, NULL, 0);
    }
    return 0;
}
