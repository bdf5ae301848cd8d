// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/decode_pass.h"

#include <algorithm>
#include <string>

#include "kakeya/cache/partition.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/generate/packed_step_cache.h"
#include "kakeya/measure/packed/packed_cache.h"
#include "kakeya/measure/recorded_cache.h"

namespace kakeya {
namespace {

// What a block of a lane holds between sinks and residual window: some of it in pages.
struct LiveBlock {
  FramePlace place;
  std::size_t sealed = 0;  // tokens, the first of the place
  std::size_t page = 0;    // tokens that seal together
};

// The same of all coded layers, in order.
std::vector<LiveBlock> blocks_of(const PackedCache& cache, int sequence, const CacheCodecs& codecs,
                                 std::size_t tokens) {
  const CachePolicy& policy = cache.policy();
  const TokenRange range = policy.exact_ends(kPackedCache).coded(tokens, tokens);
  std::vector<LiveBlock> blocks;
  const auto add = [&](const FramePlace& place, KvSite site) {
    blocks.push_back({place, cache.sealed_tokens(sequence, site), cache.page_tokens(site)});
  };
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (!policy.codes(layer)) continue;
    if (codecs.tokens) {
      add({{layer, 1}, std::nullopt, range}, {layer, Part::key});
      continue;
    }
    for (const Part part : {Part::key, Part::value}) {
      for (const FramePlace& place : frames_of_part({layer, part}, cache.shape().heads(), range))
        add(place, {layer, part});
    }
  }
  return blocks;
}

// What became of a block: CodedHead has the distortion of one of single heads.
struct CodedBlock : CodedHead {
  std::vector<Distortion> distortions;  // as distortions_of()
};

class BlockCoder {
 public:
  BlockCoder(const Codec& codec, const LiveBlock& block, const KvCache& given)
      : codec_(codec),
        block_(block),
        count_(block.place.tokens.count),
        x_(count_ * codec.dim()),
        back_(x_.size()) {
    load_vectors(given, block.place, rows(x_, 0, count_));
  }

  CodedBlock code(const KvCache& given) {
    CodedBlock coded;
    const bool plain = codec_.page_vectors() == 0;
    for (std::size_t done = 0; done < count_;) {
      const std::size_t count = !plain                 ? count_
                                : done < block_.sealed ? block_.page
                                                       : count_ - done;
      const FrameWithOpenPage frame = code_frame(coded, done, count);
      done += count;
      if (plain && done <= block_.sealed) continue;
      coded.open.values = (count_ - block_.sealed) * codec_.dim();
      coded.open.bytes = plain ? frame.bytes : frame.open_bytes;
    }
    coded.open.page_values = block_.page * codec_.dim();
    coded.entropy = codec_.account().index_entropy_bits_per_value(rows(x_, 0, count_));
    // Of whole tokens a vector is one of each head.
    coded.ledger.vectors = coded.ledger.values / given.dim();
    FramePlace lossy = block_.place;
    lossy.tokens.count = block_.sealed == 0 ? count_ : block_.sealed;
    coded.distortions =
        distortions_of(lossy, given.heads(), given.dim(), rows(x_, 0, lossy.tokens.count),
                       rows(back_, 0, lossy.tokens.count));
    coded.distortion = coded.distortions.front();
    return coded;
  }

  // Writes what the pages give back to `decoded`, rounded.
  void store(KvCache& decoded) {
    FramePlace sealed = block_.place;
    sealed.tokens.count = block_.sealed;
    if (block_.sealed > 0) store_vectors(decoded, sealed, rows(back_, 0, block_.sealed));
  }

 private:
  Rows<float> rows(std::vector<float>& values, std::size_t first, std::size_t count) const {
    return dense_rows(values.data() + first * codec_.dim(), count, codec_.dim());
  }

  FrameWithOpenPage code_frame(CodedBlock& coded, std::size_t first, std::size_t count) {
    const Rows<float> x = rows(x_, first, count);
    auto started = Clock::now();
    std::vector<std::byte> bytes(codec_.encoded_bound(count));
    const FrameWithOpenPage frame = encode_with_open_page(codec_, x, bytes);
    coded.encode_seconds += seconds_since(started);
    started = Clock::now();
    const auto written = std::span<const std::byte>(bytes).first(frame.bytes);
    codec_.decode(written, rows(back_, first, count));
    coded.decode_seconds += seconds_since(started);
    coded.ledger.merge(ledger_of(codec_, x, written, false));
    return frame;
  }

