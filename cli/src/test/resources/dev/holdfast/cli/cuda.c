/* As much of CUDA's driver interface as a rank needs, on a device that is ordinary memory and does
 * everything at once. Device pointers are host pointers. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long devptr;
struct event { struct timespec at; };

static int initialised;

int cuInit(unsigned flags) { initialised = flags == 0; return flags == 0 ? 0 : 1; }
int cuDeviceGetCount(int *count) {
    const char *chosen = getenv("PRETEND_GPUS");
    *count = chosen != NULL ? atoi(chosen) : 4;
    return initialised ? 0 : 3;
}
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetName(char *name, int length, int device) {
    (void)device;
    strncpy(name, "Pretended GPU", (size_t)length);
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)(long)(device + 1); return 0; }
int cuCtxSetCurrent(void *context) { return context != NULL ? 0 : 201; }
int cuCtxSynchronize(void) { return 0; }
int cuMemAlloc_v2(devptr *memory, size_t bytes) {
    *memory = (devptr)malloc(bytes);
    return *memory != 0 ? 0 : 2;
}
int cuMemcpyHtoD_v2(devptr to, const void *from, size_t bytes) { memcpy((void *)to, from, bytes); return 0; }
int cuMemcpyDtoH_v2(void *to, devptr from, size_t bytes) { memcpy(to, (void *)from, bytes); return 0; }
int cuMemcpyHtoDAsync_v2(devptr to, const void *from, size_t bytes, void *stream) {
    return stream == NULL ? 400 : cuMemcpyHtoD_v2(to, from, bytes);
}
int cuMemcpyDtoHAsync_v2(void *to, devptr from, size_t bytes, void *stream) {
    return stream == NULL ? 400 : cuMemcpyDtoH_v2(to, from, bytes);
}
int cuMemsetD8_v2(devptr to, unsigned char value, size_t bytes) { memset((void *)to, value, bytes); return 0; }
int cuStreamCreate(void **stream, unsigned flags) { *stream = (void *)(long)(flags + 1); return 0; }
int cuEventCreate(struct event **event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof **event);
    return *event != NULL ? 0 : 2;
}
int cuEventRecord(struct event *event, void *stream) {
    return stream == NULL ? 400 : clock_gettime(CLOCK_MONOTONIC, &event->at);
}
int cuEventQuery(struct event *event) { (void)event; return getenv("PRETEND_HANG") != NULL ? 600 : 0; }
int cuEventElapsedTime(float *milliseconds, struct event *from, struct event *to) {
    *milliseconds = (float)((to->at.tv_sec - from->at.tv_sec) * 1e3 + (to->at.tv_nsec - from->at.tv_nsec) / 1e6);
    return 0;
}
int cuGetErrorString(int code, const char **text) { (void)code; *text = "pretended trouble"; return 0; }
