#!/usr/bin/env bash
# Which shape of k09_peak is the fastest on the GPU at hand: queries a block, passes over the data set. By
# hand, from the top of the repository, where there is nvcc:
#
#   tests/gpu/knn_variants.sh [OUT]
set -eu
out=${1:-$(mktemp -d)}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
flags=(-O3 -std=c++17 -arch=native -Iharness/assignments/knn -Ireference/knn)
mkdir -p "$out"
"$nvcc" "${flags[@]}" tests/gpu/knn_peak.cu reference/knn/k0[4569]*.cu -o "$out/knn_peak"
"$out/knn_peak"
for rows in 8192 131072 524288; do "$out/knn_peak" $rows | grep k09; done

# QUERIES a block, GROWTH of what is seen, FIRST tiles
variant() {
  sed -e "s/kQueriesPerBlock = 512;/kQueriesPerBlock = $1;/" -e "s/kFirstTiles = 4;/kFirstTiles = $3;/" \
    reference/knn/k09_shape.h >"$out/k09_shape.h"
  cp reference/knn/k09_pick.h reference/knn/k09_select.h "$out/"
  # Includes the headers beside it.
  sed -e "s/task.k <= 8 ? 16 :/task.k <= 8 ? $2 :/" reference/knn/k09_peak.cu >"$out/variant.cu"
  "$nvcc" "${flags[@]}" -c reference/knn/k06_transposed.cu -o "$out/k06.o"
  "$nvcc" "${flags[@]}" tests/gpu/knn_peak.cu "$out/variant.cu" "$out/k06.o" reference/knn/k0[45]*.cu -o "$out/variant"
  printf '%s queries a block, %s times as many rows, %s tiles first: ' "$1" "$2" "$3"
  "$out/variant" | grep k09
}
variant 512 16 4
variant 256 16 4
variant 512 8 4
variant 512 24 4
variant 512 24 8
