// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/cache_file.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "arrays.h"
#include "bindings.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/cache/pack_cache.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "unlocked.h"

namespace kakeya::python {
namespace {

// A cache file in memory, and the codecs that it names.
class CacheFile {
 public:
  CacheFile(const std::string& path, std::shared_ptr<const ProfileShelf> shelf)
      : shelf_(std::move(shelf)),
        bytes_(read_file(path)),
        reader_(bytes_),
        codecs_(reader_.codecs(shelf_.get())) {}

  const CacheReader& reader() const { return reader_; }

  // The keys or values of a layer: the frames that they are in are decoded, and no others.
  void read(KvSite site, std::span<float> out) const {
    KvCache cache = reader_.make_cache();
    for (const CacheBlock& block : reader_.blocks()) {
      if (holds(block, site)) reader_.restore(block, codecs_, cache);
    }
    cache.load(site, cache.tokens(), out);
  }

 private:
  static bool holds(const CacheBlock& block, KvSite site) {
    if (block.exact) return block.exact->index() == site.index();
    if (block.place.site) return block.place.site->index() == site.index();
    const LayerRange& layers = block.place.layers;
    return site.layer >= layers.first && site.layer < layers.first + layers.count;
  }

  std::shared_ptr<const ProfileShelf> shelf_;
  std::vector<std::byte> bytes_;
  CacheReader reader_;
  CacheCodecs codecs_;
};

std::unique_ptr<CacheFile> load(nb::handle path, nb::handle profile) {
  const std::string file = path_of(path);
  const auto shelf = shelf_of(profile);
  const Unlocked unlocked;
  return std::make_unique<CacheFile>(file, shelf);
}

nb::object read(const CacheFile& self, int layer, const std::string& part) {
  const CacheExtent& extent = self.reader().facts().extent;
  const KvSite site{layer, part_of(part)};
  if (layer < 0 || layer >= extent.shape.layers) {
    throw InputError("layer " + std::to_string(layer) + ": expected one of " +
                     std::to_string(extent.shape.layers));
  }
  const std::size_t shape[] = {extent.tokens, extent.shape.heads(), extent.shape.dim()};
  OutputArray out = new_array(shape, 2);
  {
    const Unlocked unlocked;
    self.read(site, {out.rows.data, out.rows.values()});
  }
  return std::move(out.array);
}

nb::dict bytes_of(const CacheFile& self) {
  const CacheBytes bytes = self.reader().bytes();
  nb::dict dict;
  dict["frames"] = bytes.frames;
  dict["exact_tokens"] = bytes.exact_tokens;
  dict["skipped_layers"] = bytes.skipped_layers;
  dict["container"] = bytes.container;
  dict["file"] = bytes.file();
  return dict;
}

// Arrays of one part, a layer each, into the cache; `cache` is made of the first.
void store(nb::handle layers, Part part, std::size_t count, std::optional<KvCache>& cache) {
  const char* name = part == Part::key ? "keys" : "values";
  if (nb::len(layers) != count) {
    throw InputError(std::string(name) + ": " + std::to_string(nb::len(layers)) +
                     " layers given, expected " + std::to_string(count));
  }
  int layer = 0;
  for (const nb::handle one : layers) {
    const KvSite site{layer++, part};
    const std::string what = std::string(name) + " of layer " + std::to_string(site.layer);
    const InputArray array(one, what.c_str());
    if (array.axes() != 3)
      throw InputError(what + ": " + std::to_string(array.axes()) +
                       " axes given, expected [tokens, kv_heads, head_dim]");
    if (!cache)
      cache.emplace(static_cast<int>(count), array.length(0), array.length(1), array.length(2));
    if (array.length(0) != cache->tokens() || array.length(1) != cache->heads() ||
        array.length(2) != cache->dim()) {
      throw InputError(what + ": [" + std::to_string(array.length(0)) + ", " +
                       std::to_string(array.length(1)) + ", " + std::to_string(array.length(2)) +
                       "] given, expected [" + std::to_string(cache->tokens()) + ", " +
                       std::to_string(cache->heads()) + ", " + std::to_string(cache->dim()) +
                       "] as in layer 0");
    }
    const Unlocked unlocked;
    const InputRows rows(array, 2);
    cache->writable_patterns(site);
    const Rows<const float> given = rows.rows();
    std::vector<float> dense(given.values());
    for (std::size_t i = 0; i < given.count; ++i)
      std::copy_n(given[i].data(), given.dim, dense.data() + i * given.dim);
    cache->store(site, dense);
  }
}

std::size_t save(nb::handle path, nb::handle keys, nb::handle values,
                 const std::optional<std::string>& codec, const std::optional<std::string>& codec_k,
                 const std::optional<std::string>& codec_v, nb::handle profile,
                 nb::handle token_ids, int skipped_layers, int sinks, int residual_window,
                 int threads, nb::handle plan, const std::optional<std::string>& coded_layers,
                 const std::optional<std::string>& skip_layers, const nb::kwargs& keywords) {
  if (threads < 0) {
    throw InputError("threads " + std::to_string(threads) + ": expected 0 (all) or more");
  }
  CacheFacts facts;
  set_facts(facts, keywords);
  const auto shelf = shelf_of(profile);
  const std::string file = path_of(path);
  std::vector<std::int32_t> ids = token_ids_of(token_ids);
  const std::size_t layers = nb::len(keys);
  if (layers == 0) throw InputError("keys: no layer given, expected one at least");
  std::optional<KvCache> cache;
  store(keys, Part::key, layers, cache);
  store(values, Part::value, layers, cache);
  CacheExtent& extent = facts.extent;
  extent.shape = {static_cast<int>(layers), static_cast<int>(cache->heads()), 0,
                  static_cast<int>(cache->dim())};
  extent.tokens = cache->tokens();
  extent.policy = {extent.shape.layers, skipped_layers, sinks, residual_window};
  const CodecPair specs =
      coding_of({codec, codec_k, codec_v, plan, coded_layers, skip_layers}, extent.policy);
  const Unlocked unlocked;
  const CacheCodecs codecs = make_cache_codecs(specs, {extent.shape, extent.policy, shelf.get()});
  extent.policy = codecs.policy_of(extent.policy);
  extent.policy.check(extent.tokens);
  WorkerPool pool(threads);
  const std::vector<std::byte> packed =
      pack_cache(std::move(facts), std::move(ids), *cache, codecs, pool);
  write_file(file, packed.data(), packed.size());
  return packed.size();
}

}  // namespace

void bind_cache_file(nb::module_& module) {
  nb::class_<CacheFile>(
      module, "CacheFile",
      "A packed cache (.kkv) in memory; load_cache() makes one. Immutable; threads may share it.")
      .def_prop_ro(
          "facts", [](const CacheFile& self) { return dict_of(self.reader().facts()); },
          nb::sig("def facts(self) -> dict[str, typing.Any]"),
          "Where it came from and how it is coded: model, tokenizer, text, tap, RoPE, shape, policy, codecs.")
      .def_prop_ro(
          "token_ids", [](const CacheFile& self) { return new_ids(self.reader().token_ids()); },
          nb::sig("def token_ids(self) -> numpy.ndarray"), "int32 [tokens].")
      .def_prop_ro("bytes", &bytes_of, nb::sig("def bytes(self) -> dict[str, int]"),
                   "Bytes of frames, exact_tokens, skipped_layers, container; their sum, file.")
      .def(
          "read", &read, nb::arg("layer"), nb::arg("part"),
          nb::sig("def read(self, layer: int, part: str) -> numpy.ndarray"),
          "The keys (part 'key') or values ('value') of a layer, decoded and rounded to bf16 as attention\n"
          "sees them: float32 [tokens, kv_heads, head_dim]. Decodes the frames that hold them at every call.\n"
          "Raises CorruptStream on damage.");
  module.def(
      "load_cache", &load, nb::arg("path"), nb::arg("profile") = nb::none(),
      nb::sig(
          "def load_cache(path: str | os.PathLike[str], profile: typing.Any = None) -> CacheFile"),
      "Opens a packed cache that save_cache() or `kakeya-codec pack` wrote. `profile`: of calibrated\n"
      "codecs. Raises IoError, CorruptStream, InputError without its profile.");
  module.def(
      "save_cache", &save, nb::arg("path"), nb::arg("keys"), nb::arg("values"), nb::kw_only(),
      nb::arg("codec") = nb::none(), nb::arg("codec_k") = nb::none(),
      nb::arg("codec_v") = nb::none(), nb::arg("profile") = nb::none(), nb::arg("token_ids"),
      nb::arg("skipped_layers") = 0, nb::arg("sinks") = 0, nb::arg("residual_window") = 0,
      nb::arg("threads") = 0, nb::arg("plan") = nb::none(), nb::arg("coded_layers") = nb::none(),
      nb::arg("skip_layers") = nb::none(), nb::arg("facts"),
      nb::sig(
          "def save_cache(path: str | os.PathLike[str], keys: typing.Any, values: typing.Any, *, codec: str | None = None, codec_k: str | None = None, codec_v: str | None = None, profile: typing.Any = None, token_ids: typing.Sequence[int], skipped_layers: int = 0, sinks: int = 0, residual_window: int = 0, threads: int = 0, plan: str | os.PathLike[str] | dict[str, typing.Any] | None = None, coded_layers: str | None = None, skip_layers: str | None = None, **facts: typing.Any) -> int"),
      "Writes a whole cache to one file. keys, values: [layers, tokens, kv_heads, head_dim], or a list\n"
      "of [tokens, kv_heads, head_dim], one a layer. codec, policy, plan and facts as of PackedCache and its\n"
      "save(). threads: 0, as many as the machine has. Returns the bytes written. Raises SpecError,\n"
      "InputError, IoError.");
}

}  // namespace kakeya::python
