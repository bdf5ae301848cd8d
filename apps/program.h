// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// A program's frame: `--help`, `--version`, `--json`, exit codes 0 / 1 (failure) / 2 (usage) / 75
/// (stop_signals.h), and one line "kakeya-<name>: ..." on stderr when something fails, as error_line() makes it.
///
/// `define` declares options and subcommands on `app`; `run` does the work after parsing. Both may
/// throw kakeya::Error.
int run_program(int argc, char** argv, const std::string& name, const std::string& summary,
                const std::function<void(CLI::App& app)>& define, const std::function<void()>& run);

/// Says on stderr which codecs work on the host beside a model on a GPU (--codec-device auto). Nothing
/// where none does.
void tell_host_codecs(const std::string& name, const std::vector<std::string>& codecs);

/// From here on, Ctrl-C and SIGTERM (of kill, timeout, Slurm) print "kakeya-<name>: stopped: `hint`"
/// before they end the program. Where one is ignored (nohup), it stays so.
void hint_on_interrupt(const std::string& name, const std::string& hint);

/// A message from outside made fit for a terminal: one line of well-formed UTF-8 (each byte that is
/// none becomes U+FFFD) without control characters (a space each), of at most 500 bytes: the middle
/// of a longer one gives way to "...".
std::string error_line(std::string_view message);

/// Takes only whole numbers from `lowest` to `highest`, written in decimal digits; anything else is
/// a usage error that names the text given.
CLI::Validator whole_number(std::uint64_t lowest,
                            std::uint64_t highest = std::numeric_limits<int>::max());

/// The model file or folder that `name` means.
///
/// A short name ("nano", "smollm2-135m") always means that model, whatever lies in the current
/// folder ("./nano" is the path). Its weights are looked for in $KAKEYA_MODELS/NAME, then where
/// scripts/fetch_model.sh puts them (data/models/nano, models/smollm2-135m, ...), below the current
/// folder and then below the source tree that the program was built from; the first place that
/// holds them is taken. "transformers:NAME" is left to the host, which finds NAME. Any other name is a
/// path. Throws IoError naming the places, or the short
/// names.
std::string resolve_model(const std::string& name);

/// The folder `name` ("data/published") of what the project ships: below the current folder, else
/// below the source tree that the program was built from. Throws IoError naming both places.
std::string shipped_folder(const std::string& name);

/// The share of values beyond a codec's profile from which on the programs say so; and what they
/// are, after "n % of the values are ": `spec`, canonical, names the profile.
inline constexpr double kBeyondProfileTold = 0.01;
std::string beyond_profile_text(const std::string& spec);

}  // namespace kakeya
