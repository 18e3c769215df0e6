/* As much of NCCL as a rank needs, for ranks of one machine that meet in a file: every operation is
 * done when the call returns. Each rank has a slot for each other one; barriers separate steps. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_RANKS = 4, SLOT = 1 << 18, QUEUE = 128, INT32 = 2, FLOAT32 = 7, BFLOAT16 = 9 };
typedef struct { char internal[128]; } unique_id;
struct shared {
    atomic_int arrived, turn;
    char slots[MOST_RANKS][MOST_RANKS][SLOT];
};
struct comm { int rank, ranks; struct shared *shared; };
struct message { int sends, peer; void *memory; size_t bytes; };

static struct message queue[QUEUE];
static int queued, grouped;
static struct comm *talking;

static size_t size(int type) { return type == BFLOAT16 ? 2 : 4; }

static void barrier(struct comm *comm) {
    int turn = atomic_load(&comm->shared->turn);
    if (atomic_fetch_add(&comm->shared->arrived, 1) + 1 == comm->ranks) {
        atomic_store(&comm->shared->arrived, 0);
        atomic_fetch_add(&comm->shared->turn, 1);
    } else {
        while (atomic_load(&comm->shared->turn) == turn) sched_yield();
    }
}

const char *ncclGetErrorString(int code) { return code == 4 ? "invalid argument" : "unhandled error"; }
const char *ncclGetLastError(void *comm) { (void)comm; return ""; }
int ncclGetVersion(int *version) { *version = 22809; return 0; }
int ncclGetUniqueId(unique_id *id) {
    memset(id, 0, sizeof *id);
    snprintf(id->internal, sizeof id->internal, "/dev/shm/holdfast-pretended-%d", (int)getpid());
    return 0;
}
int ncclCommInitRank(struct comm **result, int ranks, unique_id id, int rank) {
    static struct comm comm;
    int file = open(id.internal, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ranks > MOST_RANKS || ftruncate(file, sizeof(struct shared)) != 0) return 4;
    comm = (struct comm){rank, ranks, mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)};
    close(file);
    barrier(&comm);
    if (rank == 0) unlink(id.internal);
    *result = &comm;
    return 0;
}
int ncclCommGetAsyncError(struct comm *comm, int *code) { *code = 0; return comm != NULL ? 0 : 4; }

/* Everybody shows everybody its bytes; what is made of them is up to the caller, before done(). */
static void show(struct comm *comm, const void *from, size_t bytes) {
    memcpy(comm->shared->slots[comm->rank][0], from, bytes);
    barrier(comm);
}
static void done(struct comm *comm) { barrier(comm); }

static float number(const char *at, int type) {
    uint32_t bits;
    float value;
    if (type == BFLOAT16) {
        uint16_t half;
        memcpy(&half, at, 2);
        bits = (uint32_t)half << 16;
        memcpy(&value, &bits, 4);
    } else if (type == INT32) {
        memcpy(&bits, at, 4);
        value = (float)(int32_t)bits;
    } else {
        memcpy(&value, at, 4);
    }
    return value;
}
static void put(char *at, int type, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    if (type == BFLOAT16) {
        uint16_t half = (uint16_t)(bits >> 16);
        memcpy(at, &half, 2);
    } else if (type == INT32) {
        int32_t whole = (int32_t)value;
        memcpy(at, &whole, 4);
    } else {
        memcpy(at, &value, 4);
    }
}
static void add(struct comm *comm, char *to, size_t first, size_t count, int type) {
    for (size_t i = 0; i < count; i++) {
        float sum = 0;
        for (int rank = 0; rank < comm->ranks; rank++)
            sum += number(comm->shared->slots[rank][0] + (first + i) * size(type), type);
        put(to + i * size(type), type, sum);
    }
}
static int wrong(struct comm *comm, size_t bytes, void *stream) {
    return comm == NULL || comm->shared == NULL || stream == NULL || bytes > SLOT ? 4 : 0;
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, struct comm *comm, void *stream) {
    if (wrong(comm, count * size(type), stream) || op != 0) return 4;
    show(comm, from, count * size(type));
    add(comm, to, 0, count, type);
    done(comm);
    return 0;
}
int ncclReduce(const void *from, void *to, size_t count, int type, int op, int root, struct comm *comm, void *stream) {
    if (wrong(comm, count * size(type), stream) || op != 0) return 4;
    show(comm, from, count * size(type));
    if (comm->rank == root) add(comm, to, 0, count, type);
    done(comm);
    return 0;
}
int ncclReduceScatter(const void *from, void *to, size_t count, int type, int op, struct comm *comm, void *stream) {
    if (wrong(comm, count * size(type) * (size_t)comm->ranks, stream) || op != 0) return 4;
    show(comm, from, count * size(type) * (size_t)comm->ranks);
    add(comm, to, count * (size_t)comm->rank, count, type);
    done(comm);
    return 0;
}
int ncclAllGather(const void *from, void *to, size_t count, int type, struct comm *comm, void *stream) {
    if (wrong(comm, count * size(type), stream)) return 4;
    show(comm, from, count * size(type));
    for (int rank = 0; rank < comm->ranks; rank++)
        memcpy((char *)to + (size_t)rank * count * size(type), comm->shared->slots[rank][0], count * size(type));
    done(comm);
    return 0;
}
int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, struct comm *comm, void *stream) {
    if (wrong(comm, count * size(type), stream)) return 4;
    show(comm, from, count * size(type));
    memcpy(to, comm->shared->slots[root][0], count * size(type));
    done(comm);
    return 0;
}

int ncclGroupStart(void) { grouped = 1; queued = 0; return 0; }
static int message(int sends, void *memory, size_t count, int type, int peer, struct comm *comm, void *stream) {
    if (wrong(comm, count * size(type), stream) || !grouped || queued == QUEUE) return 4;
    queue[queued++] = (struct message){sends, peer, memory, count * size(type)};
    talking = comm;
    return 0;
}
int ncclSend(void *from, size_t count, int type, int peer, struct comm *comm, void *stream) {
    return message(1, from, count, type, peer, comm, stream);
}
int ncclRecv(void *to, size_t count, int type, int peer, struct comm *comm, void *stream) {
    return message(0, to, count, type, peer, comm, stream);
}
int ncclGroupEnd(void) {
    for (int i = 0; i < queued; i++)
        if (queue[i].sends)
            memcpy(talking->shared->slots[talking->rank][queue[i].peer], queue[i].memory, queue[i].bytes);
    if (talking == NULL) return 4;
    barrier(talking);
    for (int i = 0; i < queued; i++)
        if (!queue[i].sends)
            memcpy(queue[i].memory, talking->shared->slots[queue[i].peer][talking->rank], queue[i].bytes);
    barrier(talking);
    grouped = 0;
    return 0;
}
