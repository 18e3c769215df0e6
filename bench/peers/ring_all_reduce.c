/* The same ring in C: all_reduce of float between processes over TCP on loopback.
 * Prints 'BYTES SECONDS' (median of calls of rank 0) a line.
 *
 * Usage: ring_all_reduce RANKS BYTES,BYTES,...
 * As `holdfast bench net` does it: one thread a rank, non-blocking sockets, one each way, sending and receiving by turns,
 * pieces of 256 KiB, what comes in is added from a scratch buffer and passed on at once; a core for each rank. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 256 << 10, CALLS = 2000, SPINS = 2000 };

static int rank, ranks, next, previous;
static char *scratch;
static double times[CALLS];

static void fail(const char *what) {
    fprintf(stderr, "rank %d: %s: %s\n", rank, what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long start_of(long count, int block) {
    return count * (((block % ranks) + ranks) % ranks) / ranks * (long)sizeof(float);
}

static long end_of(long count, int block) {
    return count * (((block % ranks) + ranks) % ranks + 1) / ranks * (long)sizeof(float);
}

static long moved(ssize_t result, const char *what) {
    if (result < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    if (result < 0) {
        fail(what);
    }
    return result;
}

static void add(float *restrict to, const float *restrict from, long count) {
    for (long i = 0; i < count; i++) {
        to[i] += from[i];
    }
}

static void all_reduce(char *data, long size) {
    long count = size / (long)sizeof(float);
    int steps = 2 * (ranks - 1), adding = ranks - 1;
    int out = 0, in = 0;
    long out_at = 0, in_at = 0, sent = 0, received = 0, carried = 0;
    long credit = end_of(count, rank - 1) - start_of(count, rank - 1);
    long empty = 0;
    while (out < steps || in < steps) {
        long some = 0;
        if (out < steps) {
            long from = start_of(count, rank - 1 - out), to = end_of(count, rank - 1 - out);
            long may = credit + received - sent;
            long bytes = to - from - out_at;
            bytes = bytes < may ? bytes : may;
            bytes = bytes < MOST ? bytes : MOST;
            if (bytes > 0) {
                long n = moved(send(next, data + from + out_at, (size_t)bytes, MSG_NOSIGNAL), "send");
                out_at += n, sent += n, some += n;
            }
            if (out_at == to - from) {
                out++, out_at = 0;
            }
        }
        if (in < steps) {
            long from = start_of(count, rank - 2 - in), to = end_of(count, rank - 2 - in);
            long bytes = to - from - in_at;
            bytes = bytes < MOST ? bytes : MOST;
            if (in < adding) {
                long n = bytes > 0 ? moved(recv(previous, scratch + carried, (size_t)(bytes - carried), 0), "recv") : 0;
                if (n > 0) {
                    long there = carried + n, whole = there - there % (long)sizeof(float);
                    add((float *)(data + from + in_at), (float *)scratch, whole / (long)sizeof(float));
                    carried = there - whole;
                    memmove(scratch, scratch + whole, (size_t)carried);
                    in_at += whole, received += whole, some += whole;
                }
            } else {
                long n = bytes > 0 ? moved(recv(previous, data + from + in_at, (size_t)bytes, 0), "recv") : 0;
                in_at += n, received += n, some += n;
            }
            if (in_at == to - from) {
                in++, in_at = 0;
            }
        }
        if (some > 0) {
            empty = 0;
        } else if (++empty > SPINS) {
            sched_yield();
        }
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double calls(char *data, long size, int many) {
    for (int i = 0; i < many; i++) {
        double before = now();
        all_reduce(data, size);
        times[i] = now() - before;
    }
    qsort(times, (size_t)many, sizeof times[0], ascending);
    return times[many / 2];
}

/* Rank 0's word holds. */
static int agreed(double seconds, double each, int least) {
    float many = rank ? 0 : (float)(each > seconds / CALLS ? (int)(seconds / each) : CALLS);
    many = rank || many >= (float)least ? many : (float)least;
    float all[64] = {0};
    all[0] = many;
    all_reduce((char *)all, sizeof all);
    return (int)all[0];
}

static void measure(long size) {
    long count = size / (long)sizeof(float);
    char *data;
    if (posix_memalign((void **)&data, 4096, (size_t)size)) {
        fail("memory");
    }
    memset(data, 0, (size_t)size);
    double each = calls(data, size, 5);
    each = calls(data, size, agreed(0.1, each, 1));
    double median = calls(data, size, agreed(0.33, each, 5));
    for (long i = 0; i < count; i++) {
        ((float *)data)[i] = 1;
    }
    all_reduce(data, size);
    for (long i = 0; i < count; i++) {
        if (((float *)data)[i] != (float)ranks) {
            fail("a wrong sum");
        }
    }
    if (rank == 0) {
        printf("%ld %.9f\n", size, median);
        fflush(stdout);
    }
    free(data);
}

static void connect_ring(int listener, const struct sockaddr_in *to) {
    int one = 1;
    next = socket(AF_INET, SOCK_STREAM, 0);
    if (next < 0 || connect(next, (const struct sockaddr *)to, sizeof *to)) {
        fail("connect");
    }
    previous = accept(listener, NULL, NULL);
    if (previous < 0) {
        fail("accept");
    }
    setsockopt(next, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(next, F_SETFL, O_NONBLOCK);
    fcntl(previous, F_SETFL, O_NONBLOCK);
}

int main(int argc, char **argv) {
    ranks = argc == 3 ? atoi(argv[1]) : 0;
    if (ranks < 2 || ranks > 64) {
        fprintf(stderr, "usage: ring_all_reduce RANKS BYTES,BYTES,...\n");
        return 2;
    }
    int listeners[64];
    struct sockaddr_in addresses[64];
    for (int i = 0; i < ranks; i++) {
        socklen_t length = sizeof addresses[i];
        memset(&addresses[i], 0, sizeof addresses[i]);
        addresses[i].sin_family = AF_INET;
        addresses[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        listeners[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (listeners[i] < 0 || bind(listeners[i], (struct sockaddr *)&addresses[i], length) || listen(listeners[i], 1) ||
            getsockname(listeners[i], (struct sockaddr *)&addresses[i], &length)) {
            fail("listen");
        }
    }
    for (rank = ranks - 1; rank > 0 && fork() != 0; rank--) {
    }
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET((unsigned)rank % (unsigned)sysconf(_SC_NPROCESSORS_ONLN), &cores);
    if (ranks <= sysconf(_SC_NPROCESSORS_ONLN)) {
        sched_setaffinity(0, sizeof cores, &cores);
    }
    if (posix_memalign((void **)&scratch, 4096, MOST)) {
        fail("memory");
    }
    connect_ring(listeners[rank], &addresses[(rank + 1) % ranks]);
    for (char *word = strtok(argv[2], ","); word; word = strtok(NULL, ",")) {
        measure(atol(word));
    }
    int status = 0, wrong = 0;
    while (rank == 0 && wait(&status) > 0) {
        wrong |= status;
    }
    return wrong != 0;
}
