// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/attention_pages.h"

#include <algorithm>
#include <utility>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/measure/speed/bench_profile.h"

namespace kakeya {
namespace {

constexpr std::size_t kDrawn = 16384;
constexpr std::size_t kCodedTokens = 2048;  // by a host, of klt

// Those of fixed-rate codecs, whose kernels code them.
class PackedPages final : public AttentionPages {
 public:
  PackedPages(const std::string& spec, const KvShape& shape, std::size_t tokens,
              const std::shared_ptr<const DeviceRope>& rope)
      : attention_(spec, shape),
        tokens_(tokens),
        drawn_(bench_vectors(std::min(kDrawn, tokens * shape.heads()), shape.dim())),
        vectors_(2 * tokens * shape.part_width()),
        workspace_(attention_.pack_workspace_bytes(tokens)) {
    attention_.set_rope(rope);
    fill_with(vectors_, drawn_, tokens * shape.heads());
  }

  const DeviceAttention& attention() const override { return attention_; }
  bool by_kernels() const override { return true; }

  void put(const DevicePagePool& pool, const std::int32_t* slots, std::uint32_t* flags) override {
    const KvShape& shape = attention_.shape();
    const DeviceVectors view = dense_device_vectors(vectors_.data(), DeviceScalar::bf16, tokens_,
                                                    shape.heads(), shape.dim());
    attention_.pack(view, view, pool, slots, flags, nullptr, workspace_.data());
  }

  // Keys and values are the same.
  std::vector<float> decoded(Part) const override {
    const std::size_t dim = attention_.shape().dim(), heads = attention_.shape().heads();
    std::vector<float> rows(tokens_ * dim);
    for (std::size_t t = 0; t < tokens_; ++t) {
      std::copy_n(drawn_.data() + t * heads % drawn_.rows().count * dim, dim, &rows[t * dim]);
    }
    for (float& value : rows) value = bfloat16_to_float(float_to_finite_bfloat16(value));
    const Codec& codec = attention_.codec().host();
    const Rows<float> packed = dense_rows(rows.data(), tokens_, dim);
    std::vector<std::byte> frame(codec.encoded_bound(tokens_));
    frame.resize(codec.encode(packed, frame));
    codec.decode(frame, packed);
    return rows;
  }

 private:
  DeviceAttention attention_;
  std::size_t tokens_;
  BenchVectors drawn_;
  DeviceBuffer vectors_, workspace_;
};

// One profile, whatever its name.
class MadeProfile final : public ProfileSource {
 public:
  explicit MadeProfile(std::shared_ptr<const Profile> profile) : profile_(std::move(profile)) {}
  std::shared_ptr<const ProfileHead> find(std::string_view, std::string_view) const override {
    return profile_;
  }

 private:
  std::shared_ptr<const Profile> profile_;
};

// Those of klt, which the host codes: some tokens, again and again.
class LaidPages final : public AttentionPages {
 public:
  LaidPages(const std::string& spec, const KvShape& shape, std::size_t tokens,
            const std::shared_ptr<const DeviceRope>& rope, const BenchCaches* caches)
      : tokens_(tokens),
        coded_tokens_(std::min(kCodedTokens, (tokens + 127) / 128 * 128)),
        profile_(bench_profile(shape.dim(), shape.heads())),
        source_(profile_) {
    if (caches != nullptr) coded_tokens_ = std::min(coded_tokens_, whole_pages(*caches, shape));
    std::vector<CodecInput> inputs[2];
    std::vector<std::vector<std::byte>> frames[2];
    for (const Part part : {Part::key, Part::value}) {
      const std::size_t side = part == Part::key ? 0 : 1;
      for (int head = 0; head < shape.kv_heads; ++head) {
        const auto* real =
            caches != nullptr ? &caches->of(part)[static_cast<std::size_t>(head)] : nullptr;
        const KvSite site = real != nullptr ? real->site : KvSite{0, part, head};
        inputs[side].push_back({shape.dim(), real != nullptr ? caches->profiles : &source_, site});
        const auto codec = make_codec(spec, inputs[side].back());
        BenchVectors x =
            real != nullptr
                ? BenchVectors(coded_tokens_, shape.dim())
                : bench_vectors(coded_tokens_, profile_->transform(site, TransformVariant()));
        if (real != nullptr)
          std::copy_n(real->vectors.begin(), coded_tokens_ * shape.dim(), x.data());
        std::vector<std::byte> frame(codec->encoded_bound(coded_tokens_));
        frame.resize(codec->encode(x.rows(), frame));
        if (head == 0) {
          codec->decode(frame, x.rows());
          decoded_[side].assign(x.data(), x.data() + coded_tokens_ * shape.dim());
        }
        frames[side].push_back(std::move(frame));
      }
    }
    attention_ = std::make_unique<DeviceAttention>(spec, shape, inputs[0], inputs[1],
                                                   attention_room(frames[0], frames[1]));
    attention_->set_rope(rope);
    for (const Part part : {Part::key, Part::value}) {
      const std::size_t side = part == Part::key ? 0 : 1;
      const DeviceCodec& codec = attention_->codec(part);
      const DeviceLayout layout = codec.layout(coded_tokens_, shape.heads());
      std::vector<std::byte> image(layout.bytes);
      for (std::size_t head = 0; head < shape.heads(); ++head) {
        codec.take_frame(frames[side][head], layout, head, image);
      }
      sections_[side] = std::make_unique<DeviceBuffer>(image.size());
      sections_[side]->copy_in(image.data(), image.size());
    }
    workspace_ = std::make_unique<DeviceBuffer>(attention_->lay_workspace_bytes(coded_tokens_));
  }

