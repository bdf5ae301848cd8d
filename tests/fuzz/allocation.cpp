// SPDX-License-Identifier: Apache-2.0
#include "fuzz/allocation.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t asked = 0;

void* take(std::size_t bytes) noexcept {
  asked += bytes;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* take(std::size_t bytes, std::align_val_t alignment) noexcept {
  asked += bytes;
  const auto unit = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(unit, (bytes + unit) / unit * unit);  // whole units, one at least
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

std::size_t kakeya::fuzz::allocated_bytes() { return asked; }

void* operator new(std::size_t bytes) { return or_throw(take(bytes)); }
void* operator new[](std::size_t bytes) { return or_throw(take(bytes)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return take(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return take(bytes); }
void* operator new(std::size_t bytes, std::align_val_t unit) { return or_throw(take(bytes, unit)); }
void* operator new[](std::size_t bytes, std::align_val_t unit) {
  return or_throw(take(bytes, unit));
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
