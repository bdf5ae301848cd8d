// SPDX-License-Identifier: Apache-2.0
// Errors, and what arguments have in common.
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include "bindings/c/handles.h"

namespace kakeya::c {
namespace {

// No allocation: the error may be that there is no memory.
thread_local char last_error[1024] = "";

kakeya_status report(kakeya_status status, const char* text) noexcept {
  std::snprintf(last_error, sizeof last_error, "%s", text);
  return status;
}

}  // namespace

kakeya_status report_exception() noexcept {
  try {
    throw;
  } catch (const TooSmall& error) {
    return report(KAKEYA_BUFFER_TOO_SMALL, error.what());
  } catch (const StatusError& error) {
    return report(error.status(), error.what());
  } catch (const SpecError& error) {
    return report(KAKEYA_SPEC_ERROR, error.what());
  } catch (const InputError& error) {
    return report(KAKEYA_INPUT_ERROR, error.what());
  } catch (const CorruptStream& error) {
    return report(KAKEYA_CORRUPT_STREAM, error.what());
  } catch (const IoError& error) {
    return report(KAKEYA_IO_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return report(KAKEYA_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error&) {  // more than a vector can ever have
    return report(KAKEYA_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return report(KAKEYA_INTERNAL_ERROR, error.what());
  } catch (...) {
    return report(KAKEYA_INTERNAL_ERROR, "an exception of unknown type");
  }
}

void require(const void* pointer, const char* argument) {
  if (pointer == nullptr) throw InputError(std::string(argument) + ": NULL given");
}

std::span<const std::byte> bytes_of(const void* bytes, std::size_t size, const char* argument) {
  if (size != 0) require(bytes, argument);
  return {static_cast<const std::byte*>(bytes), size};
}

void give_bytes(std::span<const std::byte> bytes, void* out, std::size_t capacity,
                std::size_t* size) {
  *size = bytes.size();
  if (bytes.size() > capacity) {
    throw TooSmall("room for " + std::to_string(capacity) + " bytes given, expected " +
                   std::to_string(bytes.size()));
  }
  if (bytes.empty()) return;
  require(out, "buffer");
  std::memcpy(out, bytes.data(), bytes.size());
}

void give_numbers(std::span<const std::int32_t> numbers, std::int32_t* out, std::size_t* count) {
  require(count, "count");
  const std::size_t room = *count;
  *count = numbers.size();
  if (numbers.size() > room) {
    throw TooSmall("room for " + std::to_string(room) + " numbers given, expected " +
                   std::to_string(numbers.size()));
  }
  if (numbers.empty()) return;
  require(out, "out");
  std::copy(numbers.begin(), numbers.end(), out);
}

Part part_of(kakeya_part part) {
  if (part == KAKEYA_KEYS) return Part::key;
  if (part == KAKEYA_VALUES) return Part::value;
  throw SpecError("part " + std::to_string(part) + ": expected KAKEYA_KEYS or KAKEYA_VALUES");
}

std::size_t size_of_struct(const void* given, std::size_t least, const char* argument) {
  constexpr std::size_t kMost = 4096;
  require(given, argument);
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < least || size > kMost) {
    throw InputError(std::string(argument) + ": size " + std::to_string(size) +
                     " given, expected the sizeof of the struct, " + std::to_string(least));
  }
  return size;
}

}  // namespace kakeya::c

const char* kakeya_last_error(void) { return kakeya::c::last_error; }

int32_t kakeya_abi_version(void) { return KAKEYA_ABI_VERSION; }

// version() is a literal, which ends in a zero.
const char* kakeya_version(void) { return kakeya::version().data(); }
