// A level has half the elements of the one before it in each direction; this fills all with the first one's.
__global__ void fill(cudaSurfaceObject_t surface, float value) {
  surf2Dwrite(value, surface, threadIdx.x * sizeof(float), threadIdx.y);  // EXPECT(out_of_bounds)
}

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  cudaMallocMipmappedArray(&array, &floats, make_cudaExtent(16, 16, 0), 2, cudaArraySurfaceLoadStore);
  cudaError_t error = cudaSuccess;
  for (unsigned int level = 0; level < 2; ++level) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaGetMipmappedArrayLevel(&resource.res.array.array, array, level);
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    fill<<<1, dim3(16, 16)>>>(surface, level);
    error = cudaDeviceSynchronize();
    cudaDestroySurfaceObject(surface);
  }
  cudaFreeMipmappedArray(array);
  return error;
}
