// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "arrays.h"
#include "bindings.h"
#include "forked.h"
#include "kakeya/cache/packed_cache.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "unlocked.h"

namespace kakeya::python {
namespace {

// A cache that several threads may use: readers together, a writer alone, all without the GIL.
class PyPackedCache {
 public:
  PyPackedCache(const KvShape& shape, const CachePolicy& policy, const CodecPair& specs,
                std::shared_ptr<const ProfileShelf> shelf, std::vector<std::size_t> windows)
      : shelf_(std::move(shelf)),
        codecs_(make_cache_codecs(specs, {shape, policy, shelf_.get()})),
        cache_(users_, std::make_unique<PackedCache>(shape, codecs_.policy_of(policy), codecs_,
                                                     std::move(windows))) {}

  template <typename Use>
  auto change(const Use& use) {
    const Unlocked unlocked;
    const Users::Here here(users_, kWhat);
    const std::unique_lock lock(mutex_);
    return use(*cache_);
  }
  template <typename Use>
  auto look(const Use& use) const {
    const Unlocked unlocked;
    const Users::Here here(users_, kWhat);
    const std::shared_lock lock(mutex_);
    return use(std::as_const(*cache_));
  }
  // Without the GIL.
  int restore(std::span<const std::byte> file, const CacheFacts& expected) {
    const Users::Here here(users_, kWhat);
    const std::unique_lock lock(mutex_);
    return restore_sequence(*cache_, file, expected);
  }
  // None of these changes while the cache lives.
  const KvShape& shape() const { return cache_->shape(); }
  const CachePolicy& policy() const { return cache_->policy(); }
  const CacheCodecs& codecs() const { return codecs_; }

 private:
  std::shared_ptr<const ProfileShelf> shelf_;
  CacheCodecs codecs_;
  Users users_;
  Left<PackedCache> cache_;
  mutable std::shared_mutex mutex_;

