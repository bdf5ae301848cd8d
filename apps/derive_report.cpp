// SPDX-License-Identifier: Apache-2.0
#include "derive_report.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/result_store.h"
#include "program.h"
#include "scratch_folder.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

// Nothing where there is no such file.
std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  if (!fs::exists(path)) return lines;
  const std::string text = read_text_file(path);
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

bool has_samples(const fs::path& folder) {
  return fs::exists(folder / "samples.jsonl.xz") || fs::exists(folder / "samples.jsonl") ||
         has_shards(folder.string());
}

std::string last_name(const std::string& path) {
  return fs::weakly_canonical(path).filename().string();
}

// Runs the program itself in `place`; its words go to the file `said`. Returns its exit code.
int run_self(const std::vector<std::string>& arguments, const std::string& place,
             const std::string& said) {
  std::vector<std::string> words = {"kakeya-report"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const pid_t child = ::fork();
  if (child < 0) throw IoError(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    const int file = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || ::dup2(file, 1) < 0 || ::dup2(file, 2) < 0 || ::chdir(place.c_str()) != 0) {
      ::_exit(126);
    }
    ::execv(self.c_str(), pointers.data());
    ::_exit(127);
  }
  int state = 0;
  while (::waitpid(child, &state, 0) < 0) {
    if (errno != EINTR) throw IoError(std::string("waitpid: ") + std::strerror(errno));
  }
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128;
}

}  // namespace

Recipe recipe_of(const std::string& folder) {
  const fs::path place(folder);
  if (!fs::is_directory(place)) throw InputError(folder + ": expected the folder of a report");
  Recipe recipe;
  recipe.arguments = lines_of(place / "derive.txt");
  if (!recipe.arguments.empty()) {
    constexpr std::string_view kNone = "none: ";
    if (recipe.arguments[0].starts_with(kNone)) {
      recipe.why_not = recipe.arguments[0].substr(kNone.size());
      recipe.arguments.clear();
    }
    return recipe;
  }
  if (has_samples(place)) recipe.folders.push_back(folder);
  for (const auto& entry : fs::directory_iterator(place)) {
    if (entry.is_directory() && has_samples(entry.path())) {
      recipe.folders.push_back(entry.path().string());
    }
  }
  if (recipe.folders.empty()) {
    throw InputError(folder + ": expected samples.jsonl.xz, folders with it, or derive.txt");
  }
  std::sort(recipe.folders.begin(), recipe.folders.end(),
            [](const auto& a, const auto& b) { return last_name(a) < last_name(b); });
  // "./": a folder may bear the name of a subcommand.
  for (const std::string& path : recipe.folders) {
    recipe.arguments.push_back("./" + last_name(path));
  }
  const std::vector<std::string> shown = lines_of(place / "charts.txt");
  if (!shown.empty()) recipe.arguments.emplace_back("--families");
  recipe.arguments.insert(recipe.arguments.end(), shown.begin(), shown.end());
  return recipe;
}

void derive_report(const Recipe& recipe, const std::string& folder, const std::string& out) {
  const ScratchFolder scratch;
  // Samples are read from folders of their own names, as tables call them so.
  for (const std::string& path : recipe.folders) {
    fs::create_directory_symlink(fs::canonical(path), scratch.path() / last_name(path));
  }
  std::vector<std::string> arguments = recipe.arguments;
  arguments.insert(arguments.end(), {"--out", fs::absolute(out).string(), "--no-charts"});
  const std::string said = (scratch.path() / "said.txt").string();
  const int code =
      run_self(arguments, recipe.folders.empty() ? folder : scratch.path().string(), said);
  if (code != 0) {
    throw InputError(fmt::format("{}: kakeya-report {}: exit code {}: {}", folder,
                                 fmt::join(recipe.arguments, " "), code,
                                 error_line(read_text_file(said))));
  }
}

}  // namespace kakeya