  const DeviceAttention& attention() const override { return *attention_; }
  bool by_kernels() const override { return false; }

  void put(const DevicePagePool& pool, const std::int32_t* slots, std::uint32_t* flags) override {
    const std::size_t page = attention_->page_tokens(), pages = (tokens_ + page - 1) / page,
                      each = coded_tokens_ / page;
    std::vector<std::int32_t> all(pages), turned(each);
    device_copy_out(all.data(), slots, 4 * pages);
    DeviceBuffer on_device(4 * each);
    for (std::size_t turn = 0; turn * each < pages; ++turn) {
      const std::size_t first = std::min(turn * each, pages - each);  // the last takes slots anew
      for (std::size_t i = 0; i < each; ++i) turned[page_at(turn, i)] = all[first + i];
      on_device.copy_in(turned.data(), 4 * each);
      attention_->lay(sections_[0]->data(), sections_[1]->data(), coded_tokens_, pool,
                      static_cast<const std::int32_t*>(on_device.data()), flags, nullptr,
                      workspace_->data());
      device_wait(nullptr);
    }
  }

  std::vector<float> decoded(Part part) const override {
    const std::vector<float>& from = decoded_[part == Part::key ? 0 : 1];
    const std::size_t dim = attention_->shape().dim(), page = attention_->page_tokens(),
                      pages = (tokens_ + page - 1) / page, each = coded_tokens_ / page,
                      turns = (pages + each - 1) / each;
    std::vector<float> rows(tokens_ * dim);
    for (std::size_t t = 0; t < tokens_; ++t) {
      const bool last = t / page >= pages - each;
      const std::size_t turn = last ? turns - 1 : t / page / each,
                        first = last ? pages - each : turn * each,
                        place = page_at(turn, t / page - first) * page + t % page;
      std::copy_n(&from[place * dim], dim, &rows[t * dim]);
    }
    return rows;
  }

 private:
  // Tokens in whole pages that all heads have; throws where they cannot serve.
  static std::size_t whole_pages(const BenchCaches& caches, const KvShape& shape) {
    std::size_t least = kCodedTokens;
    for (const Part part : {Part::key, Part::value}) {
      const auto& heads = caches.of(part);
      if (heads.size() < shape.heads()) {
        throw InputError("attention: caches of " + std::to_string(heads.size()) +
                         " heads given, expected at least " + std::to_string(shape.heads()));
      }
      for (const auto& head : heads) least = std::min(least, head.vectors.size() / shape.dim());
    }
    if (least < 128) {
      throw InputError("attention: caches of " + std::to_string(least) +
                       " tokens given, expected at least 128");
    }
    return least / 128 * 128;
  }

  // Which coded page is the i-th of those that come for the `turn`-th time. It is another one every time, as a warp takes
  // every so many pages: those of one warp should differ as those of another do.
  std::size_t page_at(std::size_t turn, std::size_t i) const {
    const std::size_t each = coded_tokens_ / attention_->page_tokens();
    return (i + turn + turn / each) % each;
  }

  std::size_t tokens_, coded_tokens_;
  std::shared_ptr<const Profile> profile_;
  MadeProfile source_;
  std::vector<float> decoded_[2];
  std::unique_ptr<DeviceAttention> attention_;
  std::unique_ptr<DeviceBuffer> sections_[2], workspace_;
};

}  // namespace

void fill_with(DeviceBuffer& to, const BenchVectors& drawn, std::size_t count) {
  const std::size_t dim = drawn.rows().dim, made = std::min(count, drawn.rows().count);
  std::vector<std::uint16_t> image(made * dim);
  std::transform(drawn.data(), drawn.data() + image.size(), image.begin(),
                 [](float value) { return float_to_finite_bfloat16(value); });
  to.copy_in(image.data(), 2 * image.size());
  for (std::size_t done = made; done < count;) {
    const std::size_t more = std::min(done, count - done);
    device_copy(static_cast<std::byte*>(to.data()) + 2 * done * dim, to.data(), 2 * more * dim,
                nullptr);
    done += more;
  }
  device_wait(nullptr);
}

std::unique_ptr<AttentionPages> make_attention_pages(const std::string& spec, const KvShape& shape,
                                                     std::size_t tokens,
                                                     const std::shared_ptr<const DeviceRope>& rope,
                                                     const BenchCaches* caches) {
  if (Spec::parse(spec).name() == "klt") {
    return std::make_unique<LaidPages>(spec, shape, tokens, rope, caches);
  }
  if (caches != nullptr) {
    throw InputError(spec +
                     ": attention over captured caches: expected klt, whose pages differ by "
                     "what they hold; those of other codecs take the same time");
  }
  return std::make_unique<PackedPages>(spec, shape, tokens, rope);
}

}  // namespace kakeya
