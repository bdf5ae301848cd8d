// SPDX-License-Identifier: Apache-2.0
#include "sweep_submit.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/shard.h"
#include "program.h"
#include "sweep_script.h"

namespace kakeya {

namespace {

namespace fs = std::filesystem;

using KeyTexts = std::map<std::string, std::string>;

struct Known {
  const char *key, *option;  // of sbatch; nothing: is not one
  bool report;               // whether the report job has it too
};
constexpr Known kKnown[] = {{"tasks", nullptr, false},
                            {"time", "time", true},
                            {"partition", "partition", true},
                            {"account", "account", true},
                            {"qos", "qos", true},
                            {"constraint", "constraint", false},
                            {"gpus", "gpus", false},
                            {"cpus", "cpus-per-task", false},
                            {"mem", "mem", true},
                            {"at_once", nullptr, false},
                            {"grace", nullptr, false}};

constexpr const char* kTasks = "8";

std::string known_keys() {
  std::string names;
  for (const Known& known : kKnown) names += (names.empty() ? "" : ", ") + std::string(known.key);
  return names;
}

KeyTexts keys_of(const std::string& where) {
  constexpr std::string_view kSlurm = "slurm";
  if (where != kSlurm && !where.starts_with("slurm:"))
    throw SpecError("--submit " + where + ": expected slurm, or slurm:tasks=N,KEY=VALUE,...");
  KeyTexts keys;
  std::istringstream items(where.substr(std::min(kSlurm.size() + 1, where.size())));
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t at = item.find('=');
    const std::string key = item.substr(0, at);
    if (std::none_of(std::begin(kKnown), std::end(kKnown),
                     [&](const Known& known) { return key == known.key; })) {
      throw SpecError("--submit: " + key + ": unknown key: expected one of " + known_keys());
    }
    const std::string value = at == std::string::npos ? "" : item.substr(at + 1);
    const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
      return c > ' ' && c <= '~' && c != '"' && c != '\'' && c != '\\';
    });
    if (!plain)
      throw SpecError("--submit: " + item + ": expected " + key + "=VALUE without blanks");
    if (!keys.emplace(key, value).second) throw SpecError("--submit: " + key + ": given twice");
  }
  keys.emplace("tasks", kTasks);  // where it is not given
  for (const char* key : {"tasks", "at_once", "grace"}) {
    const auto at = keys.find(key);
    if (at == keys.end()) continue;
    if (const std::string wrong =
            whole_number(1, key == std::string_view("grace") ? 65535 : 100000)(at->second);
        !wrong.empty())
      throw SpecError(fmt::format("--submit: {}={}", key, wrong));
  }
  return keys;
}

/// A word of a command of the shell.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// A path behind an option of a line #SBATCH.
std::string header_path(const std::string& path) {
  if (path.find('"') == std::string::npos && path.find('\n') == std::string::npos)
    return "\"" + path + "\"";
  throw SpecError("--submit: " + path + ": expected a path without \" and line ends");
}

/// Where a job writes: `pattern` in DIR/slurm, in which alone sbatch is to find its %.
std::string log_option(const fs::path& out, const std::string& pattern) {
  std::string folder = (out / "slurm").string();
  for (std::size_t at = 0; (at = folder.find('%', at)) != std::string::npos; at += 2)
    folder.insert(at, 1, '%');
  return "#SBATCH --output=" + header_path(folder + "/" + pattern) + "\n";
}

std::string header(const KeyTexts& keys, const std::string& name, bool report) {
  std::string text = "#!/bin/bash\n#SBATCH --job-name=" + name + "\n";
  for (const Known& known : kKnown) {
    const auto at = keys.find(known.key);
    if (at == keys.end() || known.option == nullptr || (report && !known.report)) continue;
    text += fmt::format("#SBATCH --{}={}\n", known.option, at->second);
  }
  return text + "#SBATCH --chdir=" + header_path(fs::current_path().string()) + "\n";
}

/// The command without what is of its submission, and as a task runs it.
std::vector<std::string> command_of_task(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {fs::read_symlink("/proc/self/exe").string()};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--submit") ++i;
    if (word == "--submit" || word.starts_with("--submit=") || word == "--dry-run" ||
        word == "--json") {
      continue;
    }
    command.push_back(word);
  }
  command.insert(command.end(), {"--shard", "slurm"});
  return command;
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

