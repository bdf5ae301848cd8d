// SPDX-License-Identifier: Apache-2.0
// klt with adapt=N: the transform of whole tokens (klt_layers.cpp), or of a head (klt.cpp), learns from what
// it has coded (adaptive_codec.h, chain_learner.h, head_learner.h).
#include "kakeya/codecs/klt/klt_adaptive.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kakeya/codecs/klt/adaptive_codec.h"
#include "kakeya/codecs/klt/chain_learner.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// What AdaptiveCodec wants to know of whole layers.
class LayerTeacher {
 public:
  using Chain = LayerChain;
  using Learner = ChainLearner;

  LayerTeacher(const AdaptiveLayers& input, std::string spec, const ChainRecord& record)
      : page(input.page),
        growth(input.learning.growth),
        lattice(input.choice.lattice),
        profile_bytes(input.profile_bytes),
        input_(input),
        spec_(std::move(spec)),
        record_(record) {}

  ChainCodec<LayerChain> segment(LayerChain chain) const {
    return {spec_, std::move(chain), lattice, record_, page};
  }
  ChainCodec<LayerChain> widest(const LayerChain& chain) const { return segment(chain); }
  ChainLearner learner() const {
    return {prior(), input_.learning.prior_tokens, input_.learning.scales_only};
  }
  std::optional<ChainLearner> start(LayerChain& chain) const {
    std::optional<ChainLearner> made;
    if (input_.seeds != nullptr && !input_.seeds->nothing()) {
      made.emplace(learner()).begin(*input_.seeds, chain);
    }
    return made;
  }

  std::size_t page, growth;
  Lattice lattice;
  std::size_t profile_bytes;

 private:
  struct Prior {
    std::once_flag once;
    std::shared_ptr<const ChainPrior> made;
  };

  std::shared_ptr<const ChainPrior> prior() const {
    if (input_.prior != nullptr) return input_.prior;
    std::call_once(prior_->once, [&] {
      prior_->made = make_chain_prior(*input_.profile, input_.choice, input_.layers, input_.order,
                                      static_cast<std::int16_t>(record_[2]));
    });
    return prior_->made;
  }

  AdaptiveLayers input_;
  std::string spec_;
  ChainRecord record_;
  std::shared_ptr<Prior> prior_ = std::make_shared<Prior>();
};

// And of single heads. Readable pages have tables, or bounds, of their segment's classes.
class HeadTeacher {
 public:
  using Chain = HeadChain;
  using Learner = HeadLearner;

  HeadTeacher(const AdaptiveHeads& input, std::string spec, const ChainRecord& record,
              const HeadChain& first)
      : page(input.page),
        growth(input.growth),
        lattice(input.lesson.lattice),
        profile_bytes(first.profile_bytes()),
        input_(input),
        spec_(std::move(spec)),
        record_(record),
        first_classes_(first.classes()),
        first_pages_(readable_pages(input.pages, first_classes_, lattice, input.part)) {}

  ChainCodec<HeadChain> segment(HeadChain chain) const {
    const std::vector<std::uint8_t> classes = chain.classes();
    return coding(std::move(chain), classes);
  }
  // Planes of the widest coordinates take the most room.
  ChainCodec<HeadChain> widest(const HeadChain& chain) const {
    return coding(chain, std::vector<std::uint8_t>(chain.dim(), kDeviations - 1));
  }
  HeadLearner learner() const { return HeadLearner(input_.lesson); }
  std::optional<HeadLearner> start(HeadChain&) const { return std::nullopt; }

  std::size_t page, growth;
  Lattice lattice;
  std::size_t profile_bytes;

 private:
  ChainCodec<HeadChain> coding(HeadChain chain, const std::vector<std::uint8_t>& classes) const {
    auto readable = classes == first_classes_
                        ? first_pages_
                        : readable_pages(input_.pages, classes, lattice, input_.part);
    return {spec_, std::move(chain), lattice, record_, page, std::move(readable)};
  }

  AdaptiveHeads input_;
  std::string spec_;
  ChainRecord record_;
  std::vector<std::uint8_t> first_classes_;
  std::shared_ptr<const ReadablePages> first_pages_;
};

}  // namespace

Learning learning_of(SpecArgs& args) {
  const int adapt = args.whole("adapt"), growth = args.whole("grow");
  const bool scales = args.word("learn") == "scales";
  if (scales && adapt == 0) throw SpecError("learn=scales: expected adapt=N beside it, above 0");
  if (growth != 2 && adapt == 0) {
    throw SpecError("grow=" + std::to_string(growth) + ": expected adapt=N beside it, above 0");
  }
  return {static_cast<double>(adapt), static_cast<std::size_t>(growth), scales};
}

Sending sending_of(SpecArgs& args, const Learning& learning) {
  const std::string_view send = args.word("send");
  if (send == "0") return {};
  const std::string given = "send=" + std::string(send);
  if (learning.prior_tokens == 0) {
    throw SpecError(given + ": expected adapt=N beside it, above 0");
  }
  if (learning.scales_only) throw SpecError(given + ",learn=scales: expected learn=all");
  if (send == "auto") return {kMostSeeds, true};
  return {static_cast<std::size_t>(std::stoi(std::string(send))), false};
}

void require_group(int group, LayerRange layers, std::size_t width) {
  if (group == 1) return;
  const std::size_t together = static_cast<std::size_t>(group) * width,
                    numbers = together * static_cast<std::size_t>(layers.count) * width;
  if (together <= kMostGroupWidth && numbers > kMostMatrices) {
    throw InputError("klt: group=" + std::to_string(group) + ": matrices of " +
                     std::to_string(numbers) + " numbers, expected at most " +
                     std::to_string(kMostMatrices) + ": a smaller group, or fewer layers a frame");
  }
  if (layers.first % group == 0 && layers.count % group == 0 &&
      static_cast<std::size_t>(group) * width <= kMostGroupWidth) {
    return;
  }
  throw InputError(
      "klt: group=" + std::to_string(group) + ": layers " + std::to_string(layers.first) + " to " +
      std::to_string(layers.first + layers.count - 1) + " of " + std::to_string(width) +
      " scalars a token given, expected whole groups of " + std::to_string(group) +
      " from layer 0 on, of at most " + std::to_string(kMostGroupWidth) + " scalars together");
}

std::unique_ptr<LearningCodec> make_adaptive_layers(const AdaptiveLayers& input, std::string spec,
                                                    LayerChain chain, const ChainRecord& record) {
  chain.keep_decoded();
  return std::make_unique<AdaptiveCodec<LayerTeacher>>(LayerTeacher(input, spec, record), spec,
                                                       std::move(chain));
}

std::unique_ptr<LearningCodec> make_adaptive_heads(const AdaptiveHeads& input, std::string spec,
                                                   HeadChain chain, const ChainRecord& record) {
  HeadTeacher teacher(input, spec, record, chain);
  return std::make_unique<AdaptiveCodec<HeadTeacher>>(std::move(teacher), spec, std::move(chain));
}

}  // namespace kakeya