  static constexpr const char* kWhat = "this PackedCache";
};

void init(PyPackedCache* self, int layers, int kv_heads, int head_dim,
          const std::optional<std::string>& codec, const std::optional<std::string>& codec_k,
          const std::optional<std::string>& codec_v, nb::handle profile, int skipped_layers,
          int sinks, int residual_window, const std::optional<std::vector<std::size_t>>& windows,
          nb::handle plan, const std::optional<std::string>& coded_layers,
          const std::optional<std::string>& skip_layers) {
  constexpr int kMost = 1024;  // as in any profile, and through the C interface
  if (std::min({layers, kv_heads, head_dim}) < 1 ||
      std::max({layers, kv_heads, head_dim}) > kMost) {
    throw InputError("a cache of " + std::to_string(layers) + " layers, " +
                     std::to_string(kv_heads) + " KV heads of " + std::to_string(head_dim) +
                     ": expected 1 to " + std::to_string(kMost) + " of each");
  }
  const KvShape shape{layers, kv_heads, 0, head_dim};
  CachePolicy policy{layers, skipped_layers, sinks, residual_window};
  const CodecPair specs =
      coding_of({codec, codec_k, codec_v, plan, coded_layers, skip_layers}, policy);
  const auto shelf = shelf_of(profile);
  const Unlocked unlocked;
  new (self)
      PyPackedCache(shape, policy, specs, shelf, windows.value_or(std::vector<std::size_t>{}));
}

// [tokens, heads, dim] or [tokens, heads * dim].
std::size_t row_axes_of(const InputArray& array, const KvShape& shape, const char* what) {
  const bool apart =
      array.axes() == 3 && array.length(1) == shape.heads() && array.length(2) == shape.dim();
  if (apart || (array.axes() == 2 && array.length(1) == shape.part_width()))
    return array.axes() - 1;
  std::string given;
  for (const std::size_t length : array.shape())
    given += (given.empty() ? "" : ", ") + std::to_string(length);
  throw InputError(std::string(what) + ": an array of shape [" + given +
                   "] given, expected [tokens, " + std::to_string(shape.heads()) + ", " +
                   std::to_string(shape.dim()) + "] or [tokens, " +
                   std::to_string(shape.part_width()) + "]");
}

void append(PyPackedCache& self, int sequence, int layer, nb::handle keys, nb::handle values) {
  const InputArray key_array(keys, "keys"), value_array(values, "values");
  const std::size_t key_axes = row_axes_of(key_array, self.shape(), "keys");
  const std::size_t value_axes = row_axes_of(value_array, self.shape(), "values");
  self.change([&](PackedCache& cache) {
    const InputRows key_rows(key_array, key_axes), value_rows(value_array, value_axes);
    cache.append(sequence, layer, key_rows.rows(), value_rows.rows());
  });
}

nb::object read(const PyPackedCache& self, int sequence, int layer, const std::string& part,
                std::size_t first, std::optional<std::size_t> count, std::optional<int> head,
                nb::handle out) {
  const KvShape& shape = self.shape();
  if (head && (*head < 0 || *head >= shape.kv_heads)) {
    throw InputError("head " + std::to_string(*head) + ": expected one of " +
                     std::to_string(shape.kv_heads) + " KV heads");
  }
  const KvSite site{layer, part_of(part), head.value_or(KvSite::kAllHeads)};
  if (!count) {
    const std::size_t tokens =
        self.look([&](const PackedCache& cache) { return cache.tokens(sequence, layer); });
    if (first > tokens) {
      throw InputError("tokens from " + std::to_string(first) + ": expected a first one up to " +
                       std::to_string(tokens));
    }
    count = tokens - first;
  }
  const std::size_t lengths[] = {*count, head ? shape.dim() : shape.heads(), shape.dim()};
  const std::span lengths_of(lengths, head ? 2 : 3);
  const auto read = [&](Rows<float> rows) {
    self.look([&](const PackedCache& cache) { cache.read(sequence, site, {first, *count}, rows); });
  };
  if (!out.is_none()) {
    read(CallersArray(out, lengths_of, head ? 1 : 2).rows());
    return nb::borrow(out);
  }
  self.look([&](const PackedCache& cache) {  // before as much memory is asked for
    if (first + *count < first || first + *count > cache.tokens(sequence, layer)) {
      throw InputError("tokens " + std::to_string(first) + " to " + std::to_string(first + *count) +
                       ": the layer has " + std::to_string(cache.tokens(sequence, layer)));
    }
  });
  OutputArray made = new_array(lengths_of, head ? 1 : 2);
  read(made.rows);
  return std::move(made.array);
}

nb::dict live_bytes(const PyPackedCache& self) {
  const LiveBytes bytes = self.look([](const PackedCache& cache) { return cache.live_bytes(); });
  nb::dict dict;
  dict["pages"] = bytes.pages;
  dict["sinks"] = bytes.sinks;
  dict["open"] = bytes.open;
  dict["skipped"] = bytes.skipped;
  dict["tables"] = bytes.tables;
  dict["total"] = bytes.total();
  dict["bf16"] = bytes.bf16;
  return dict;
}

void save(const PyPackedCache& self, int sequence, nb::handle path, nb::handle token_ids,
          std::optional<std::int32_t> next, const nb::kwargs& facts) {
  CacheFacts stated;
  set_facts(stated, facts);
  const std::string file = path_of(path);
  std::vector<std::int32_t> ids = token_ids_of(token_ids);
  self.look([&](const PackedCache& cache) {
    const std::vector<std::byte> bytes =
        save_sequence(cache, sequence, stated, std::move(ids), next);
    write_file(file, bytes.data(), bytes.size());
  });
}

std::vector<std::byte> file_of(nb::handle path) {
  const std::string file = path_of(path);
  const Unlocked unlocked;
  return read_file(file);
}

int restore(PyPackedCache& self, nb::handle path, const nb::kwargs& facts) {
  const std::vector<std::byte> file = file_of(path);
  CacheFacts expected = read_sequence_head(file).facts;
  set_facts(expected, facts);
  const Unlocked unlocked;
  return self.restore(file, expected);
}

std::unique_ptr<PyPackedCache> load(nb::handle path, nb::handle profile, const nb::kwargs& facts) {
  const std::vector<std::byte> file = file_of(path);
  const SequenceHead head = read_sequence_head(file);
  CacheFacts expected = head.facts;
  set_facts(expected, facts);
  const CodecPair& specs = head.facts.codecs;
  for (const std::string& spec : {specs.keys, specs.values}) require_stored_spec(spec);
  const CacheExtent& extent = head.facts.extent;
  const auto shelf = shelf_of(profile);
  const Unlocked unlocked;
  auto cache =
      std::make_unique<PyPackedCache>(extent.shape, extent.policy, specs, shelf, head.windows);
  cache->restore(file, expected);
  return cache;
}

nb::dict head_of(nb::handle path) {
  const SequenceHead head = read_sequence_head(file_of(path));
  nb::dict dict;
  dict["facts"] = dict_of(head.facts);
  dict["token_ids"] = new_ids(head.token_ids);
  dict["next"] = head.next ? nb::object(nb::int_(*head.next)) : nb::none();
  dict["windows"] = nb::cast(head.windows);
  return dict;
}

// A number that a sequence's site has.
template <typename Of>
auto at_site(const Of& of) {
  return [of](const PyPackedCache& self, int sequence, int layer, const std::string& part) {
    const KvSite site{layer, part_of(part)};
    return self.look([&](const PackedCache& cache) { return of(cache, sequence, site); });
  };
}

}  // namespace

void bind_cache(nb::module_& module) {
  nb::class_<PyPackedCache>(
      module, "PackedCache",
      "A KV cache that lives packed: tokens come a few at a time and are read at every step.\n\n"
      "A page seals once all of its tokens are older than the residual window; sealed bytes\n"
      "never change. Sequences that branch share their sealed pages; a layer with a sliding\n"
      "window drops pages that its window has left. What raises leaves the cache as it was.\n"
      "Threads may share it: readers run together, a writer alone, all without the GIL.")
      .def(
          "__init__", &init, nb::arg("layers"), nb::arg("kv_heads"), nb::arg("head_dim"),
          nb::kw_only(), nb::arg("codec") = nb::none(), nb::arg("codec_k") = nb::none(),
          nb::arg("codec_v") = nb::none(), nb::arg("profile") = nb::none(),
          nb::arg("skipped_layers") = 0, nb::arg("sinks") = 0, nb::arg("residual_window") = 0,
          nb::arg("windows") = nb::none(), nb::arg("plan") = nb::none(),
          nb::arg("coded_layers") = nb::none(), nb::arg("skip_layers") = nb::none(),
          nb::sig(
              "def __init__(self, layers: int, kv_heads: int, head_dim: int, *, codec: str | None = None, codec_k: str | None = None, codec_v: str | None = None, profile: typing.Any = None, skipped_layers: int = 0, sinks: int = 0, residual_window: int = 0, windows: typing.Sequence[int] | None = None, plan: str | os.PathLike[str] | dict[str, typing.Any] | None = None, coded_layers: str | None = None, skip_layers: str | None = None) -> None"),
          "codec: of keys and values, or codec_k and codec_v; of one alone, the other stays bf16.\n"
          "skipped_layers: so many first and last layers stay bf16; sinks: first tokens, residual_window:\n"
          "last tokens that stay bf16. windows: tokens that a layer's queries see, their own included, one a\n"
          "layer, 0 for all. coded_layers, skip_layers: only these layers are coded, or these stay bf16, as\n"
          "'0,5,10-20', in place of skipped_layers. plan: a plan.json or its content, in place of codecs and of\n"
          "what says which layers are coded. Raises SpecError, InputError.")
      .def_prop_ro("layers", [](const PyPackedCache& self) { return self.shape().layers; })
      .def_prop_ro("kv_heads", [](const PyPackedCache& self) { return self.shape().kv_heads; })
      .def_prop_ro("head_dim", [](const PyPackedCache& self) { return self.shape().head_dim; })
      .def_prop_ro(
          "codec_k", [](const PyPackedCache& self) { return self.codecs().canonical().keys; },
          "Canonical spec of the keys' codec; of a plan its text, as of the values'.")
      .def_prop_ro(
          "codec_v", [](const PyPackedCache& self) { return self.codecs().canonical().values; },
          "Canonical spec of the values' codec.")
      .def_prop_ro("skipped_layers",
                   [](const PyPackedCache& self) { return self.policy().skipped_layers; })
      .def_prop_ro("sinks", [](const PyPackedCache& self) { return self.policy().sinks; })
      .def_prop_ro("residual_window",
                   [](const PyPackedCache& self) { return self.policy().residual_window; })
      .def_prop_ro(
          "profile_bytes", [](const PyPackedCache& self) { return self.codecs().profile_bytes(); },
          "Bytes of profiles that a reader needs once a model; live_bytes() leaves them out.")
      .def(
          "add_sequence",
          [](PyPackedCache& self) {
            return self.change([](PackedCache& cache) { return cache.add_sequence(); });
          },
          "An empty sequence: its number, which is never used again.")
      .def(
          "branch",
          [](PyPackedCache& self, int sequence) {
            return self.change([&](PackedCache& cache) { return cache.branch(sequence); });
          },
          nb::arg("sequence"),
          "A sequence with the tokens of another, whose sealed pages it shares.")
      .def(
          "drop",
          [](PyPackedCache& self, int sequence) {
            self.change([&](PackedCache& cache) { cache.drop(sequence); });
          },
          nb::arg("sequence"), "Forgets a sequence.")
      .def(
          "sequences",
          [](const PyPackedCache& self) {
            return self.look([](const PackedCache& cache) { return cache.sequences(); });
          },
          "The numbers of all sequences.")
      .def(
          "append", &append, nb::arg("sequence"), nb::arg("layer"), nb::arg("keys"),
          nb::arg("values"),
          nb::sig(
              "def append(self, sequence: int, layer: int, keys: typing.Any, values: typing.Any) -> None"),
          "Appends the keys and values of some tokens to a layer: [tokens, kv_heads, head_dim] or\n"
          "[tokens, kv_heads * head_dim] of float32, float16 or bfloat16, rounded to bf16. Seals the pages\n"
          "that they fill. Raises InputError on other shapes and what is not finite.")
      .def(
          "read", &read, nb::arg("sequence"), nb::arg("layer"), nb::arg("part"),
          nb::arg("first") = 0, nb::arg("count") = nb::none(), nb::arg("head") = nb::none(),
          nb::arg("out") = nb::none(),
          nb::sig(
              "def read(self, sequence: int, layer: int, part: str, first: int = 0, count: int | None = None, head: int | None = None, out: typing.Any = None) -> numpy.ndarray"),
          "The keys (part 'key') or values ('value') of tokens [first, first + count) of a layer, to its\n"
          "end without `count`, as attention sees them: decoded or kept, rounded to bf16, as float32\n"
          "[tokens, kv_heads, head_dim] or, of one head, [tokens, head_dim]. `out`: where they go instead.")
      .def(
          "truncate",
          [](PyPackedCache& self, int sequence, std::size_t tokens) {
            self.change([&](PackedCache& cache) { cache.truncate(sequence, tokens); });
          },
          nb::arg("sequence"), nb::arg("tokens"),
          "Forgets the tokens from `tokens` on, in all layers that have more.")
      .def(
          "tokens",
          [](const PyPackedCache& self, int sequence, int layer) {
            return self.look(
                [&](const PackedCache& cache) { return cache.tokens(sequence, layer); });
          },
          nb::arg("sequence"), nb::arg("layer"),
          "Tokens that were appended to a layer, dropped ones included.")
      .def(
          "first_token",
          [](const PyPackedCache& self, int sequence, int layer) {
            return self.look(
                [&](const PackedCache& cache) { return cache.first_token(sequence, layer); });
          },
          nb::arg("sequence"), nb::arg("layer"),
          "The first of these that a sliding window has not dropped.")
      .def("sealed_tokens", at_site([](const PackedCache& cache, int sequence, KvSite site) {
             return cache.sealed_tokens(sequence, site);
           }),
           nb::arg("sequence"), nb::arg("layer"), nb::arg("part"),
           "Of these, tokens in sealed pages.")
      .def(
          "page_tokens",
          [](const PyPackedCache& self, int layer, const std::string& part) {
            const KvSite site{layer, part_of(part)};
            return self.look([&](const PackedCache& cache) { return cache.page_tokens(site); });
          },
          nb::arg("layer"), nb::arg("part"),
          "Tokens that seal together; 0 where the layer is not coded.")
      .def(
          "live_bytes", &live_bytes, nb::sig("def live_bytes(self) -> dict[str, int]"),
          "Bytes that are allocated: pages, sinks, open, skipped, tables; their sum, total; and bf16, what\n"
          "as many tokens take in bf16. Pages that sequences share count once.")
      .def(
          "save", &save, nb::arg("sequence"), nb::arg("path"), nb::kw_only(), nb::arg("token_ids"),
          nb::arg("next") = nb::none(), nb::arg("facts"),
          nb::sig(
              "def save(self, sequence: int, path: str | os.PathLike[str], *, token_ids: typing.Sequence[int], next: int | None = None, **facts: typing.Any) -> None"),
          "Writes a sequence to a file, which restore() and load() read. `token_ids`: one a token; `next`: a\n"
          "token chosen, but not in the cache yet. `facts`: model, model_sha256, architecture, tokenizer,\n"
          "tokenizer_sha256, text, text_sha256, passage, rope_layout, rope_base, seed, tap. Raises InputError,\n"
          "IoError.")
      .def(
          "restore", &restore, nb::arg("path"), nb::arg("facts"),
          nb::sig("def restore(self, path: str | os.PathLike[str], **facts: typing.Any) -> int"),
          "Adds the sequence of a file and returns its number. `facts`: what model, architecture,\n"
          "tokenizer, tap or RoPE are expected; what is not named is taken as the file has it. Raises\n"
          "InputError where the file is of others, CorruptStream.")
      .def_static(
          "load", &load, nb::arg("path"), nb::arg("profile") = nb::none(), nb::arg("facts"),
          nb::sig(
              "def load(path: str | os.PathLike[str], profile: typing.Any = None, **facts: typing.Any) -> PackedCache"),
          "A cache made as the file of a sequence says, with that sequence (sequences() has its number).\n"
          "As restore().");
  module.def("plan_text", &plan_text, nb::arg("plan"),
             nb::sig("def plan_text(plan: str | os.PathLike[str] | dict[str, typing.Any]) -> str"),
             "The JSON of a plan.json or its content, in one line. Raises SpecError, IoError.");
  module.def("sequence_head", &head_of, nb::arg("path"),
             nb::sig("def sequence_head(path: str | os.PathLike[str]) -> dict[str, typing.Any]"),
             "What the file of a sequence says of it: facts, token_ids, next, windows.");
}

}  // namespace kakeya::python
