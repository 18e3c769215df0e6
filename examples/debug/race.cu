// Reads what a neighbour writes to shared memory without a barrier, for `holdfast debug racecheck`:
//   nvcc -lineinfo -o race race.cu && holdfast debug racecheck -- ./race
#include <cstdio>

__global__ void shift(int *numbers) {
    __shared__ int shared[128];
    int i = threadIdx.x;
    shared[i] = numbers[i];
    // the planted fault: __syncthreads() is missing
    numbers[i] = shared[(i + 33) % 128];
}

int main() {
    int *numbers = nullptr;
    cudaMalloc(&numbers, 128 * sizeof(int));
    cudaMemset(numbers, 0, 128 * sizeof(int));
    shift<<<1, 128>>>(numbers);
    cudaError_t result = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(result));
    cudaFree(numbers);
    return 0;
}
