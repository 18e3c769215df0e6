/* MPI_Allreduce in place, float: prints 'BYTES SECONDS' (median of calls of rank 0) a line.
 *
 * Usage: mpirun ... mpi_all_reduce BYTES,BYTES,...
 * As `holdfast bench net` measures itself: warm-up for a tenth of a second, then as many calls as fit into a third. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double times[2000];

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double calls(float *data, int count, int many) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < many; i++) {
        double before = MPI_Wtime();
        MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        times[i] = MPI_Wtime() - before;
    }
    qsort(times, many, sizeof times[0], ascending);
    return times[many / 2];
}

static int agreed(double seconds, double each, int least) {
    int many = each > seconds / 2000 ? (int)(seconds / each) : 2000;
    many = many < least ? least : many;
    MPI_Bcast(&many, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return many;
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (char *word = strtok(argv[1], ","); word; word = strtok(NULL, ",")) {
        long size = atol(word);
        int count = (int)(size / (long)sizeof(float));
        float *data = NULL;
        if (posix_memalign((void **)&data, 4096, (size_t)size)) {
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        memset(data, 0, (size_t)size);
        double each = calls(data, count, 5);
        each = calls(data, count, agreed(0.1, each, 1));
        double median = calls(data, count, agreed(0.33, each, 5));
        for (int i = 0; i < count; i++) {
            data[i] = 1;
        }
        MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++) {
            if (data[i] != (float)ranks) {
                MPI_Abort(MPI_COMM_WORLD, 4);
            }
        }
        if (rank == 0) {
            printf("%ld %.9f\n", size, median);
            fflush(stdout);
        }
        free(data);
    }
    MPI_Finalize();
    return 0;
}
