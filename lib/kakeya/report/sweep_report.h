// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/against_baseline.h"
#include "kakeya/report/at_kl.h"
#include "kakeya/report/choose.h"
#include "kakeya/report/document.h"
#include "kakeya/store/provenance.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// The report of one or more folders of results, made but not written.
struct SweepReport : Document {
  std::size_t codecs = 0;             ///< different pairs of specs
  std::size_t passages = 0;           ///< different (text, passage)
  std::vector<std::string> warnings;  ///< as in the report: cells not finished, failed cells,
                                      ///< unequal passages, those that a profile was
                                      ///< calibrated on, a broken control
  bool control_broken = false;        ///< identity was there and was not exactly zero
  /// What SweepReportOptions::at_kl asked for: one answer a group with likelihoods and value, which
  /// stands in report.md too.
  std::vector<std::vector<FamilyAtKl>> at_kl;
  /// What to use, of each group with likelihoods in turn: the first table of report.md.
  std::vector<Choice> choices;
  std::vector<Table> splits;  ///< splits_tables(): in report.md too, or named where it is too long
  std::vector<Table> plans;   ///< plan_comparison_table() of each group: likewise

  /// The warnings as a paragraph of the head of a page; "" without any.
  std::string attention() const;
};

/// What a report may have beside what it always has.
struct SweepReportOptions {
  std::vector<std::string> chart_families;  ///< patterns, as hero_charts() takes them
  std::vector<double> at_kl;                ///< nats: which codec is the cheapest there
  BitsOf bits_of = BitsOf::coded_values;    ///< what is compared, charted and chosen by
  bool layer_maps = false;                  ///< heat maps of what each layer lost (layer_maps())
};

/// report.md is one screen (summary_page()), details.md everything. `self` is who makes the report.
/// Of many families `only` those that one of these patterns matches (* stands for anything), and
/// the control; all where there is none. Throws as group_results(), and SpecError when a group has
/// no such baseline or nothing has a family that a pattern matches.
SweepReport make_sweep_report(std::span<const StoredResults> results, const Provenance& self,
                              const ComparisonOptions& options = {},
                              const std::vector<std::string>& only = {},
                              const SweepReportOptions& asked = {});

}  // namespace kakeya
