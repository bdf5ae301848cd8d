// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch_library.h"

#include <dlfcn.h>

#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/version.h"

namespace kakeya {

bool has_torch_library() { return !std::string_view(KAKEYA_TORCH_LIBRARY).empty(); }

namespace {

namespace fs = std::filesystem;

// Where programs are installed, and where they were built.
fs::path find_library() {
  const fs::path built = KAKEYA_TORCH_LIBRARY;
  std::error_code none;
  const fs::path beside = fs::read_symlink("/proc/self/exe", none).parent_path().parent_path() /
                          "lib/kakeya" / built.filename();
  return fs::exists(beside, none) ? beside : built;
}

const TorchLibrary& load_library() {
  const std::string path = find_library().string();
  // LibTorch's functions are looked up when they are called: to look up all of them takes seconds.
  void* const library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) throw IoError(path + ": cannot be loaded: " + ::dlerror());
  using Entry = const TorchLibrary* (*)(std::string_view commit);
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, "kakeya_torch_library"));
  const TorchLibrary* const found = entry == nullptr ? nullptr : entry(build_commit());
  if (found == nullptr) {
    throw IoError(path + ": is of another build, expected that of this program, " +
                  std::string(build_commit()));
  }
  return *found;
}

}  // namespace

const TorchLibrary& torch_library(const std::string& what) {
  if (!has_torch_library()) {
    throw InputError(what + ": this build has no LibTorch (see the configure output)");
  }
  static const TorchLibrary& library = load_library();
  return library;
}

}  // namespace kakeya
