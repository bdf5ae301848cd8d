// SPDX-License-Identifier: Apache-2.0
// Stands in for h5.cpp where there is no HDF5: no file can be made or opened, so nothing else is
// ever called.
#include "kakeya/core/error.h"
#include "kakeya/store/h5.h"

namespace kakeya::h5 {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw InputError(path + ": this build has no HDF5 (see the configure output)");
}

}  // namespace

std::size_t bytes_of(Scalar) { refuse("h5"); }

File File::create(const std::string& path) { refuse(path); }
File File::open(const std::string& path) { refuse(path); }
File::~File() = default;
void File::close() { refuse(path_); }
void File::write(const std::string&, Scalar, std::span<const std::uint64_t>, const void*) {
  refuse(path_);
}
void File::set_text(const std::string&, const std::string&, const std::string&) { refuse(path_); }
void File::set_integer(const std::string&, const std::string&, std::int64_t) { refuse(path_); }
void File::set_unsigned(const std::string&, const std::string&, std::uint64_t) { refuse(path_); }
void File::set_real(const std::string&, const std::string&, double) { refuse(path_); }
bool File::has(const std::string&, const std::string&) const { refuse(path_); }
std::string File::text(const std::string&, const std::string&) const { refuse(path_); }
std::int64_t File::integer(const std::string&, const std::string&) const { refuse(path_); }
std::uint64_t File::unsigned_integer(const std::string&, const std::string&) const {
  refuse(path_);
}
double File::real(const std::string&, const std::string&) const { refuse(path_); }
void File::check(const std::string&, Scalar, std::span<const std::uint64_t>) const {
  refuse(path_);
}
void File::read(const std::string&, Scalar, std::span<const std::uint64_t>, void*) const {
  refuse(path_);
}

}  // namespace kakeya::h5
