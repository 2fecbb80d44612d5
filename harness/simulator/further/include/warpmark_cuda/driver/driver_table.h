// Sorted map from integers to values for the driver API's tables; callers hold a lock. Does not use std::map,
// because a program that includes cuda.h may define names that clash with those of standard headers.
#pragma once

namespace warpmark_driver {

template <class Value>
class Table {
 public:
  struct Entry {
    unsigned long long key;
    Value value;
  };

  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table() { delete[] entries_; }

  // Sorted table: entries [0, count()) are in ascending order of their keys. not_below() returns the index of
  // the first entry whose key is >= `key`, or count().
  size_t count() const { return count_; }
  size_t not_below(unsigned long long key) const {
    size_t at = 0;
    while (at < count_ && entries_[at].key < key) ++at;
    return at;
  }
  Entry& operator[](size_t at) { return entries_[at]; }
  const Entry& operator[](size_t at) const { return entries_[at]; }

  // Looks up a key in the sorted table; returns a pointer to its value, or null if the key is absent.
  Value* find(unsigned long long key) {
    const size_t at = not_below(key);
    return at < count_ && entries_[at].key == key ? &entries_[at].value : nullptr;
  }
  // Returns the sorted table's last entry whose key is <= `key`, or null if all keys are larger.
  Entry* find_before(unsigned long long key) {
    const size_t at = not_below(key);
    if (at < count_ && entries_[at].key == key) return entries_ + at;
    return at == 0 ? nullptr : entries_ + at - 1;
  }
  // Inserts an entry into the sorted table; `key` must not be in the table yet.
  void add(unsigned long long key, const Value& value) {
    if (count_ == room_) grow();
    size_t at = count_++;
    for (; at > 0 && entries_[at - 1].key > key; --at) entries_[at] = entries_[at - 1];
    entries_[at] = {key, value};
  }
  void remove(size_t at) {
    --count_;
    for (; at < count_; ++at) entries_[at] = entries_[at + 1];
  }

 private:
  void grow() {
    room_ = 2 * room_ + 8;
    Entry* larger = new Entry[room_];
    for (size_t at = 0; at < count_; ++at) larger[at] = entries_[at];
    delete[] entries_;
    entries_ = larger;
  }

  Entry* entries_ = nullptr;
  size_t count_ = 0;
  size_t room_ = 0;
};

class Lock {
 public:
  explicit Lock(bool& taken) : taken_(taken) {
    while (__atomic_test_and_set(&taken_, __ATOMIC_ACQUIRE)) {
    }
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { __atomic_clear(&taken_, __ATOMIC_RELEASE); }

 private:
  bool& taken_;
};

}  // namespace warpmark_driver
