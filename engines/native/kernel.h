/* What a shared library exports: an engine that searches in threads of its own while its caller waits and reads.

   Included last. The game has defined, beside what `search.h` asks for,

     ROOT_WORDS                            the words of a position as the caller gives it
     int  game_setup(env, settings)        the fixed part; 0 if it is beyond this library
     void game_root(env, words, board)     reads a position
     void game_words(env, board, words)    writes it again
     void game_close(env)                  frees what game_setup has taken

   Every name begins with ENGINE and WORDS, such as stornoway_1_new. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define JOIN2(a, b, c) a##_##b##_##c
#define JOIN(a, b, c) JOIN2(a, b, c)
#define EXPORT(name) JOIN(ENGINE, WORDS, name)

#pragma GCC visibility push(default)

enum { MOST_THREADS = 64 };

typedef struct {
    search_t search; /* first, so that a search leads to its engine */
    table_t table;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int running, finished;
    board_t root;
    uint64_t *keys;
    int key_count;
    report_t report;
} engine_t;

static void tell(search_t *search, const report_t *report)
{
    engine_t *engine = (engine_t *)search;
    pthread_mutex_lock(&engine->lock);
    engine->report = *report;
    pthread_mutex_unlock(&engine->lock);
}

static int worker_open(worker_t *worker, engine_t *engine, int number)
{
    worker->search = &engine->search;
    worker->env = engine->search.env;
    worker->number = number;
    worker->buffer = malloc(sizeof(scored_t) * MOST_MOVES * MOST_PLIES);
    worker->order = malloc(sizeof(int32_t) * MOST_MOVES * MOST_PLIES);
    worker->keys = NULL;
    return worker->buffer && worker->order;
}

/* Returns 0 if there is no memory for the keys of the game; the worker must not search then. */
static int worker_begin(worker_t *worker, const engine_t *engine)
{
    uint64_t *keys = realloc(worker->keys, sizeof(uint64_t) * (size_t)(engine->key_count + MOST_PLIES + 2));
    if (!keys)
        return 0;
    worker->keys = keys;
    memcpy(keys, engine->keys, sizeof(uint64_t) * (size_t)engine->key_count);
    const limits_t *limits = &engine->search.limits;
    worker->nodes = 0;
    worker->stopped = 0;
    worker->next_look = limits->nodes && limits->nodes < EARLY_LOOK_EVERY ? limits->nodes : EARLY_LOOK_EVERY;
    worker->random = (uint64_t)limits->seed * 1000003 + (uint64_t)worker->number;
    memset(worker->killers, 0, sizeof worker->killers);
    memset(worker->counters, 0, sizeof worker->counters);
    for (int side = 0; side < 2; side++)
        for (int entry = 0; entry < HISTORY_SIZE; entry++)
            worker->history[side][entry] = 0;
    memset(&worker->result, 0, sizeof worker->result);
    worker->result.serial = 0;
    worker->keys_before = engine->key_count;
    return 1;
}

typedef struct {
    worker_t *worker;
    const board_t *root;
} task_t;

static void *helper_main(void *argument)
{
    task_t *task = argument;
    iterate(task->worker, task->root);
    return NULL;
}

static int open_workers(engine_t *engine, int wanted)
{
    search_t *search = &engine->search;
    if (wanted > search->worker_count) {
        worker_t *workers = realloc(search->workers, sizeof(worker_t) * (size_t)wanted);
        if (!workers)
            return search->worker_count;
        search->workers = workers;
        while (search->worker_count < wanted && worker_open(workers + search->worker_count, engine, search->worker_count))
            search->worker_count++;
    }
    return wanted < search->worker_count ? wanted : search->worker_count;
}

