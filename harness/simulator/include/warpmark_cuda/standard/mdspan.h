// Implements cuda::std::mdspan as in C++23: a multidimensional view of memory with row-major, column-major or
// strided layout. Elements are accessed as m(i, j), because C++20 has no m[i, j], or as m[array of indices].
// The only accessor is default_accessor.
#pragma once

#include "warpmark_cuda/standard/standard.h"

namespace cuda {
namespace std {

template <typename Index, size_t... Sizes>
class extents {
 public:
  using index_type = Index;
  using size_type = make_unsigned_t<Index>;
  using rank_type = size_t;

  __host__ __device__ static constexpr rank_type rank() { return sizeof...(Sizes); }
  __host__ __device__ static constexpr rank_type rank_dynamic() {
    return ((Sizes == dynamic_extent ? 1 : 0) + ... + 0);
  }
  __host__ __device__ static constexpr size_t static_extent(rank_type r) {
    const size_t sizes[] = {Sizes..., 0};
    return sizes[r];
  }

  __host__ __device__ constexpr extents() {
    for (rank_type r = 0; r < rank(); ++r)
      sizes_[r] = static_extent(r) == dynamic_extent ? 0 : static_cast<Index>(static_extent(r));
  }
  // Constructs an mdspan's extents from either the sizes of all dimensions or only those that are not known
  // at compile time.
  template <
      typename... Integers,
      enable_if_t<(sizeof...(Integers) > 0) && (is_convertible_v<Integers, Index> && ...) &&
                      (sizeof...(Integers) == sizeof...(Sizes) || sizeof...(Integers) == rank_dynamic()),
                  int> = 0>
  __host__ __device__ constexpr extents(Integers... sizes) : extents() {
    set(static_cast<Index>(sizes)...);
  }
  template <typename Integer, size_t count>
  __host__ __device__ constexpr extents(const array<Integer, count>& sizes) : extents() {
    rank_type next = 0;
    for (rank_type r = 0; r < rank(); ++r) {
      if (count == rank() || static_extent(r) == dynamic_extent)
        sizes_[r] = static_cast<Index>(sizes[next++]);
    }
  }
  template <typename Other, size_t... Others>
  __host__ __device__ constexpr extents(const extents<Other, Others...>& other) {
    static_assert(sizeof...(Others) == sizeof...(Sizes), "extents of another rank");
    for (rank_type r = 0; r < rank(); ++r) sizes_[r] = static_cast<Index>(other.extent(r));
  }

  __host__ __device__ constexpr Index extent(rank_type r) const { return sizes_[r]; }
  template <typename Other, size_t... Others>
  __host__ __device__ friend constexpr bool operator==(const extents& a, const extents<Other, Others...>& b) {
    if (sizeof...(Sizes) != sizeof...(Others)) return false;
    for (rank_type r = 0; r < rank(); ++r) {
      if (static_cast<size_t>(a.extent(r)) != static_cast<size_t>(b.extent(r))) return false;
    }
    return true;
  }

 private:
  template <typename... Values>
  __host__ __device__ constexpr void set(Values... values) {
    const Index given[] = {values...};
    rank_type next = 0;
    for (rank_type r = 0; r < rank(); ++r) {
      if (sizeof...(Values) == rank() || static_extent(r) == dynamic_extent) sizes_[r] = given[next++];
    }
  }
  Index sizes_[sizeof...(Sizes) == 0 ? 1 : sizeof...(Sizes)] = {};
};

template <typename Index, typename Sequence>
struct warpmark_dynamic_extents;
template <typename Index, size_t... Each>
struct warpmark_dynamic_extents<Index, index_sequence<Each...>> {
  using type = extents<Index, ((void)Each, dynamic_extent)...>;
};
template <typename Index, size_t rank>
using dextents = typename warpmark_dynamic_extents<Index, make_index_sequence<rank>>::type;
template <typename... Integers>
extents(Integers...) -> extents<size_t, ((void)sizeof(Integers), dynamic_extent)...>;

// mdspan mapping of a contiguous layout. last_first: the last dimension has stride 1 (layout_right,
// row-major), else the first dimension has (layout_left).
template <typename Extents, bool last_first>
class warpmark_dense_mapping {
 public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;

