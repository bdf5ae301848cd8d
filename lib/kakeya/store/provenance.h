// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kakeya {

/// What a reader of one codec has to have of a profile, for the coded layers.
struct ProfileUse {
  std::string codec;  ///< canonical
  std::size_t reader_bytes = 0;
};

/// A profile that codecs used (kakeya-calibrate). `reader_bytes` are what a reader has to have once
/// a model, of the codec that needs most; no rate counts them.
struct ProfileRecord {
  std::string sha256, text_name, text_sha256;
  int passages = 0, context = 0, sinks = 0;
  std::size_t reader_bytes = 0;
  std::vector<ProfileUse> uses = {};  ///< of each codec; absent in older records
  /// Passages measured that share text with what it was calibrated on; absent where the profile does
  /// not know, and in older records.
  std::optional<std::vector<int>> shared_passages = {};
};

/// A plan (plan.json) that cells of a run followed. Samples name it by its label.
struct PlanRecord {
  std::string label, sha256, text;
};

/// A codec of a plugin: its name in specs, and the key that says its rate; empty: none does.
struct PluginCodec {
  std::string name, rate;
};

/// A plugin (--plugin) whose codecs were known to a run: a shared library or a file of Python.
struct PluginRecord {
  std::string file;  ///< its name, without its folder
  std::string sha256;
  std::vector<PluginCodec> codecs;
};

/// Who made a number: stored with every dump and every run of a sweep.
struct Provenance {
  std::string version, commit, compiler;
  std::string host;    ///< operating system and processor; never the machine's name
  std::string device;  ///< "cpu" or the GPU's name; of a model in a host, the host behind it
  int threads = 0;
  std::string started_utc;  ///< ISO 8601
  std::vector<std::string> command;
  std::vector<ProfileRecord> profiles;  ///< absent in older records, and where there are none
  /// Where codecs worked beside a model on a GPU: "cpu" or the GPU's name; absent on a CPU, and in
  /// older records, whose codecs worked on the host.
  std::string codec_device = {};
  /// Codecs that worked on the host all the same, because they have no kernel or in a mode whose cache
  /// is there ("fp8 in mode decode"); absent where none did.
  std::vector<std::string> host_codecs = {};
  std::vector<PluginRecord> plugins = {};  ///< absent where there are none
  std::vector<PlanRecord> plans = {};      ///< absent where there are none
};

/// `device` ("cpu", "cuda:0") with the GPU's name behind it, where the driver says which one it is; and
/// behind that what a host says it is, where the model runs in one.
std::string describe_device(const std::string& device, const std::string& host = {});

/// `device` without how many of them and which: "cuda" of "cuda:1" and of "cuda:0,cuda:1" (layers on
/// several), "cpu" of "cpu,cpu". By it plans are compared.
std::string device_kind(const std::string& device);

/// The same of what describe_device() says: "cuda: NVIDIA H100" of "cuda:1: NVIDIA H100". GPUs without a name
/// keep their numbers: the machine may have unlike ones, which round differently.
std::string described_kind(const std::string& description);

/// Everything but `device`, which the caller knows. `arguments` is argv; absolute paths in it are
/// cut to their last part: files are known by their digests, and where they lay is nobody's
/// business.
Provenance make_provenance(const std::vector<std::string>& arguments, int threads);

/// As a JSON object, and back. Throws CorruptStream on text that is not JSON, InputError on
/// an unknown or missing key.
std::string to_json(const Provenance& provenance);
Provenance provenance_from_json(const std::string& json);

}  // namespace kakeya