  const Codec& codec_;
  const LiveBlock& block_;
  std::size_t count_;
  std::vector<float> x_, back_;
};

// Throws InputError unless the cache gives back `expected` wherever it still has tokens.
void require_same(const PackedCache& cache, int sequence, KvSite site, const KvCache& expected) {
  const std::size_t first = cache.first_token(sequence, site.layer), all = expected.tokens(),
                    width = cache.shape().part_width();
  std::vector<float> seen((all - first) * width), wanted(all * width);
  cache.read(sequence, site, {first, all - first}, dense_rows(seen.data(), all - first, width));
  expected.load(site, all, wanted);
  const auto differs = std::mismatch(seen.begin(), seen.end(),
                                     wanted.begin() + static_cast<std::ptrdiff_t>(first * width))
                           .first;
  if (differs == seen.end()) return;
  const auto at = static_cast<std::size_t>(differs - seen.begin());
  throw InputError(site_name(site) + ": the packed cache gives back " + std::to_string(*differs) +
                   " at token " + std::to_string(first + at / width) + ", channel " +
                   std::to_string(at % width) + ", expected " +
                   std::to_string(wanted[first * width + at]) + ", as coded once more");
}

// Of the layers of the place, and of the sinks and the residual window after the last block of a part.
void add_block(CodingRecord& record, const PackedCache& cache, const LiveBlock& block,
               const CodedBlock& coded) {
  const CachePolicy& policy = cache.policy();
  const KvShape& shape = cache.shape();
  const std::size_t exact = policy.exact_ends(kPackedCache).count();
  if (block.place.site) {
    record.add(policy, *block.place.site, coded);
    const bool last = static_cast<std::size_t>(block.place.site->head) + 1 == shape.heads();
    if (last) record.finish_part(*block.place.site, exact, shape.heads(), shape.dim());
    return;
  }
  const int layer = block.place.layers.first;
  auto together = static_cast<const CodedHead&>(coded);  // booked with the keys
  record.add(policy, {layer, Part::key}, together);
  record.layers[policy.coded_index(layer)].values.merge(coded.distortions[1]);
  record.ledger_k.merge(ledger_of_exact(2 * exact * shape.heads(), shape.dim()));
  record.visits += 2;
}

}  // namespace

CodingRecord record_of_cache(const PackedCache& cache, int sequence, const KvCache& given,
                             const CacheCodecs& codecs, WorkerPool& pool) {
  const std::vector<LiveBlock> blocks = blocks_of(cache, sequence, codecs, given.tokens());
  std::vector<CodedBlock> coded(blocks.size());
  KvCache decoded = given;
  pool.run(blocks.size(), [&](std::size_t i) {
    at_place(blocks[i].place, [&] {
      BlockCoder coder(codec_at(codecs, blocks[i].place), blocks[i], given);
      coded[i] = coder.code(given);
      coder.store(decoded);
    });
  });
  CodingRecord record;
  record.add_layers(cache.policy());
  record.sealed_only = true;
  for (std::size_t i = 0; i < blocks.size(); ++i) add_block(record, cache, blocks[i], coded[i]);
  pool.run(cache.shape().parts(),
           [&](std::size_t i) { require_same(cache, sequence, site_of_index(i), decoded); });
  return record;
}

DecodedPassage decode_passage(Model& model, std::span<const std::int32_t> passage,
                              std::size_t context, const CacheCodecs& codecs,
                              const CachePolicy& policy, TapPoint tap, WorkerPool& pool) {
  const ModelFacts& facts = model.facts();
  if (context < 1 || context >= passage.size()) {
    throw InputError("a context of " + std::to_string(context) + " of " +
                     std::to_string(passage.size()) + " tokens, expected at least 1 and fewer");
  }
  PackedCache packed(facts.shape, policy, codecs, step_windows(facts, kDecodeChunk));
  PackedStepCache cache(packed, tap);
  RecordedCache recorded(cache, facts.shape, passage.size());
  const int sequence = packed.add_sequence();
  DecodedPassage decoded;
  const auto started = Clock::now();
  for (std::size_t done = 0; done < passage.size();) {
    const std::size_t count = done < context ? std::min(kDecodeChunk, context - done) : 1;
    const bool scored = done + count >= context && done + count < passage.size();
    const StepInput input{sequence, passage.subspan(done, count), scored ? 1u : 0u};
    const std::vector<float> logits = model.step({&input, 1}, recorded);
    decoded.logits.insert(decoded.logits.end(), logits.begin(), logits.end());
    done += count;
  }
  decoded.step_seconds = seconds_since(started);
  decoded.cache_seconds = recorded.seconds();
  decoded.record = record_of_cache(packed, sequence, recorded.given(), codecs, pool);
  return decoded;
}

void check_decoding(const ModelFacts& facts, const CacheCodecs& codecs, const CachePolicy& policy,
                    std::size_t tokens) {
  const CodecPair specs = codecs.canonical();
  try {
    const PackedCache cache(facts.shape, policy, codecs, step_windows(facts, kDecodeChunk));
    if (specs.keys == "identity" && specs.values == "identity") return;
    for (const Part part : {Part::key, Part::value}) {
      const std::size_t page = cache.page_tokens({policy.coded_span().first, part}),
                        needed = page + policy.exact_ends(kPackedCache).count();
      if (needed <= tokens) continue;
      throw InputError("a page of " + std::to_string(page) + " tokens of the " +
                       std::string(part_name(part)) + " never fills in the " +
                       std::to_string(tokens) + " of a passage, expected at least " +
                       std::to_string(needed) + ", or a smaller page");
    }
  } catch (const InputError& error) {
    throw SpecError(specs.label() + ": not in mode decode: " + error.what());
  }
}

}  // namespace kakeya