  constexpr warpmark_dense_mapping() = default;
  __host__ __device__ constexpr warpmark_dense_mapping(const Extents& sizes) : sizes_(sizes) {}
  template <typename Other>
  __host__ __device__ constexpr warpmark_dense_mapping(const warpmark_dense_mapping<Other, last_first>& other)
      : sizes_(other.extents()) {}

  __host__ __device__ constexpr const Extents& extents() const { return sizes_; }
  __host__ __device__ constexpr index_type stride(rank_type r) const {
    index_type product = 1;
    for (rank_type k = last_first ? r + 1 : 0; k < (last_first ? Extents::rank() : r); ++k)
      product *= sizes_.extent(k);
    return product;
  }
  __host__ __device__ constexpr index_type required_span_size() const {
    index_type product = 1;
    for (rank_type k = 0; k < Extents::rank(); ++k) product *= sizes_.extent(k);
    return product;
  }
  template <typename... Indices>
  __host__ __device__ constexpr index_type operator()(Indices... indices) const {
    const index_type all[] = {static_cast<index_type>(indices)..., 0};
    index_type offset = 0;
    for (rank_type k = 0; k < Extents::rank(); ++k) {
      const rank_type r = last_first ? k : Extents::rank() - 1 - k;
      offset = offset * sizes_.extent(r) + all[r];
    }
    return offset;
  }
  __host__ __device__ static constexpr bool is_exhaustive() { return true; }
  __host__ __device__ static constexpr bool is_unique() { return true; }
  __host__ __device__ static constexpr bool is_strided() { return true; }

 private:
  Extents sizes_;
};

struct layout_right {
  template <typename Extents>
  using mapping = warpmark_dense_mapping<Extents, true>;
};
struct layout_left {
  template <typename Extents>
  using mapping = warpmark_dense_mapping<Extents, false>;
};
struct layout_stride {
  template <typename Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;

    constexpr mapping() = default;
    template <typename Integer>
    __host__ __device__ constexpr mapping(const Extents& sizes,
                                          const array<Integer, Extents::rank()>& strides)
        : sizes_(sizes) {
      for (rank_type r = 0; r < Extents::rank(); ++r) strides_[r] = static_cast<index_type>(strides[r]);
    }
    template <typename Other, bool last_first>
    __host__ __device__ constexpr mapping(const warpmark_dense_mapping<Other, last_first>& other)
        : sizes_(other.extents()) {
      for (rank_type r = 0; r < Extents::rank(); ++r) strides_[r] = static_cast<index_type>(other.stride(r));
    }

    __host__ __device__ constexpr const Extents& extents() const { return sizes_; }
    __host__ __device__ constexpr index_type stride(rank_type r) const { return strides_[r]; }
    __host__ __device__ constexpr index_type required_span_size() const {
      index_type last = 1;
      for (rank_type r = 0; r < Extents::rank(); ++r) {
        if (sizes_.extent(r) == 0) return 0;
        last += (sizes_.extent(r) - 1) * strides_[r];
      }
      return last;
    }
    template <typename... Indices>
    __host__ __device__ constexpr index_type operator()(Indices... indices) const {
      const index_type all[] = {static_cast<index_type>(indices)..., 0};
      index_type offset = 0;
      for (rank_type r = 0; r < Extents::rank(); ++r) offset += all[r] * strides_[r];
      return offset;
    }

   private:
    Extents sizes_;
    index_type strides_[Extents::rank() == 0 ? 1 : Extents::rank()] = {};
  };
};

template <typename T>
struct default_accessor {
  using element_type = T;
  using reference = T&;
  using data_handle_type = T*;
};

template <typename T, typename Extents, typename Layout = layout_right,
          typename Accessor = default_accessor<T>>
class mdspan {
 public:
  using element_type = T;
  using value_type = remove_cv_t<T>;
  using extents_type = Extents;
  using layout_type = Layout;
  using accessor_type = Accessor;
  using mapping_type = typename Layout::template mapping<Extents>;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = T*;
  using reference = T&;

