// SPDX-License-Identifier: Apache-2.0
// ecz, ecd4 and ece8: rotation, one step, the nearest lattice point, and an entropy coder. No box
// and no maximum: a step from the bit budget (step_rule.h), and points that cost what they are
// worth.
//
//   t = y / step;   z = nearest point of Z, D4 or E8;   decoded y = z step c
//
// c is 1, or for reconstruct=wiener S / (S + G), S the nominal variance in steps squared and G the
// lattice's second moment: the factor with the least squared error when the source is normal.
// Sections:
//
//   "scales"    the scales of step_rule.h, scale_code.h; "windows" theirs
//   "classes", "pages", "streams", "padding"   paged_points.h
//   "exact"     vectors with a coordinate beyond 2^20 steps, after a page of much smaller ones
//               (exact_vectors.h)
//   then those of the stages (stage_sections.h)
//
// budget=BYTES: pages of as many bytes each (codec/budget_pages.h). Their steps are coarser, but all have the tables of
// the rate that was asked for, whose classes go eight octaves down.
#include "kakeya/codecs/entropy_coded/entropy_coded.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kakeya/codec/budget_pages.h"
#include "kakeya/codec/exact_vectors.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/paged_points.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/step_codec.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/entropy_coded/step_rule.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/shared_model.h"

namespace kakeya {
namespace {

// Where a given step lies in the grid of classes: 2^-8 to 2^3.75 times this many steps.
constexpr double kMiddleDeviation = 4.0;

class EntropyCoded final : public NamedCodec, public FrameEntropy, public StepCodec {
 public:
  EntropyCoded(std::string spec, std::size_t dim, Lattice lattice, const StepRule& rule,
               const StageOptions& stages, double deviation, bool class_each)
      : NamedCodec(std::move(spec), dim),
        lattice_(lattice),
        rule_(rule),
        stages_(spec_, stages, dim),
        paged_{shared_point_model(lattice, deviation), lattice, dim, stages.page, class_each},
        sections_(with_stage_sections({"scales", "classes", "pages", "streams", "windows", "exact"},
                                      stages_)) {
    sections_.push_back("padding");
  }

  std::size_t symbols_per_vector() const override { return paged_.symbols_per_vector(); }
  std::size_t page_vectors() const override { return paged_.page; }

  std::size_t encoded_bound(std::size_t count) const override {
    const std::size_t scales = rule_.scales(count);
    const std::size_t exact = rule_.granularity == SharedBy::vector ? 0 : exact_bytes(dim_);
    return frame_overhead(spec_.size(), sections_.size()) +
           scales * (scale_bytes(rule_.format) + 1) + paged_.bound(count) + count * exact +
           paged_.padding_bytes(count, 0) + stage_bound(stages_, count);
  }

  CodedPages code_pages(Rows<const float> x, PageHistory& history) const override {
    StageData data = begin_stages(stages_, x, history);
    StepChooser steps(rule_, x.count, dim_, history.vectors, history.steps);
    PagedWriter pages(paged_, x.count, paged_.coder_after(history.classes));
    std::vector<std::byte> exact;
    for_each_tile(x, data, steps, [&](TileState& state, const StepChooser::Steps& tile) {
      quantise_tile(lattice_, state.tile.data(), dim_, tile.inverse_step, 0.0f);
      pages.add(state.tile.data(), state.first);
      for (std::size_t r = 0; r < state.count; ++r) {
        const std::size_t vector = state.first + r;
        if (tile.exact[r]) append_exact(exact, history.vectors + vector, x[vector]);
      }
    });
    PartList parts(history, x.count, sections_);
    parts.add(steps.scales());
    parts.add_once(pages.classes());
    parts.add(pages.pages());
    parts.add(pages.streams());
    parts.add_windows(steps.windows(), steps.items());
    parts.add(std::move(exact));
    add_stages(stages_, data, x.count, parts);
    if (!history.classes && x.count > 0) history.classes = paged_.kept_classes(pages.classes());
    history.steps = steps.history();
    return parts.take();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    Reader reader(*this, view);
    for_each_page(paged_, out,
                  [&](std::size_t page, Rows<float> vectors) { reader.read(page, vectors); });
  }

  void read_page(const FrameView& view, std::size_t page, Rows<float> out) const override {
    Reader(*this, view).read(page, out);
  }

  PageHistory history_of(const FrameView& view) const override {
    PageHistory history;
    history.centre = first_centre(stages_, view);
    history.classes = paged_.kept_classes(section_of(view, "classes"));
    return history;
  }

  bool reconstruct(Rows<const float> x, Rows<float> out) const override {
    require_same_shape(*this, x, out);
    PageHistory history;
    StageData data = begin_stages(stages_, x, history);
    StepChooser steps(rule_, x.count, dim_);
    for_each_tile(x, data, steps, [&](TileState& state, const StepChooser::Steps& tile) {
      std::memcpy(state.window, tile.window, sizeof state.window);
      stages_.quantise_and_restore(lattice_, tile.inverse_step, 0.0f, state, tile.step, data.centre,
                                   data.outliers, data.windows,
                                   out.slice(state.first, state.count));
      for (std::size_t r = 0; r < state.count; ++r) {
        const std::size_t vector = state.first + r;
        if (tile.exact[r]) std::copy_n(x[vector].data(), dim_, out[vector].data());
      }
    });
    return true;
  }

  void check_frame(const FrameInfo& info) const override {
    paged_.check(info);
    require_items(info, "scales", rule_.scales(info.count), scale_bytes(rule_.format));
    require_items_or_none(info, "windows", rule_.scales(info.count), 1);
    check_stages(stages_, info);
  }