std::string array_script(const Submission& asked, const KeyTexts& keys, const fs::path& out) {
  constexpr std::string_view kMark = "# ---- the same in every script ----\n";
  const std::size_t at = kSweepScript.find(kMark);
  if (at == std::string_view::npos) throw Error("sweep.sbatch: expected its mark");
  const auto at_once = keys.find("at_once"), grace = keys.find("grace");
  std::string text = header(keys, "kakeya-sweep", false) + "#SBATCH --array=1-" + keys.at("tasks");
  if (at_once != keys.end()) text += "%" + at_once->second;
  text += "\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:TERM@" +
          (grace == keys.end() ? "60" : grace->second) + "\n" + log_option(out, "%A_%a.log");
  text += "set -- " + shell_line(command_of_task(asked.arguments)) + "\n\n";
  return text.append(kSweepScript.substr(at));
}

std::string report_script(const KeyTexts& keys, const fs::path& out) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  return header(keys, "kakeya-report", true) + "#SBATCH --open-mode=append\n" +
         log_option(out, "report.log") +
         shell_line({(here / "kakeya-sweep").string(), "status", out.string()}) + "\nexec " +
         shell_line({(here / "kakeya-report").string(), out.string(), "--out",
                     (out / "report").string()}) +
         "\n";
}

bool has_sbatch() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((fs::path(folder) / "sbatch").c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// The number of the job.
std::string run_sbatch(const std::vector<std::string>& words) {
  std::string said;
  std::FILE* const pipe = ::popen((shell_line(words) + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw IoError("sbatch: cannot be run");
  char part[512];
  while (std::fgets(part, sizeof part, pipe) != nullptr) said += part;
  const int state = ::pclose(pipe);
  // "123;cluster", and what the site says to stderr beside it.
  std::istringstream lines(WIFEXITED(state) && WEXITSTATUS(state) == 0 ? said : "");
  for (std::string line; std::getline(lines, line);) {
    const std::string number = line.substr(0, line.find(';'));
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
      return number;
  }
  throw Error(fmt::format("{}: {}", shell_line(words), error_line(said)));
}

}  // namespace

void submit_sweep(const Submission& asked) {
  const KeyTexts keys = keys_of(asked.where);
  if (!asked.write_only && !has_sbatch()) {
    throw IoError(
        "--submit: no sbatch in PATH: expected a machine that submits to Slurm; beside --dry-run the "
        "scripts are written only");
  }
  const fs::path out = fs::absolute(asked.out).lexically_normal(), folder = out / "slurm";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder.string() + ": " + error.message());
  const std::string array = (folder / "sweep.sbatch").string(),
                    report = (folder / "report.sbatch").string();
  write_file(array, array_script(asked, keys, out));
  write_file(report, report_script(keys, out));
  nlohmann::ordered_json document = {{"out", asked.out},
                                     {"tasks", std::stoi(keys.at("tasks"))},
                                     {"scripts", {array, report}},
                                     {"array_job", nullptr},
                                     {"report_job", nullptr}};
  if (!asked.write_only) {
    const std::string job = run_sbatch({"sbatch", "--parsable", array});
    document["array_job"] = std::stol(job);
    try {
      document["report_job"] =
          std::stol(run_sbatch({"sbatch", "--parsable", "--dependency=afterany:" + job, report}));
    } catch (const Error& refusal) {
      throw Error(fmt::format("{} (array {} is submitted: scancel {} takes it back)",
                              refusal.what(), job, job));
    }
  }
  if (asked.json) {
    fmt::print("{}\n", document.dump(2));
    return;
  }
  fmt::print("{}\n{}\n", array, report);
  if (asked.write_only) {
    fmt::print("nothing submitted: sbatch {0}, then sbatch --dependency=afterany:JOB {1}\n",
               quoted(array), quoted(report));
    return;
  }
  fmt::print("submitted: array {} of {} tasks, and {}, which reports after it\n",
             document["array_job"].dump(), keys.at("tasks"), document["report_job"].dump());
  fmt::print("look at it: kakeya-sweep status {}\n", asked.out);
}

}  // namespace kakeya
