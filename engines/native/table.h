/* The transposition table: what the search knows of positions that it has met.

   All threads share it without locks. An entry is two words: its data, and its key XORed with the data. If two threads
   write an entry at once, the words do not fit together and the entry counts as absent. */

#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

typedef struct {
    uint64_t check, data;
} slot_t;

typedef struct {
    slot_t *slots;
    uint64_t mask;
    unsigned age;
    uint8_t *written; /* by large page: whether anything was ever put there */
} table_t;

typedef struct {
    uint32_t move;
    int score, depth, bound;
} entry_t;

enum { BUCKET = 4, AGES = 64, HUGE_PAGE = 1 << 21 };

static inline size_t table_size(const table_t *table)
{
    return (table->mask + 1) * sizeof(slot_t);
}

/* Only pages that were written are emptied: the system must find memory for any other that is touched. */
static void table_clear(table_t *table)
{
    size_t size = table->slots ? table_size(table) : 0;
    for (size_t start = 0; start < size; start += HUGE_PAGE) {
        if (!table->written[start / HUGE_PAGE])
            continue;
        memset((char *)table->slots + start, 0, size - start < HUGE_PAGE ? size - start : HUGE_PAGE);
        table->written[start / HUGE_PAGE] = 0;
    }
    table->age = 0;
}

static void table_free(table_t *table)
{
    if (table->slots)
        munmap(table->slots, table_size(table));
    free(table->written);
    table->slots = NULL;
    table->written = NULL;
}

/* Empty memory that is taken only where it is used. It begins where a large page may begin: with large pages the
   processor finds an entry sooner, and a bucket is one line of its cache. */
static slot_t *table_memory(size_t size)
{
    char *memory = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)memory & (HUGE_PAGE - 1);
    if (before)
        munmap(memory, before);
    if (before < HUGE_PAGE)
        munmap(memory + before + size, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(memory + before, size, MADV_HUGEPAGE); /* advice: where it is not taken, only the speed is another */
#endif
    return (slot_t *)(memory + before);
}

/* Has the system find the memory of a table that is not larger than these. Where each large page is first met in a
   search, the first searches do little else. */
enum { TOUCHED_AT_ONCE = 256 << 20 };

static void table_touch(slot_t *slots, size_t size)
{
    for (size_t start = 0; start < size && size <= TOUCHED_AT_ONCE; start += HUGE_PAGE)
        *(volatile char *)((char *)slots + start) = 0;
}

/* Gives the table so many MB, and empties it. Returns 0 if there is not so much memory; then it is as it was. */
static int table_resize(table_t *table, unsigned megabytes)
{
    uint64_t count = 1024;
    while (count * 2 * sizeof(slot_t) <= (uint64_t)megabytes << 20)
        count *= 2;
    if (table->slots && table->mask == count - 1) {
        table_clear(table);
        return 1;
    }
    uint8_t *written = calloc(count * sizeof(slot_t) / HUGE_PAGE + 1, 1);
    slot_t *slots = written ? table_memory(count * sizeof(slot_t)) : NULL;
    if (!slots) {
        free(written);
        return 0;
    }
    table_free(table);
    table_touch(slots, count * sizeof(slot_t));
    table->slots = slots;
    table->written = written;
    table->mask = count - 1;
    table->age = 0;
    return 1;
}

static inline slot_t *table_bucket(const table_t *table, uint64_t key)
{
    return table->slots + (key & table->mask & ~(uint64_t)(BUCKET - 1));
}

static inline int table_get(const table_t *table, uint64_t key, entry_t *found)
{
    const slot_t *slot = table_bucket(table, key);
    for (int number = 0; number < BUCKET; number++, slot++) {
        uint64_t data = __atomic_load_n(&slot->data, __ATOMIC_RELAXED);
        if ((__atomic_load_n(&slot->check, __ATOMIC_RELAXED) ^ data) == key && data) {
            found->move = (uint32_t)data;
            found->score = (int16_t)(data >> 32);
            found->depth = (int8_t)(data >> 48);
            found->bound = (int)(data >> 56 & 3);
            return 1;
        }
    }
    return 0;
}

static inline void table_put(table_t *table, uint64_t key, uint32_t move, int score, int depth, int bound)
{
    slot_t *bucket = table_bucket(table, key), *worst = bucket;
    int least = 1 << 20;
    for (int number = 0; number < BUCKET; number++) {
        slot_t *slot = bucket + number;
        uint64_t data = __atomic_load_n(&slot->data, __ATOMIC_RELAXED);
        if ((__atomic_load_n(&slot->check, __ATOMIC_RELAXED) ^ data) == key || !data) {
            if (data) {
                /* A deeper result of this search stays, unless the new one is exact. */
                if (bound != BOUND_EXACT && (int8_t)(data >> 48) > depth + 2 && data >> 58 == table->age)
                    return;
                if (!move)
                    move = (uint32_t)data;
            }
            worst = slot;
            break;
        }
        int older = (int)((table->age - (unsigned)(data >> 58)) & (AGES - 1));
        int worth = (int8_t)(data >> 48) - 8 * older;
        if (worth < least) {
            least = worth;
            worst = slot;
        }
    }
    uint64_t data = (uint64_t)move | (uint64_t)(uint16_t)(int16_t)score << 32 | (uint64_t)(uint8_t)(int8_t)depth << 48
                    | (uint64_t)bound << 56 | (uint64_t)table->age << 58;
    uint8_t *written = table->written + (size_t)((char *)worst - (char *)table->slots) / HUGE_PAGE;
    if (!__atomic_load_n(written, __ATOMIC_RELAXED))
        __atomic_store_n(written, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&worst->check, key ^ data, __ATOMIC_RELAXED);
    __atomic_store_n(&worst->data, data, __ATOMIC_RELAXED);
}

#endif
