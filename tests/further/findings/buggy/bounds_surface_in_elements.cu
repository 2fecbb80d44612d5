// x of a surface counts bytes; the result is the half of each row, twice as far apart.
__global__ void fill(cudaSurfaceObject_t surface, int scale) {
  surf2Dwrite(1.0f, surface, threadIdx.x * scale * sizeof(float), threadIdx.y);  // EXPECT(out_of_bounds)
}

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &floats, 16, 4, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  fill<<<1, dim3(16, 4)>>>(surface, 4);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
  return error;
}
