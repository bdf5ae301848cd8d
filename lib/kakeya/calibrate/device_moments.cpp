// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/device_moments.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::size_t stride_for(std::size_t tokens_in_all, std::size_t samples) {
  return std::max<std::size_t>(1, (tokens_in_all + samples - 1) / samples);
}

// Of tokens after `seen` others, the first of which every `stride`-th is kept.
std::size_t first_kept(std::size_t seen, std::size_t stride) {
  return (stride - seen % stride) % stride;
}

[[noreturn]] void refuse_host(KvSite site) {
  throw InputError(site_name(site) + ": shown on the host to a tap that works on the device");
}

DeviceVectors without_sinks(const DeviceVectors& x, std::size_t sinks) {
  const std::size_t skipped = std::min(sinks, x.tokens);
  return x.slice({skipped, x.tokens - skipped});
}

constexpr Part kParts[] = {Part::key, Part::value, Part::query};

}  // namespace

DeviceMomentsTap::DeviceMomentsTap(const ModelFacts& facts, const DeviceAlgebra& algebra,
                                   TapPoint tap, std::size_t sinks, std::size_t tokens_in_all,
                                   std::size_t samples)
    : tap_(tap),
      sinks_(sinks),
      dim_(facts.shape.dim()),
      stride_(stride_for(tokens_in_all, samples)),
      room_((tokens_in_all + stride_ - 1) / stride_) {
  for (int layer = 0; layer < facts.shape.layers; ++layer) {
    for (const Part part : kParts) {
      const std::size_t heads = facts.shape.heads(part);
      Sums& made = parts_.emplace_back();
      made.heads = heads;
      made.sums = algebra.head_sums(heads, dim_);
      if (part == Part::query) continue;
      made.samples = std::make_unique<DeviceBuffer>(room_ * heads * dim_ * sizeof(float));
    }
  }
}

void DeviceMomentsTap::visit_device(KvSite site, const DeviceKvView& view) {
  if (site.part != Part::query) round_vectors_to_bf16(view.values, view.stream);
  const std::size_t of_layer = site.part == Part::key ? 0 : site.part == Part::value ? 1 : 2;
  Sums& part = parts_.at(3 * static_cast<std::size_t>(site.layer) + of_layer);
  const DeviceVectors x = without_sinks(view.values, sinks_);
  part.sums->add(x);
  if (part.samples) keep(part, x, view.stream);
  part.seen += x.tokens;
}

void DeviceMomentsTap::visit(KvSite site, KvView) { refuse_host(site); }

void DeviceMomentsTap::keep(Sums& part, const DeviceVectors& x, DeviceStream stream) const {
  const std::size_t first = first_kept(part.seen, stride_);
  if (first >= x.tokens) return;
  DeviceVectors kept = x.slice({first, (x.tokens - first + stride_ - 1) / stride_});
  kept.token_stride *= stride_;
  if (part.kept + kept.tokens > room_) {
    throw InputError("moments: more tokens than the " + std::to_string(room_ * stride_) +
                     " that were told of");
  }
  float* const to = static_cast<float*>(part.samples->data()) + part.kept * part.heads * dim_;
  convert_vectors(kept, dense_device_vectors(to, DeviceScalar::fp32, kept.tokens, part.heads, dim_),
                  stream);
  part.kept += kept.tokens;
}

void DeviceMomentsTap::finish(CacheMoments& moments) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Sums& part = parts_[i];
    const std::vector<double> sums = part.sums->sums(), products = part.sums->products();
    std::vector<float> samples(part.kept * part.heads * dim_);
    if (part.samples) part.samples->copy_out(samples.data(), samples.size() * sizeof(float));
    for (std::size_t head = 0; head < part.heads; ++head) {
      const KvSite site{static_cast<int>(i / 3), kParts[i % 3], static_cast<int>(head)};
      moments.add_sums(site, std::span(sums).subspan(head * dim_, dim_),
                       std::span(products).subspan(head * dim_ * dim_, dim_ * dim_), part.seen);
      for (std::size_t row = 0; row < part.kept; ++row) {
        moments.add_sample(
            site, std::span<const float>(samples).subspan((row * part.heads + head) * dim_, dim_));
      }
    }
  }
}

