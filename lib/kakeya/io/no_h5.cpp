// SPDX-License-Identifier: Apache-2.0
// Stands in for h5.cpp and kv_store.cpp where there is no HDF5.
#include "kakeya/core/error.h"
#include "kakeya/io/kv_store.h"

namespace kakeya {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw InputError(path + ": this build has no HDF5 (see the configure output)");
}

}  // namespace

struct DumpWriter::Impl {
  std::string path;
};

DumpWriter::DumpWriter(const std::string& path, const DumpFacts&) { refuse(path); }
DumpWriter::~DumpWriter() = default;
void DumpWriter::write_tokens(int, const std::vector<std::int32_t>&, const std::string&) {
  refuse(impl_->path);
}
void DumpWriter::write_part(int, int, char, const float*, std::size_t, std::size_t, std::size_t) {
  refuse(impl_->path);
}
void DumpWriter::commit() { refuse(impl_->path); }

struct DumpReader::Impl {
  std::string path;
};

DumpReader::DumpReader(const std::string& path) { refuse(path); }
DumpReader::~DumpReader() = default;
const DumpFacts& DumpReader::facts() const { refuse(impl_->path); }
std::vector<std::int32_t> DumpReader::tokens(int) const { refuse(impl_->path); }
std::string DumpReader::origin(int) const { refuse(impl_->path); }
std::vector<float> DumpReader::part(int, int, char) const { refuse(impl_->path); }

}  // namespace kakeya
