// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <vector>

#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/host/start_host.h"
#include "kakeya/version.h"
#include "stop_signals.h"

namespace kakeya {
namespace {

/// A model with a name of its own, below a root: FOLDER/NAME/WEIGHTS.
struct ShortName {
  const char *name, *folder, *weights;
  bool is_folder;  // the model is the folder of its weights
};
constexpr ShortName kShortNames[] = {
    {"nano", "data/models", "model.safetensors", true},
    {"nano-bias", "data/models", "model.safetensors", true},
    {"smollm2-135m", "models", "SmolLM2-135M-Instruct.Q4_1.gguf", false},
    {"gemma3-270m", "models", "gemma-3-270m-q4_k_m.gguf", false},
};

constexpr std::size_t kLongestLine = 500;  // bytes

/// Length of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7); 0 where
/// there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto within = [&](std::size_t i, unsigned lowest, unsigned highest) {
    return byte(i) >= lowest && byte(i) <= highest;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  // Overlong forms, surrogates and what lies above U+10FFFF show in the second byte.
  const unsigned lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (!within(1, lowest, highest)) return 0;
  if (first < 0xE0) return 2;
  if (!within(2, 0x80, 0xBF)) return 0;
  if (first < 0xF0) return 3;
  return within(3, 0x80, 0xBF) ? 4 : 0;
}

/// Control characters and line ends: C0, DEL, C1 (U+0080 to U+009F), U+2028 and U+2029.
bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  if (sequence.size() == 2) return first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
  return sequence == "\u2028" || sequence == "\u2029";
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

char interrupt_line[256];  // what Ctrl-C and SIGTERM print, once it is set

// Only what a signal handler may do. The second signal, raised here, finds the usual end.
extern "C" void on_interrupt(int signal) {
  std::size_t length = 0;
  while (length < sizeof interrupt_line && interrupt_line[length] != 0) ++length;
  if (::write(STDERR_FILENO, interrupt_line, length) < 0) length = 0;  // nobody to tell
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// What the option parser says, but the first unknown option before anything that is missing.
std::string usage_line(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  const bool about_words = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) ||
                           error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (!about_words || unknown.empty()) return error_line(error.what());
  for (const std::string& word : unknown) {
    if (word.size() > 1 && word[0] == '-') return error_line(word + ": unknown option");
  }
  return error_line(unknown.front() + ": unexpected argument");
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
      std::fprintf(stderr, "%s: %s (see %s --help)\n", program.c_str(), usage_line(app, e).c_str(),
                   program.c_str());
      return 2;
    }
    run();
    if (std::fflush(stdout) != 0) throw IoError("standard output: cannot write");
    return 0;
  } catch (const Stopped& e) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error_line(e.what()).c_str());
    return kStoppedCode;
  } catch (const SpecError& e) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error_line(e.what()).c_str());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of memory\n", program.c_str());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error_line(e.what()).c_str());
    return 1;
  }
}

void tell_host_codecs(const std::string& name, const std::vector<std::string>& codecs) {
  if (codecs.empty()) return;
  fmt::print(stderr, "kakeya-{}: on the host, having no kernel: {}\n", name,
             fmt::join(codecs, "; "));
}

void hint_on_interrupt(const std::string& name, const std::string& hint) {
  // A terminal shows a bar of progress, and ^C behind it.
  const char* begin = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  std::snprintf(interrupt_line, sizeof interrupt_line, "%skakeya-%s: stopped: %s\n", begin,
                name.c_str(), hint.c_str());
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

std::string error_line(std::string_view message) {
  while (!message.empty() && message.back() == '\n') message.remove_suffix(1);
  // Ends of a message of any length; what lies between is not looked at.
  constexpr std::string_view kCut = " ... ";
  constexpr std::size_t kTail = 150, kHead = kLongestLine - kTail - kCut.size();
  const auto clean = [](std::string_view text) {
    std::string line;
    while (!text.empty()) {
      const std::size_t length = sequence_length(text);
      const std::string_view sequence = text.substr(0, std::max<std::size_t>(1, length));
      line += length == 0 ? "\uFFFD" : is_control(sequence) ? " " : std::string(sequence);
      text.remove_prefix(sequence.size());
    }
    return line;
  };
  if (message.size() <= 4 * kLongestLine) {
    std::string line = clean(message);
    if (line.size() <= kLongestLine) return line;
  }
  std::string head = clean(message.substr(0, kHead + 4));
  std::string tail = clean(message.substr(message.size() - std::min(message.size(), kTail + 4)));
  std::size_t end = std::min(head.size(), kHead),
              begin = tail.size() - std::min(tail.size(), kTail);
  while (end > 0 && end < head.size() && continues(head[end])) --end;
  while (begin < tail.size() && continues(tail[begin])) ++begin;
  return head.substr(0, end) + std::string(kCut) + tail.substr(begin);
}

CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest) {
  const auto check = [lowest, highest](const std::string& text) {
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && rest == text.data() + text.size();
    if (whole && number >= lowest && number <= highest) return std::string();
    return text + ": expected a whole number from " + std::to_string(lowest) + " to " +
           std::to_string(highest);
  };
  return CLI::Validator(check, "");
}

std::string resolve_model(const std::string& name) {
  namespace fs = std::filesystem;
  if (is_hosted(name)) return std::string(kHostedPrefix) + hosted_name(name);
  std::string names;
  for (const ShortName& known : kShortNames) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
    if (name != known.name) continue;
    const fs::path usual = fs::path(known.folder) / name;
    std::vector<fs::path> folders;
    if (const char* models = std::getenv("KAKEYA_MODELS"))
      folders.push_back(fs::path(models) / name);
    folders.push_back(fs::current_path() / usual);
    folders.push_back(fs::path(KAKEYA_SOURCE_DIR) / usual);
    std::string looked;
    for (const fs::path& folder : folders) {
      const fs::path weights = folder / known.weights;
      if (fs::exists(weights)) return (known.is_folder ? folder : weights).string();
      looked += (looked.empty() ? "" : ", ") + folder.string();
    }
    throw IoError(name + ": not fetched yet (scripts/fetch_model.sh " + name + "): no " +
                  known.weights + " in " + looked);
  }
  if (fs::exists(name)) return name;
  throw IoError(
      name +
      ": no such model: expected a Hugging Face folder, a .gguf file, transformers:NAME, or one of: " +
      names);
}

std::string shipped_folder(const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path here = fs::current_path() / name, there = fs::path(KAKEYA_SOURCE_DIR) / name;
  if (fs::is_directory(here)) return name;
  if (fs::is_directory(there)) return there.string();
  throw IoError(name + ": no such folder in " + fs::current_path().string() + ", nor in " +
                fs::path(KAKEYA_SOURCE_DIR).string());
}

std::string beyond_profile_text(const std::string& spec) {
  const std::optional<SpecPair> pair = SpecPair::try_parse(spec);
  if (pair && (pair->keys.has("profile", "none") || pair->values.has("profile", "none"))) {
    return "far from the first tokens that " + spec + " saw, and kept beside the code as bf16";
  }
  return "far from the profile of " + spec +
         " and kept beside the code, of klt as bf16: expected vectors of the model, layer, part, "
         "head and tap that it is of, and a profile of enough text";
}

}  // namespace kakeya