DeviceLayerMomentsTap::DeviceLayerMomentsTap(const Profile& profile, const DeviceAlgebra& algebra,
                                             LayerMoments& moments, TapPoint tap,
                                             std::size_t tokens_in_all, std::size_t samples)
    : profile_(profile),
      algebra_(algebra),
      moments_(moments),
      tap_(tap),
      stride_(stride_for(tokens_in_all, samples)),
      recent_(kMostOrder + 1),
      products_(static_cast<std::size_t>(profile.layer_groups())) {}

void DeviceLayerMomentsTap::visit_device(KvSite site, const DeviceKvView& view) {
  round_vectors_to_bf16(view.values, view.stream);
  const DeviceVectors x = without_sinks(view.values, static_cast<std::size_t>(profile_.sinks));
  const bool key = site.part == Part::key;
  const auto layer = static_cast<std::size_t>(site.layer);
  const auto together = static_cast<std::size_t>(profile_.layer_group);
  const std::size_t group = layer / together, width = moments_.width();
  std::unique_ptr<DeviceRows>& u = recent_[group % recent_.size()];
  if (key && layer % together == 0) u = algebra_.rows(x.tokens, width);
  std::vector<float> mean, forward;
  for (std::size_t head = 0; head < x.heads; ++head) {
    const SiteTransform& made =
        profile_.transform({site.layer, site.part, static_cast<int>(head)}, TransformVariant{});
    mean.insert(mean.end(), made.mean.begin(), made.mean.end());
    forward.insert(forward.end(), made.forward.begin(), made.forward.end());
  }
  u->put((layer % together * 2 + (key ? 0 : 1)) * x.heads * x.dim, x, mean, forward,
         static_cast<float>(std::exp2(profile_.layer_octaves[site.index()])));
  if (key || (layer + 1) % together != 0) return;
  std::vector<std::unique_ptr<DeviceProduct>>& sums = products_[group];
  for (std::size_t back = 0; back <= std::min(group, moments_.most_order()); ++back) {
    if (sums.size() == back) sums.push_back(algebra_.product(width));
    sums[back]->add(*u, *recent_[(group - back) % recent_.size()]);
  }
  moments_.add_samples(group, u->every(first_kept(seen_, stride_), stride_), x.tokens);
  if (site.layer + 1 == profile_.shape.layers) seen_ += x.tokens;
}

void DeviceLayerMomentsTap::visit(KvSite site, KvView) { refuse_host(site); }

void DeviceLayerMomentsTap::finish() {
  for (std::size_t group = 0; group < products_.size(); ++group) {
    for (std::size_t back = 0; back < products_[group].size(); ++back) {
      moments_.set_product(group, back, products_[group][back]->sum());
    }
  }
}

DeviceWholeTokenTap::DeviceWholeTokenTap(const ModelFacts& facts, const DeviceAlgebra& algebra,
                                         TapPoint tap, std::size_t sinks, std::size_t tokens_in_all,
                                         std::size_t samples)
    : algebra_(algebra),
      tap_(tap),
      layers_(facts.shape.layers),
      width_(static_cast<std::size_t>(layers_) * facts.shape.part_width()),
      sinks_(sinks),
      stride_(stride_for(tokens_in_all, samples)) {
  for (PartSums& part : parts_) part.sums = algebra.covariance(width_);
}

void DeviceWholeTokenTap::visit_device(KvSite site, const DeviceKvView& view) {
  round_vectors_to_bf16(view.values, view.stream);
  const DeviceVectors x = without_sinks(view.values, sinks_);
  PartSums& part = parts_[site.part == Part::key ? 0 : 1];
  if (site.layer == 0) part.tokens = algebra_.rows(x.tokens, width_);
  part.tokens->put(static_cast<std::size_t>(site.layer) * x.heads * x.dim, x);
  if (site.layer + 1 != layers_) return;
  part.sums->add(*part.tokens);
  const std::vector<float> kept = part.tokens->every(first_kept(seen_, stride_), stride_);
  part.samples.insert(part.samples.end(), kept.begin(), kept.end());
  if (site.part == Part::value) seen_ += x.tokens;
}

void DeviceWholeTokenTap::visit(KvSite site, KvView) { refuse_host(site); }

std::array<WholeTokens, 2> DeviceWholeTokenTap::take() {
  std::array<WholeTokens, 2> all;
  for (std::size_t part = 0; part < all.size(); ++part) {
    all[part] = {parts_[part].sums->mean(), parts_[part].sums->covariance(),
                 std::move(parts_[part].samples)};
    parts_[part] = {};
  }
  return all;
}

}  // namespace kakeya
