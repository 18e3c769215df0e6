/* A collective of MPI, float: prints 'BYTES SECONDS SECONDS ...' a line: each call of the rank that
 * took longest in all, since whoever only sends is done early.
 *
 * Usage: mpirun ... mpi_collective NAME BYTES,BYTES,... ROOT CALLS WARMUP
 * NAME as nccl-tests has it, such as all_reduce; BYTES count as there: of the whole buffer of a rank.
 * With CALLS 0 as `holdfast bench net` measures itself: warm-up for a tenth of a second, then as many calls as fit into a
 * third. Values are checked after it; a wrong one ends it with code 4. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 2000, WRONG = 4, BAD_USAGE = 2, NO_MEMORY = 3 };

static int rank, ranks, root;
static long count, part;
static float *data, *other;
static double *times;

static void all_reduce(void) { MPI_Allreduce(MPI_IN_PLACE, data, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }
static void all_gather(void) {
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, (int)part, MPI_FLOAT, MPI_COMM_WORLD);
}
static void reduce_scatter(void) {
    MPI_Reduce_scatter_block(data, other, (int)part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
static void broadcast(void) { MPI_Bcast(data, (int)count, MPI_FLOAT, root, MPI_COMM_WORLD); }
static void reduce(void) {
    MPI_Reduce(rank == root ? MPI_IN_PLACE : data, data, (int)count, MPI_FLOAT, MPI_SUM, root, MPI_COMM_WORLD);
}
static void all_to_all(void) {
    MPI_Alltoall(data, (int)part, MPI_FLOAT, other, (int)part, MPI_FLOAT, MPI_COMM_WORLD);
}
static void gather(void) {
    MPI_Gather(rank == root ? MPI_IN_PLACE : data + rank * part, (int)part, MPI_FLOAT, data, (int)part, MPI_FLOAT, root,
               MPI_COMM_WORLD);
}
static void scatter(void) {
    MPI_Scatter(data, (int)part, MPI_FLOAT, rank == root ? MPI_IN_PLACE : data + rank * part, (int)part, MPI_FLOAT, root,
                MPI_COMM_WORLD);
}
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

/* What a rank has at a place before: small whole numbers, so that sums are exact. */
static float value(int of, long at) { return (float)((at * 7 + of * 3) % 13); }
static float sum(long at) {
    float all = 0;
    for (int of = 0; of < ranks; of++) {
        all += value(of, at);
    }
    return all;
}

static int sums(const float *from, long first, long many) {
    for (long i = 0; i < many; i++) {
        if (from[i] != sum(first + i)) {
            return 0;
        }
    }
    return 1;
}
static int is(const float *from, int of, long first, long many) {
    for (long i = 0; i < many; i++) {
        if (from[i] != value(of, first + i)) {
            return 0;
        }
    }
    return 1;
}
static int blocks(void) {
    int right = 1;
    for (int of = 0; of < ranks; of++) {
        right &= is(data + of * part, of, of * part, part);
    }
    return right;
}

static int all_reduced(void) { return sums(data, 0, count); }
static int reduced(void) { return rank != root || sums(data, 0, count); }
static int reduce_scattered(void) { return sums(other, rank * part, part); }
static int from_root(void) { return is(data, root, 0, count); }
static int scattered(void) { return is(data + rank * part, root, rank * part, part); }
static int gathered(void) { return rank != root || blocks(); }
static int exchanged(void) {
    int right = 1;
    for (int of = 0; of < ranks; of++) {
        right &= is(other + of * part, of, rank * part, part);
    }
    return right;
}
static int nothing(void) { return 1; }

static const struct {
    const char *name;
    void (*call)(void);
    int (*right)(void);
} collectives[] = {
    {"all_reduce", all_reduce, all_reduced}, {"all_gather", all_gather, blocks},
    {"reduce_scatter", reduce_scatter, reduce_scattered}, {"broadcast", broadcast, from_root},
    {"reduce", reduce, reduced}, {"all_to_all", all_to_all, exchanged},
    {"gather", gather, gathered}, {"scatter", scatter, scattered},
    {"barrier", barrier, nothing},
};

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of so many calls of rank 0, in seconds. */
static double calls(int which, int many) {
    static double sorted[1 << 20];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < many; i++) {
        double before = MPI_Wtime();
        collectives[which].call();
        times[i] = MPI_Wtime() - before;
    }
    memcpy(sorted, times, (size_t)many * sizeof times[0]);
    qsort(sorted, (size_t)many, sizeof sorted[0], ascending);
    return sorted[many / 2];
}

/* Hands rank 0 the times of the rank that took longest in all. */
static void bring_slowest(int many) {
    struct {
        double seconds;
        int rank;
    } own = {0, rank}, slowest;
    for (int i = 0; i < many; i++) {
        own.seconds += times[i];
    }
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (slowest.rank == 0) {
        return;
    }
    if (rank == slowest.rank) {
        MPI_Send(times, many, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(times, many, MPI_DOUBLE, slowest.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Rank 0's word holds. */
static int agreed(double seconds, double each, int least) {
    int many = each > seconds / MOST_CALLS ? (int)(seconds / each) : MOST_CALLS;
    many = many < least ? least : many;
    MPI_Bcast(&many, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return many;
}

static void measure(int which, long size, int many, int warmup) {
    count = size / (long)sizeof(float);
    part = count / ranks;
    size_t room = size > 0 ? (size_t)size : 4;
    if (posix_memalign((void **)&data, 4096, room) || posix_memalign((void **)&other, 4096, room)) {
        MPI_Abort(MPI_COMM_WORLD, NO_MEMORY);
    }
    memset(data, 0, room);
    memset(other, 0, room);
    double each = calls(which, warmup > 0 ? warmup : 1);
    if (many == 0) {
        each = calls(which, agreed(0.1, each, 1));
        many = agreed(0.33, each, 5);
    }
    calls(which, many);
    bring_slowest(many);
    if (rank == 0) {
        printf("%ld", size);
        for (int i = 0; i < many; i++) {
            printf(" %.9f", times[i]);
        }
        printf("\n");
        fflush(stdout);
    }
    for (long i = 0; i < count; i++) {
        data[i] = value(rank, i);
        other[i] = -1;
    }
    collectives[which].call();
    if (!collectives[which].right()) {
        fprintf(stderr, "rank %d: wrong values after %s of %ld bytes\n", rank, collectives[which].name, size);
        MPI_Abort(MPI_COMM_WORLD, WRONG);
    }
    free(data);
    free(other);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int which = 0, known = (int)(sizeof collectives / sizeof collectives[0]);
    while (argc == 6 && which < known && strcmp(argv[1], collectives[which].name)) {
        which++;
    }
    if (argc != 6 || which == known) {
        MPI_Abort(MPI_COMM_WORLD, BAD_USAGE);
    }
    root = atoi(argv[3]);
    int many = atoi(argv[4]), warmup = atoi(argv[5]);
    int most = many > MOST_CALLS ? many : MOST_CALLS;
    most = warmup > most ? warmup : most;
    times = most > 1 << 20 ? NULL : malloc((size_t)most * sizeof times[0]);
    if (times == NULL) {
        MPI_Abort(MPI_COMM_WORLD, NO_MEMORY);
    }
    for (char *word = strtok(argv[2], ","); word; word = strtok(NULL, ",")) {
        measure(which, atol(word), many, warmup);
    }
    MPI_Finalize();
    return 0;
}
