// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/functions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kakeya/core/error.h"
#include "kakeya/stats/holm.h"
#include "kakeya/stats/paired.h"
#include "kakeya/stats/quantile.h"
#include "kakeya/stats/wilcoxon.h"

namespace kakeya {
namespace {

using Numbers = std::vector<double>;
using Arguments = std::span<const FormulaValue>;

Numbers some_numbers(const FormulaValue& value) {
  Numbers numbers = to_numbers(value);
  if (numbers.empty()) throw InputError("no numbers, expected at least one");
  return numbers;
}

double mean(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// Sample standard deviation, n - 1.
double deviation(const Numbers& numbers) {
  if (numbers.size() < 2) throw InputError("sd: one number, expected at least two");
  const double centre = mean(numbers);
  double sum = 0;
  for (double each : numbers) sum += (each - centre) * (each - centre);
  return std::sqrt(sum / static_cast<double>(numbers.size() - 1));
}

/// Ranks from 1, equal numbers sharing the mean of theirs.
Numbers ranks(const Numbers& numbers) {
  Numbers result(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double below = 0, equal = 0;
    for (double each : numbers) {
      below += each < numbers[i] ? 1 : 0;
      equal += each == numbers[i] ? 1 : 0;
    }
    result[i] = below + (equal + 1) / 2;
  }
  return result;
}

double correlation(const Numbers& x, const Numbers& y) {
  if (x.size() != y.size() || x.size() < 3) {
    throw InputError("correlation: expected two lists of the same length, at least three long");
  }
  const double x_mean = mean(x), y_mean = mean(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - x_mean) * (y[i] - y_mean);
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
  }
  return xy / std::sqrt(xx * yy);
}

/// A function of each number, as a list where it was given a list.
template <double (*of)(double)>
FormulaValue each(Arguments arguments, const PublishedRecord&) {
  if (std::holds_alternative<double>(arguments[0])) return of(std::get<double>(arguments[0]));
  Numbers numbers = to_numbers(arguments[0]);
  std::transform(numbers.begin(), numbers.end(), numbers.begin(), of);
  return numbers;
}

double absolute(double x) { return std::abs(x); }
double square_root(double x) { return std::sqrt(x); }
double natural_logarithm(double x) { return std::log(x); }
double logarithm_2(double x) { return std::log2(x); }
double logarithm_10(double x) { return std::log10(x); }
double exponential(double x) { return std::exp(x); }
double rounded_down(double x) { return std::floor(x); }
double rounded_up(double x) { return std::ceil(x); }

FormulaValue mean_of(Arguments a, const PublishedRecord&) { return mean(some_numbers(a[0])); }
FormulaValue sum_of(Arguments a, const PublishedRecord&) {
  const Numbers numbers = to_numbers(a[0]);
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}
FormulaValue count_of(Arguments a, const PublishedRecord&) {
  return static_cast<double>(to_numbers(a[0]).size());
}
FormulaValue least(Arguments a, const PublishedRecord&) {
  const Numbers numbers = some_numbers(a[0]);
  return *std::min_element(numbers.begin(), numbers.end());
}
FormulaValue most(Arguments a, const PublishedRecord&) {
  const Numbers numbers = some_numbers(a[0]);
  return *std::max_element(numbers.begin(), numbers.end());
}
FormulaValue sd_of(Arguments a, const PublishedRecord&) { return deviation(to_numbers(a[0])); }
FormulaValue half_width(Arguments a, const PublishedRecord&) {
  const Numbers numbers = to_numbers(a[0]);
  return to_number(a[1]) * deviation(numbers) / std::sqrt(static_cast<double>(numbers.size()));
}
FormulaValue entry(Arguments a, const PublishedRecord&) {
  const Numbers numbers = to_numbers(a[0]);
  const double at = to_number(a[1]);
  if (!(at >= 0 && at < static_cast<double>(numbers.size()))) throw InputError("at: no such entry");
  return numbers[static_cast<std::size_t>(at)];
}
FormulaValue pearson(Arguments a, const PublishedRecord&) {
  return correlation(to_numbers(a[0]), to_numbers(a[1]));
}
FormulaValue spearman(Arguments a, const PublishedRecord&) {
  return correlation(ranks(to_numbers(a[0])), ranks(to_numbers(a[1])));
}
FormulaValue paired_p(Arguments a, const PublishedRecord&) {
  return paired_difference(to_numbers(a[0]), to_numbers(a[1])).p_value;
}
FormulaValue wilcoxon(Arguments a, const PublishedRecord&) {
  return wilcoxon_p(to_numbers(a[0]), to_numbers(a[1]));
}
FormulaValue quantile_of(Arguments a, const PublishedRecord&) {
  Numbers numbers = some_numbers(a[0]);
  std::sort(numbers.begin(), numbers.end());
  return quantile(numbers, to_number(a[1]));
}
FormulaValue holm(Arguments a, const PublishedRecord&) { return holm_adjusted(some_numbers(a[0])); }
/// A word (what is out of reach) or nothing becomes the second argument.
FormulaValue number_or(Arguments a, const PublishedRecord&) {
  return std::holds_alternative<double>(a[0]) ? a[0] : a[1];
}

constexpr FormulaFunction kFunctions[] = {
    {"abs", 1, "absolute value", each<absolute>},
    {"sqrt", 1, "square root", each<square_root>},
    {"log", 1, "natural logarithm", each<natural_logarithm>},
    {"log2", 1, "logarithm to base 2", each<logarithm_2>},
    {"log10", 1, "logarithm to base 10", each<logarithm_10>},
    {"exp", 1, "exponential", each<exponential>},
    {"floor", 1, "rounded down", each<rounded_down>},
    {"ceil", 1, "rounded up", each<rounded_up>},
    {"mean", 1, "arithmetic mean", mean_of},
    {"sum", 1, "sum", sum_of},
    {"count", 1, "how many numbers", count_of},
    {"min", 1, "least", least},
    {"max", 1, "greatest", most},
    {"sd", 1, "sample standard deviation (n - 1)", sd_of},
    {"half_width", 2, "t x sd / sqrt(n), with the t that was published", half_width},
    {"quantile", 2, "quantile, linear between neighbours; 0.5 is the median", quantile_of},
    {"at", 2, "entry, counted from 0", entry},
    {"pearson", 2, "correlation", pearson},
    {"spearman", 2, "rank correlation", spearman},
    {"paired_p", 2, "p value of the two-sided paired t-test", paired_p},
    {"wilcoxon_p", 2, "p value of Wilcoxon's two-sided signed-rank test, exact", wilcoxon},
    {"holm", 1, "p values, adjusted for their number by Holm's rule", holm},
    {"number_or", 2, "the first where it is a number, else the second", number_or},
};

}  // namespace

std::vector<double> to_numbers(const FormulaValue& value) {
  if (std::holds_alternative<double>(value)) return {std::get<double>(value)};
  if (!std::holds_alternative<Numbers>(value)) throw InputError("expected numbers");
  return std::get<Numbers>(value);
}

double to_number(const FormulaValue& value) {
  if (!std::holds_alternative<double>(value)) throw InputError("expected a single number");
  return std::get<double>(value);
}

const std::string& to_word(const FormulaValue& value) {
  if (!std::holds_alternative<std::string>(value)) throw InputError("expected a word");
  return std::get<std::string>(value);
}

std::span<const FormulaFunction> number_functions() { return kFunctions; }

FormulaValue call_function(const std::string& name, const std::vector<FormulaValue>& arguments,
                           const PublishedRecord& record, std::string_view formula) {
  const std::string where = "formula " + std::string(formula) + ": " + name + ": ";
  for (const std::span<const FormulaFunction> functions : {number_functions(), run_functions()}) {
    for (const FormulaFunction& function : functions) {
      if (function.name != name) continue;
      if (function.arguments != arguments.size()) {
        throw InputError(where + std::to_string(arguments.size()) + " arguments, expected " +
                         std::to_string(function.arguments));
      }
      if (name != "number_or") {
        for (const FormulaValue& each : arguments) {
          if (!has_value(each)) return {};
          if (std::holds_alternative<std::string>(each) && std::get<std::string>(each) == "oor") {
            return each;
          }
        }
      }
      try {
        return function.call(arguments, record);
      } catch (const InputError& error) {
        throw InputError(where + error.what());
      }
    }
  }
  throw InputError(where + "no such function");
}

}  // namespace kakeya