  std::uint64_t padding_bits(const FrameInfo& info) const override {
    return 8 * stages_.outlier_bytes(info.count) -
           info.count * stages_.outliers() * stages_.outlier_bits();
  }

  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    PageHistory history;
    StageData data = begin_stages(stages_, x, history);
    StepChooser steps(rule_, x.count, dim_);
    TileEntropy entropy(lattice_, dim_);
    for_each_tile(x, data, steps, [&](TileState& state, const StepChooser::Steps& tile) {
      quantise_tile(lattice_, state.tile.data(), dim_, tile.inverse_step, 0.0f);
      entropy.add(state.tile.data(), state.count);
    });
    return entropy.total_bits();
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const FrameView view = open_frame(*this, in);
    if (view.count == 0) return std::nullopt;
    Reader reader(*this, view);
    TileEntropy entropy(lattice_, dim_);
    for (std::size_t page = 0; page < paged_.pages(view.count); ++page) reader.count(page, entropy);
    return entropy.total_bits() / static_cast<double>(view.count * dim_);
  }

  StepPlan step_plan() const override {
    return {&paged_,
            rule_.granularity,
            rule_.format,
            rule_.factor,
            rule_.reconstruct,
            stages_.rotates(),
            stages_.centres(),
            stages_.signs(),
            stages_.outliers(),
            stages_.known_centre()};
  }

 private:
  template <typename Work>
  void for_each_tile(Rows<const float> x, StageData& data, StepChooser& chooser,
                     const Work& work) const {
    TileState state(dim_);
    StepChooser::Steps steps;
    for (std::size_t first = 0; first < x.count; first += kTileRows) {
      stages_.forward(x, first, data.centre, state, data.outliers, data.windows);
      chooser.choose(state, steps);
      work(state, steps);
    }
  }

  // The pages of one frame.
  class Reader {
   public:
    Reader(const EntropyCoded& codec, const FrameView& view)
        : codec_(codec),
          first_(view.first),
          vectors_(view.count),
          scales_(view.section(0, "scales")),
          windows_(section_of(view, "windows")),
          exact_(section_of(view, "exact")),
          data_(read_stages(codec.stages_, view)),
          pages_(codec.paged_, view.count, section_of(view, "classes"), section_of(view, "pages"),
                 section_of(view, "streams")),
          state_(codec.dim_) {
      require_sections(view, codec.sections_);
      require_zeros(section_of(view, "padding"), codec.spec_);
      check_exact(exact_, codec.dim_, first_ + view.count, codec.spec_);
    }

    void read(std::size_t page, Rows<float> out) {
      pages_.load(page);
      const std::size_t start = page * codec_.paged_.page;
      for (std::size_t at = 0; at < out.count; at += kTileRows) {
        state_.first = start + at;
        state_.count = std::min(kTileRows, out.count - at);
        pages_.tile(state_.first, state_.tile.data());
        float step[kTileRows] = {};
        for (std::size_t r = 0; r < state_.count; ++r) {
          read_step(codec_.rule_, scales_, windows_, first_, state_.first + r, step[r],
                    state_.window[r]);
        }
        codec_.stages_.backward(state_, step, data_.centre, data_.outliers, data_.windows,
                                out.slice(at, state_.count));
      }
      restore_exact(exact_, first_ + start, out);
    }

    // Adds the points of a page.
    void count(std::size_t page, TileEntropy& entropy) {
      pages_.load(page);
      const std::size_t start = page * codec_.paged_.page,
                        end = std::min(start + codec_.paged_.page, vectors_);
      for (std::size_t first = start; first < end; first += kTileRows) {
        pages_.tile(first, state_.tile.data());
        entropy.add(state_.tile.data(), std::min(kTileRows, end - first));
      }
    }

   private:
    const EntropyCoded& codec_;
    std::size_t first_;  // number of the first vector
    std::size_t vectors_;
    std::span<const std::byte> scales_, windows_, exact_;
    StageData data_;
    PagedReader pages_;
    TileState state_;
  };

  Lattice lattice_;
  StepRule rule_;
  Stages stages_;
  PagedFormat paged_;
  std::vector<std::string_view> sections_;
};

}  // namespace

std::unique_ptr<Codec> make_entropy_coded(SpecArgs& args, const CodecInput& input,
                                          Lattice lattice) {
  StepRule rule;
  const double bits = args.real("bits");
  const double step = args.real("step");
  if ((bits == 0.0) == (step == 0.0)) {
    throw SpecError(args.name() + ": expected either bits=B, the target rate a value, or step=S");
  }
  double deviation = kMiddleDeviation;
  if (bits != 0.0) {
    rule.factor = step_of_bits(lattice, bits);
    deviation = 1.0 / rule.factor;
    if (args.word("per") == "head-page") rule.granularity = SharedBy::page;
    if (args.word("scales") == "one") rule.format = ScaleFormat::half;
  } else {
    rule.factor = step;
    rule.granularity = SharedBy::frame;
  }
  const bool class_each = args.word("classes") == "channel";
  const bool shrinks = bits != 0.0 && args.word("reconstruct") == "wiener";
  const StageOptions stages = stage_options(args, input, true);
  rule.page = stages.page;
  const auto budget = static_cast<std::size_t>(args.whole("budget"));
  const auto make = [=, spec = args.canonical(), dim = input.dim](int rung) {
    const double coarser = step_of_rung(rung);
    StepRule coarse = rule;
    coarse.factor *= coarser;
    if (shrinks) {
      const double variance = deviation * deviation / (coarser * coarser);
      coarse.reconstruct = variance / (variance + cell_second_moment(lattice));
    }
    return std::make_unique<EntropyCoded>(spec, dim, lattice, coarse, stages, deviation,
                                          class_each);
  };
  return with_budget(args.canonical(), input.dim, budget, make);
}

}  // namespace kakeya
