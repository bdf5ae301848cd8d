// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/index_set.h"
#include "kakeya/core/kv.h"

namespace kakeya {

/// One codec for some sites of a cache.
struct PlanEntry {
  IndexSet layers;
  std::optional<Part> part;  ///< keys or values; nothing: both
  IndexSet heads;            ///< empty: all
  std::string codec;         ///< a spec
  bool operator==(const PlanEntry&) const = default;
};

/// A codec for each site of a cache, (layer, keys or values, KV head): plan.json.
///
///     {"kakeya_plan": 1, "name": "mine", "skip": "0,29", "default": "e8:q=10",
///      "sites": [{"layers": "1-3", "part": "k", "codec": "e8:q=38"},
///                {"layers": "7", "heads": "0-1", "codec": "fp8"}]}
///
/// README.md says what each key means. A site belongs to one entry at most; one of none has the
/// default. Layers of `skip` stay bf16, as the skipped layers of a CachePolicy do.
struct CodecPlan {
  static constexpr int kVersion = 1;

  std::string name;              ///< a word: letters, digits and ._-/
  std::string about;             ///< for people; never read
  std::optional<double> bits;    ///< that it aims at, a coded value: the rate of tables and charts
  int layers = 0, kv_heads = 0;  ///< of the model that it is for; 0: any
  IndexSet skip;
  std::string keys, values;  ///< specs of sites without an entry; empty: each site has one
  std::vector<PlanEntry> entries;

  /// Reads plan.json. Throws SpecError that begins with `origin` and names the place: "plan.json:
  /// sites[2].part: "x": expected k or v".
  static CodecPlan parse(std::string_view json, std::string_view origin);

  /// The file again, a line an entry; parse() reads it back.
  std::string document() const;

  /// The document in one line, but for `about`. Of a canonical plan (PlanLayout::plan()) it is the
  /// one text of what it codes and of what it is called: cache files hold it.
  std::string text() const;

  /// The same without name and bits: plans that code alike are alike in it.
  std::string coding() const;

  bool operator==(const CodecPlan&) const = default;
};

/// Whether a text that may name a codec is a plan's instead: it begins with a brace.
inline bool is_plan(std::string_view text) { return text.starts_with('{'); }

/// A plan laid out for one shape: the spec of every site.
class PlanLayout {
 public:
  /// Throws SpecError naming the plan and the place where it is for another shape, names a layer or
  /// head that is not there or is skipped, or a site twice, leaves a site without a codec, or skips
  /// every layer.
  PlanLayout(const CodecPlan& plan, const KvShape& shape);

  bool skips(int layer) const { return plan_.skip.contains(layer); }

  /// The spec of a site with a head. Empty where its layer is skipped.
  const std::string& at(KvSite site) const { return specs_[place(site)]; }
  void set(KvSite site, std::string spec) { specs_[place(site)] = std::move(spec); }

  /// The one spec of all heads of keys or values of a layer, or of both parts; null where there
  /// are several.
  const std::string* of_part(int layer, Part part) const;
  const std::string* of_layer(int layer) const;

  /// Every spec once, in the order of the sites.
  std::vector<std::string> specs() const;

  /// The plan with entries alone, in one way for each layout: sites of one spec together, layers
  /// ascending, heads and part left out where all have it.
  CodecPlan plan() const;

  /// "plan mine".
  std::string name() const;

 private:
  std::size_t place(KvSite site) const {
    return site.index() * shape_.heads() + static_cast<std::size_t>(site.head);
  }
  [[noreturn]] void refuse(const std::string& why) const;
  void require_shape() const;
  void lay(const PlanEntry& entry, std::size_t index);

  CodecPlan plan_;
  KvShape shape_;
  std::vector<std::string> specs_;  // [layer][keys, values][head]
};

}  // namespace kakeya
