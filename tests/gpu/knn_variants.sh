#!/usr/bin/env bash
# Which shape of k09_peak is the fastest on the GPU at hand: queries a thread, rows at a time, blocks a
# multiprocessor. By hand, from the top of the repository, where there is nvcc:
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

# EACH TOGETHER BLOCKS TILE [LISTS]
variant() {
  sed -e "s/kEach = 8;/kEach = $1;/" -e "s/kTogether = 4;/kTogether = $2;/" -e "s/kTileRows = 128;/kTileRows = $4;/" \
    -e "s/kFirstTiles = 4;/kFirstTiles = $((512 / $4));/" -e "s/kMostLists = 66;/kMostLists = ${5:-66};/" \
    reference/knn/k09_shape.h >"$out/k09_shape.h"
  sed -e "s/__launch_bounds__(kThreads, 2)/__launch_bounds__(kThreads, $3)/" reference/knn/k09_pick.h >"$out/k09_pick.h"
  cp reference/knn/k09_select.h "$out/"
  sed -e "s/2 \* static_cast<std::size_t>(processors)/$3 * static_cast<std::size_t>(processors)/" \
    reference/knn/k09_peak.cu >"$out/variant.cu"  # includes the headers beside it
  "$nvcc" "${flags[@]}" -c reference/knn/k06_transposed.cu -o "$out/k06.o"
  "$nvcc" "${flags[@]}" tests/gpu/knn_peak.cu "$out/variant.cu" "$out/k06.o" reference/knn/k0[45]*.cu -o "$out/variant"
  printf '%s queries a thread, %s rows, %s blocks, tiles of %s: ' "$1" "$2" "$3" "$4"
  "$out/variant" | grep k09
}
variant 8 1 2 128
variant 8 2 2 256
variant 8 2 2 128
variant 4 2 4 128
variant 4 4 4 128
variant 4 8 3 128
