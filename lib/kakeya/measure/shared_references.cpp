// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/shared_references.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/records.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

std::string references_in(const std::string& folder) {
  return (fs::path(folder) / "references").string();
}

/// The plan as it is stored, but for what the pass knows nothing of; and who computes.
std::string circumstances_of(const SweepPlan& plan, const Provenance& maker) {
  StoreHead head;
  head.plan = plan;
  head.plan.split.clear();
  head.plan.split_lines.clear();
  head.plan.device = device_kind(plan.device);
  head.plan.policy.skipped_layers = head.plan.policy.sinks = 0;
  return head_to_json(head) + maker.version + "\n" + maker.commit + "\n" + maker.compiler + "\n" +
         maker.host + "\n" + described_kind(maker.device) + "\n";
}

}  // namespace

// So many times may the folder be removed between two looks at it.
constexpr int kMostRemovals = 10;

SharedReferences::SharedReferences(const std::string& folder, const SweepPlan& plan,
                                   const Provenance& maker, LeaseWait how,
                                   std::function<void(const std::string&)> say,
                                   std::size_t most_logit_bytes)
    : folder_(references_in(folder)),
      circumstances_(circumstances_of(plan, maker)),
      how_(std::move(how)),
      say_(std::move(say)),
      most_logit_bytes_(most_logit_bytes) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw IoError(folder_ + ": " + error.message());
}

StoredReference SharedReferences::of(std::span<const std::int32_t> tokens, bool cache,
                                     const Compute& compute) {
  std::string key = circumstances_ + (cache ? "with K and V" : "logits alone");
  for (const std::int32_t token : tokens) key.append(1, '\n').append(std::to_string(token));
  const std::string name = (fs::path(folder_) / sha256(std::as_bytes(std::span(key)))).string();
  const std::string path = name + ".ref", lock = name + ".writer";
  bool said = false;
  const auto stored = [&]() -> std::optional<StoredReference> {
    if (!fs::exists(path)) return std::nullopt;
    try {
      StoredReference reference = read_reference(path);
      ++read_;
      return reference;
    } catch (const CorruptStream& error) {
      if (!std::exchange(said, true)) say_(std::string(error.what()) + "; computing it again");
    } catch (const IoError&) {
      if (fs::exists(path)) throw;  // else removed meanwhile: remove_references()
    }
    return std::nullopt;
  };
  // Another shard may just have removed the folder: it is made again.
  const auto take = [&]() -> std::unique_ptr<Lease> {
    for (int attempt = 0;; ++attempt) {
      try {
        return Lease::try_take(lock, how_);
      } catch (const IoError&) {
        if (fs::exists(folder_) || attempt == kMostRemovals) throw;
        std::error_code none;  // the next attempt tells
        fs::create_directories(folder_, none);
      }
    }
  };
  for (;;) {
    if (auto reference = stored()) return *std::move(reference);
    const std::unique_ptr<Lease> mine = take();
    if (mine) {
      if (auto reference = stored()) return *std::move(reference);  // written meanwhile
      StoredReference reference = compute();
      ++computed_;
      try {
        write_reference(path, reference);
      } catch (const IoError& error) {  // others compute it too: sharing only saves time
        say_(std::string(error.what()) + "; it is not shared");
      }
      return reference;
    }
    if (how_.stopped && how_.stopped())
      throw StoppedWaiting(path + ": asked to stop while another process computes it");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void remove_references(const std::string& folder) {
  remove_folder(references_in(folder));  // another shard may be removing them too
}

}  // namespace kakeya
