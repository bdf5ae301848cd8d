// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>

#include "kakeya/core/error.h"
#include "kakeya/core/version.h"

namespace kakeya {
namespace {

struct ShortName {
  const char *name, *path;
};
constexpr ShortName kShortNames[] = {
    {"nano", "data/models/nano"},
    {"smollm2-135m", "models/smollm2-135m/SmolLM2-135M-Instruct.Q4_1.gguf"},
};

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

}  // namespace

int run_program(int argc, char** argv, const std::string& name, const std::string& summary,
                const std::function<void(CLI::App&)>& define, const std::function<void()>& run) {
  const std::string program = "kakeya-" + name;
  try {
    CLI::App app{summary, program};
    app.set_version_flag("--version", program + " " + std::string(version()) + " (" +
                                          std::string(build_commit()) + ", " +
                                          std::string(build_compiler()) + ")");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.get_formatter()->column_width(34);
    define(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& e) {
      return app.exit(e);
    } catch (const CLI::ParseError& e) {
      std::fprintf(stderr, "%s: %s (see %s --help)\n", program.c_str(), one_line(e.what()).c_str(),
                   program.c_str());
      return 2;
    }
    run();
    if (std::fflush(stdout) != 0) throw IoError("standard output: cannot write");
    return 0;
  } catch (const SpecError& e) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), one_line(e.what()).c_str());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of memory\n", program.c_str());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), one_line(e.what()).c_str());
    return 1;
  }
}

std::string resolve_model(const std::string& name) {
  namespace fs = std::filesystem;
  if (fs::exists(name)) return name;
  for (const ShortName& known : kShortNames) {
    if (name != known.name) continue;
    const fs::path path = known.path;
    std::string looked;
    for (const fs::path& root : {fs::current_path(), fs::path(KAKEYA_SOURCE_DIR)}) {
      if (fs::exists(root / path)) return (root / path).string();
    }
    if (const char* models = std::getenv("KAKEYA_MODELS")) {
      const fs::path own = fs::path(models) / name / path.filename();
      if (fs::exists(own)) return own.string();
    }
    throw IoError(name + ": not fetched yet: no " + path.string() + "; run scripts/fetch_model.sh " + name);
  }
  std::string names;
  for (const ShortName& known : kShortNames) names += (names.empty() ? "" : ", ") + std::string(known.name);
  throw IoError(name + ": no such model: expected a Hugging Face folder, a .gguf file, or one of: " + names);
}

}  // namespace kakeya
