// Writes one block of threads past the end of its array, for `holdfast debug memcheck`:
//   nvcc -lineinfo -o out_of_bounds out_of_bounds.cu && holdfast debug memcheck -- ./out_of_bounds
#include <cstdio>

__global__ void fill(int *numbers, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    numbers[i] = count;  // the planted fault: i is not compared with count
}

int main() {
    const int count = 64;
    int *numbers = nullptr;
    cudaMalloc(&numbers, count * sizeof(int));
    fill<<<3, 32>>>(numbers, count);
    cudaError_t result = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(result));
    cudaFree(numbers);
    return 0;
}
