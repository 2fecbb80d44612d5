// CUB's iterators (counting, constant, transforming, with index, discarding, and with a cache modifier) for
// the CUDA simulator.
#pragma once

#include "cub/thread/thread_load.cuh"
#include "cub/thread/thread_operators.cuh"
#include "cub/util_type.cuh"

namespace cub {
namespace detail {

// Base class (CRTP) with the arithmetic of random-access iterators. Self must provide advance(n) and
// position().
template <typename Self, typename Value, typename Reference, typename Offset>
class Iterator {
 public:
  using self_type = Self;
  using difference_type = Offset;
  using value_type = Value;
  using pointer = Value*;
  using reference = Reference;
  using iterator_category = std::random_access_iterator_tag;

  __host__ __device__ Self& operator++() { return add(1); }
  __host__ __device__ Self operator++(int) {
    Self before = self();
    add(1);
    return before;
  }
  __host__ __device__ Self& operator--() { return add(-1); }
  template <typename Distance>
  __host__ __device__ Self operator+(Distance n) const {
    Self result = self();
    result.advance(static_cast<Offset>(n));
    return result;
  }
  template <typename Distance>
  __host__ __device__ Self& operator+=(Distance n) {
    return add(static_cast<Offset>(n));
  }
  template <typename Distance>
  __host__ __device__ auto operator-(Distance n) const
      -> std::enable_if_t<std::is_integral_v<Distance>, Self> {
    Self result = self();
    result.advance(-static_cast<Offset>(n));
    return result;
  }
  __host__ __device__ Offset operator-(const Self& other) const {
    return static_cast<Offset>(self().position() - other.position());
  }
  template <typename Distance>
  __host__ __device__ Reference operator[](Distance n) const {
    return *(*this + n);
  }
  __host__ __device__ bool operator==(const Self& other) const {
    return self().position() == other.position();
  }
  __host__ __device__ bool operator!=(const Self& other) const { return !(*this == other); }
  __host__ __device__ bool operator<(const Self& other) const { return self().position() < other.position(); }

 private:
  __host__ __device__ Self& add(Offset n) {
    static_cast<Self*>(this)->advance(n);
    return static_cast<Self&>(*this);
  }
  __host__ __device__ const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace detail

template <typename Value, typename Offset = ptrdiff_t>
class CountingInputIterator
    : public detail::Iterator<CountingInputIterator<Value, Offset>, Value, Value, Offset> {
 public:
  __host__ __device__ explicit CountingInputIterator(const Value& value) : value_(value) {}
  __host__ __device__ Value operator*() const { return value_; }
  __host__ __device__ void advance(Offset n) { value_ = static_cast<Value>(value_ + n); }
  __host__ __device__ Value position() const { return value_; }

 private:
  Value value_;
};

template <typename Value, typename Offset = ptrdiff_t>
class ConstantInputIterator
    : public detail::Iterator<ConstantInputIterator<Value, Offset>, Value, Value, Offset> {
 public:
  __host__ __device__ explicit ConstantInputIterator(const Value& value, Offset at = 0)
      : value_(value), at_(at) {}
  __host__ __device__ Value operator*() const { return value_; }
  __host__ __device__ void advance(Offset n) { at_ += n; }
  __host__ __device__ Offset position() const { return at_; }

 private:
  Value value_;
  Offset at_;
};

template <typename Value, typename Function, typename Input, typename Offset = ptrdiff_t>
class TransformInputIterator
    : public detail::Iterator<TransformInputIterator<Value, Function, Input, Offset>, Value, Value, Offset> {
 public:
  __host__ __device__ TransformInputIterator(Input input, Function function)
      : input_(input), function_(function) {}
  __host__ __device__ Value operator*() const { return function_(*input_); }
  __host__ __device__ void advance(Offset n) { input_ = input_ + n; }
  __host__ __device__ Input position() const { return input_; }

 private:
  Input input_;
  // mutable, because a transforming iterator's dereference is const while the user's functor may have a
  // non-const operator().
  mutable Function function_;
};

template <typename Input, typename Offset = ptrdiff_t, typename Output = warpmark_lib::ValueOf<Input>>
class ArgIndexInputIterator
    : public detail::Iterator<ArgIndexInputIterator<Input, Offset, Output>, KeyValuePair<Offset, Output>,
                              KeyValuePair<Offset, Output>, Offset> {
 public:
  __host__ __device__ explicit ArgIndexInputIterator(Input input, Offset at = 0) : input_(input), at_(at) {}
  __host__ __device__ KeyValuePair<Offset, Output> operator*() const {
    return KeyValuePair<Offset, Output>(at_, static_cast<Output>(input_[at_]));
  }
  __host__ __device__ void advance(Offset n) { at_ += n; }
  __host__ __device__ Offset position() const { return at_; }
  __host__ __device__ void normalize() {
    input_ = input_ + at_;
    at_ = 0;
  }

 private:
  Input input_;
  Offset at_;
};

template <CacheLoadModifier modifier, typename Value, typename Offset = ptrdiff_t>
class CacheModifiedInputIterator
    : public detail::Iterator<CacheModifiedInputIterator<modifier, Value, Offset>, Value, Value, Offset> {
 public:
  template <typename Pointed>
  __host__ __device__ CacheModifiedInputIterator(Pointed* pointer)
      : pointer_(const_cast<const Value*>(pointer)) {}
  __device__ Value operator*() const { return ThreadLoad<modifier>(pointer_); }
  __host__ __device__ void advance(Offset n) { pointer_ += n; }
  __host__ __device__ const Value* position() const { return pointer_; }

 private:
  const Value* pointer_;
};

template <CacheStoreModifier modifier, typename Value, typename Offset = ptrdiff_t>
class CacheModifiedOutputIterator
    : public detail::Iterator<CacheModifiedOutputIterator<modifier, Value, Offset>, Value, Value&, Offset> {
 public:
  __host__ __device__ explicit CacheModifiedOutputIterator(Value* pointer) : pointer_(pointer) {}
  __device__ Value& operator*() const { return *pointer_; }
  __host__ __device__ void advance(Offset n) { pointer_ += n; }
  __host__ __device__ Value* position() const { return pointer_; }

 private:
  Value* pointer_;
};

template <typename Offset = ptrdiff_t>
class DiscardOutputIterator
    : public detail::Iterator<DiscardOutputIterator<Offset>, void, DiscardOutputIterator<Offset>, Offset> {
 public:
  __host__ __device__ explicit DiscardOutputIterator(Offset at = 0) : at_(at) {}
  __host__ __device__ DiscardOutputIterator operator*() const { return *this; }
  template <typename T>
  __host__ __device__ const DiscardOutputIterator& operator=(const T&) const {
    return *this;
  }
  DiscardOutputIterator(const DiscardOutputIterator&) = default;
  DiscardOutputIterator& operator=(const DiscardOutputIterator&) = default;
  __host__ __device__ void advance(Offset n) { at_ += n; }
  __host__ __device__ Offset position() const { return at_; }

 private:
  Offset at_;
};

}  // namespace cub
