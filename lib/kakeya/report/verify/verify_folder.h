// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kakeya {

/// One thing that was verified of a folder of a report.
struct Verified {
  std::string what;                        ///< "digests": in one word or two
  std::size_t checked = 0;                 ///< files, figures
  std::vector<std::string> problems = {};  ///< a line each
  std::string note = {};                   ///< what could not be checked; "" where all was
};

/// digests.txt, in the format of sha256sum, against the files of the folder: samples, provenance,
/// results and measurements of it and of the folders in it. A file that it lacks is a problem, and
/// so is one that is gone.
Verified verify_digests(const std::string& folder);
/// Writes digests.txt anew; returns how many files it names.
std::size_t write_digests(const std::string& folder);

/// The figures that the folder's pages quote (its .md files but report.md and details.md, which are
/// derived, and the pages that pages.txt names) against figures.csv, which has for each one, in the
/// order of the pages, what stands before it and the cell that it is of: a cell of a .csv or .json
/// file of this folder or of one beside it, or "stated: WHERE FROM". A figure that is not there, or
/// is not what its cell rounds to, is a problem.
Verified verify_figures(const std::string& folder);

/// How figures.csv was written.
struct BoundFigures {
  std::size_t figures = 0, kept = 0, found = 0;
  std::vector<std::string> unbound;  ///< "PAGE:LINE: FIGURE after CONTEXT", without a cell
};
/// Writes figures.csv anew: what was there and still holds is kept, for the rest the likeliest cell
/// is sought; a figure without one has no cell, and verify_figures() reports it until somebody
/// writes where it is stated.
BoundFigures bind_figures(const std::string& folder);

/// Files, folders of model weights, or profiles against what the folder's provenance and samples
/// name: each must have a digest that stands there.
Verified verify_sources(const std::string& folder, const std::vector<std::string>& paths);

/// What two folders of the same report differ in: .csv, .dat, .gp and .json byte for byte, .md but
/// for what follows its last rule. Files of `committed` that `made` lacks do not count.
Verified compare_reports(const std::string& made, const std::string& committed);

}  // namespace kakeya