static void *main_thread(void *argument)
{
    engine_t *engine = argument;
    search_t *search = &engine->search;
    int count = (int)search->limits.threads;
    pthread_t helpers[MOST_THREADS];
    task_t tasks[MOST_THREADS];
    int started = 1;
    engine->table.age = (engine->table.age + 1) & (AGES - 1);
    for (; started < count; started++) {
        tasks[started] = (task_t){search->workers + started, &engine->root};
        if (pthread_create(helpers + started, NULL, helper_main, tasks + started))
            break;
    }
    worker_t *first = search->workers;
    iterate(first, &engine->root);
    search->stop = 1;
    for (int number = 1; number < started; number++) {
        pthread_join(helpers[number], NULL);
        first->result.nodes += (int64_t)search->workers[number].nodes;
    }
    pthread_mutex_lock(&engine->lock);
    engine->report = first->result;
    engine->report.serial++;
    engine->report.time_ns = now_ns() - search->limits.start_ns;
    engine->finished = 1;
    pthread_cond_signal(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

/* A new engine for a board; NULL if the board is too large for this library, or memory is short. */
engine_t *EXPORT(new)(const int64_t *settings)
{
    engine_t *engine = calloc(1, sizeof *engine);
    env_t *env = calloc(1, sizeof *env);
    if (!engine || !env || !game_setup(env, settings)) {
        free(engine);
        free(env);
        return NULL;
    }
    search_tables();
    engine->search.env = env;
    env->table = engine->search.table = &engine->table;
    engine->search.tell = tell;
    pthread_mutex_init(&engine->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&engine->changed, &monotonic);
    return engine;
}

/* Waits for the end of the search, for at most so many microseconds. Returns 1 once it has ended. */
int EXPORT(wait)(engine_t *engine, int64_t most_us)
{
    if (!engine->running)
        return 1;
    int64_t until_ns = now_ns() + most_us * 1000;
    struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
    pthread_mutex_lock(&engine->lock);
    while (!engine->finished && now_ns() < until_ns)
        pthread_cond_timedwait(&engine->changed, &engine->lock, &until);
    int finished = engine->finished;
    pthread_mutex_unlock(&engine->lock);
    if (finished) {
        pthread_join(engine->thread, NULL);
        engine->running = 0;
    }
    return finished;
}

void EXPORT(stop)(engine_t *engine)
{
    engine->search.stop = 1;
}

void EXPORT(free)(engine_t *engine)
{
    EXPORT(stop)(engine);
    while (!EXPORT(wait)(engine, 1000000))
        ;
    for (int number = 0; number < engine->search.worker_count; number++) {
        free(engine->search.workers[number].buffer);
        free(engine->search.workers[number].order);
        free(engine->search.workers[number].keys);
    }
    free(engine->search.workers);
    table_free(&engine->table);
    free(engine->keys);
    game_close(engine->search.env);
    free(engine->search.env);
    free(engine);
}

/* Empties the table and gives it so many MB. Returns 0 if there is not so much memory. */
int EXPORT(resize)(engine_t *engine, int64_t megabytes)
{
    return table_resize(&engine->table, (unsigned)megabytes);
}

static int prepare(engine_t *engine, const uint64_t *root, const uint64_t *history, int64_t count,
                   const limits_t *limits)
{
    search_t *search = &engine->search;
    search->limits = *limits;
    if (search->limits.threads < 1)
        search->limits.threads = 1;
    if (search->limits.threads > MOST_THREADS)
        search->limits.threads = MOST_THREADS;
    search->stop = 0;
    engine->finished = 0;
    memset(&engine->report, 0, sizeof engine->report);
    uint64_t *keys = realloc(engine->keys, sizeof(uint64_t) * (size_t)(count + 1));
    if (!keys)
        return 0;
    engine->keys = keys;
    engine->key_count = (int)count;
    for (int64_t number = 0; number < count; number++) {
        board_t board;
        game_root(search->env, history + number * ROOT_WORDS, &board);
        keys[number] = board.key;
    }
    game_root(search->env, root, &engine->root);
    int opened = open_workers(engine, (int)search->limits.threads), ready = 0;
    while (ready < opened && worker_begin(search->workers + ready, engine))
        ready++;
    search->limits.threads = ready;
    return ready > 0;
}

/* Starts a search and returns at once. `history` are the positions before `root`, the oldest first.
   Returns 0 if no thread could be started, or memory is short. */
int EXPORT(start)(engine_t *engine, const uint64_t *root, const uint64_t *history, int64_t count, const limits_t *limits)
{
    engine->running = prepare(engine, root, history, count, limits)
                      && pthread_create(&engine->thread, NULL, main_thread, engine) == 0;
    return engine->running;
}

/* The same in the thread of the caller, for the many short searches of self-play. */
int EXPORT(think)(engine_t *engine, const uint64_t *root, const uint64_t *history, int64_t count, const limits_t *limits)
{
    if (!prepare(engine, root, history, count, limits))
        return 0;
    main_thread(engine);
    return 1;
}

/* The latest report. Its `serial` tells whether it is new. */
void EXPORT(report)(engine_t *engine, report_t *report)
{
    pthread_mutex_lock(&engine->lock);
    *report = engine->report;
    pthread_mutex_unlock(&engine->lock);
}

/* For tests: the rules and the evaluation, as the search sees them. */

static uint64_t count_leaves(const env_t *env, const board_t *board, int depth)
{
    scored_t moves[MOST_MOVES];
    uint64_t sum = 0;
    int count = board->outcome == PLAYING ? game_generate(env, board, GENERATE_ALL, moves) : 0;
    if (depth <= 1)
        return depth ? (uint64_t)count : 1;
    for (int number = 0; number < count; number++) {
        board_t next;
        game_play(env, board, moves[number].move, &next);
        sum += count_leaves(env, &next, depth - 1);
    }
    return sum;
}

uint64_t EXPORT(perft)(engine_t *engine, const uint64_t *root, int64_t depth)
{
    board_t board;
    game_root(engine->search.env, root, &board);
    return count_leaves(engine->search.env, &board, (int)depth);
}

/* The moves of a kind. `moves` has room for MOST_MOVES. */
int EXPORT(moves)(engine_t *engine, const uint64_t *root, int64_t kind, uint32_t *moves)
{
    board_t board;
    scored_t found[MOST_MOVES];
    game_root(engine->search.env, root, &board);
    int count = board.outcome == PLAYING ? game_generate(engine->search.env, &board, (int)kind, found) : 0;
    for (int number = 0; number < count; number++)
        moves[number] = found[number].move & ~MOVE_FORCING;
    return count;
}

int EXPORT(most_moves)(void)
{
    return MOST_MOVES;
}

/* Plays a move as the search does, and writes the position after it. Returns 0 if its key is not that of a position
   that was set up anew. */
int EXPORT(play)(engine_t *engine, const uint64_t *root, uint32_t move, uint64_t *after)
{
    board_t board, next, again;
    game_root(engine->search.env, root, &board);
    game_play(engine->search.env, &board, move, &next);
    game_words(engine->search.env, &next, after);
    game_root(engine->search.env, after, &again);
    return again.key == next.key && again.outcome == next.outcome
           && (next.outcome != PLAYING
               || (game_evaluate(engine->search.env, &again) == game_evaluate(engine->search.env, &next)
                   && game_threatened(engine->search.env, &again) == game_threatened(engine->search.env, &next)));
}

int EXPORT(outcome)(engine_t *engine, const uint64_t *root)
{
    board_t board;
    game_root(engine->search.env, root, &board);
    return board.outcome;
}

int EXPORT(evaluate)(engine_t *engine, const uint64_t *root)
{
    board_t board;
    game_root(engine->search.env, root, &board);
    return game_evaluate(engine->search.env, &board);
}

/* For tuning: which weights the evaluation of a position adds up. Only where a game says GAME_FEATURES. */
#ifdef GAME_FEATURES
int EXPORT(weight_count)(void)
{
    return WEIGHTS;
}

/* Reads the weights in use, and puts others in their place. */
void EXPORT(get_weights)(engine_t *engine, int16_t *weights)
{
    memcpy(weights, engine->search.env->weights, sizeof(int16_t) * WEIGHTS);
}

/* Evaluate with the plain weights from now on. */
int EXPORT(plain)(engine_t *engine)
{
    memset(engine->search.env->weights, 0, sizeof(int16_t) * WEIGHTS);
    game_plain(engine->search.env, engine->search.env->weights);
    table_clear(&engine->table);
    return game_reweigh(engine->search.env);
}

int EXPORT(set_weights)(engine_t *engine, const int16_t *weights)
{
    memcpy(engine->search.env->weights, weights, sizeof(int16_t) * WEIGHTS);
    table_clear(&engine->table);
    return game_reweigh(engine->search.env);
}

/* The number of a weight and how often it counts, in turn. Returns how many pairs there are, of which `pairs` gets as
   many as it has room for. -1 where a search decides anyway. */
int EXPORT(features)(engine_t *engine, const uint64_t *root, int32_t *pairs, int64_t room)
{
    board_t board;
    game_root(engine->search.env, root, &board);
    if (board.outcome != PLAYING || game_threatened(engine->search.env, &board))
        return -1;
    return game_features(engine->search.env, &board, pairs, room);
}

/* For a weight of the evaluation, the weight by which moves are sorted that stands for the same; -1 if there is none. */
int EXPORT(guess)(int weight)
{
    return game_guess(weight);
}
#endif

#pragma GCC visibility pop