  constexpr mdspan() = default;
  template <typename... Integers, enable_if_t<(sizeof...(Integers) > 0 || Extents::rank_dynamic() == 0) &&
                                                  (is_convertible_v<Integers, index_type> && ...),
                                              int> = 0>
  __host__ __device__ constexpr explicit mdspan(T* data, Integers... sizes)
      : data_(data), mapping_(Extents(sizes...)) {}
  template <typename Integer, size_t count>
  __host__ __device__ constexpr mdspan(T* data, const array<Integer, count>& sizes)
      : data_(data), mapping_(Extents(sizes)) {}
  __host__ __device__ constexpr mdspan(T* data, const Extents& sizes) : data_(data), mapping_(sizes) {}
  __host__ __device__ constexpr mdspan(T* data, const mapping_type& mapping)
      : data_(data), mapping_(mapping) {}
  template <typename OtherT, typename OtherExtents>
  __host__ __device__ constexpr mdspan(const mdspan<OtherT, OtherExtents, Layout>& other)
      : data_(other.data_handle()), mapping_(other.mapping()) {}

  template <typename... Indices, enable_if_t<(is_convertible_v<Indices, index_type> && ...), int> = 0>
  __host__ __device__ constexpr T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == Extents::rank(), "an index for each dimension");
    return data_[mapping_(static_cast<index_type>(indices)...)];
  }
  template <typename Integer>
  __host__ __device__ constexpr T& operator[](const array<Integer, Extents::rank()>& indices) const {
    return at(indices, make_index_sequence<Extents::rank()>());
  }
  template <typename Integer,
            enable_if_t<is_convertible_v<Integer, index_type> && Extents::rank() == 1, int> = 0>
  __host__ __device__ constexpr T& operator[](Integer index) const {
    return (*this)(index);
  }

  __host__ __device__ static constexpr rank_type rank() { return Extents::rank(); }
  __host__ __device__ static constexpr rank_type rank_dynamic() { return Extents::rank_dynamic(); }
  __host__ __device__ static constexpr size_t static_extent(rank_type r) { return Extents::static_extent(r); }
  __host__ __device__ constexpr index_type extent(rank_type r) const { return extents().extent(r); }
  __host__ __device__ constexpr index_type stride(rank_type r) const { return mapping_.stride(r); }
  __host__ __device__ constexpr const Extents& extents() const { return mapping_.extents(); }
  __host__ __device__ constexpr const mapping_type& mapping() const { return mapping_; }
  __host__ __device__ constexpr T* data_handle() const { return data_; }
  __host__ __device__ constexpr Accessor accessor() const { return {}; }
  __host__ __device__ constexpr size_type size() const {
    size_type product = 1;
    for (rank_type r = 0; r < rank(); ++r) product *= static_cast<size_type>(extent(r));
    return product;
  }
  __host__ __device__ constexpr bool empty() const { return size() == 0; }

 private:
  template <typename Integer, size_t... Each>
  __host__ __device__ constexpr T& at(const array<Integer, Extents::rank()>& indices,
                                      index_sequence<Each...>) const {
    return (*this)(indices[Each]...);
  }
  T* data_ = nullptr;
  mapping_type mapping_;
};

template <typename T, typename... Integers,
          enable_if_t<(sizeof...(Integers) > 0) && (is_convertible_v<Integers, size_t> && ...), int> = 0>
mdspan(T*, Integers...) -> mdspan<T, dextents<size_t, sizeof...(Integers)>>;
template <typename T, typename Integer, size_t count>
mdspan(T*, const array<Integer, count>&) -> mdspan<T, dextents<size_t, count>>;
template <typename T, typename Index, size_t... Sizes>
mdspan(T*, const extents<Index, Sizes...>&) -> mdspan<T, extents<Index, Sizes...>>;
template <typename T, typename Extents, bool last_first>
mdspan(T*, const warpmark_dense_mapping<Extents, last_first>&)
    -> mdspan<T, Extents, conditional_t<last_first, layout_right, layout_left>>;

}  // namespace std
}  // namespace cuda
