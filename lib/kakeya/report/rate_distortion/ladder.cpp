// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/ladder.h"

#include <sstream>
#include <string_view>

#include "kakeya/codec/descriptor.h"

namespace kakeya {
namespace {

std::string spec_of(const CodecDescriptor& codec, std::string_view keys) {
  return std::string(codec.name) + (keys.empty() ? "" : ":") + std::string(keys);
}

void append(const CodecDescriptor& codec, const LadderRung& rung, std::vector<std::string>& specs) {
  const std::size_t at = rung.keys.find('@');
  if (at == std::string_view::npos) {
    specs.push_back(spec_of(codec, rung.keys));
    return;
  }
  std::istringstream rates{std::string(rung.rates)};
  for (std::string rate; rates >> rate;) {
    specs.push_back(spec_of(codec, std::string(rung.keys).replace(at, 1, rate)));
  }
}

}  // namespace

std::vector<std::string> default_ladder() {
  std::vector<std::string> specs;
  for (const CodecDescriptor* codec : known_codecs()) {
    for (const LadderRung& rung : codec->ladder) append(*codec, rung, specs);
    if (codec->ladder.empty() && !codec->calibrated() && codec->scope != VectorScope::token)
      specs.emplace_back(codec->example);
  }
  return specs;
}

bool charted_among_many(const std::string& family) {
  for (const CodecDescriptor* codec : known_codecs()) {
    for (const LadderRung& rung : codec->ladder) {
      if (rung.charted) continue;
      std::vector<std::string> specs;
      append(*codec, rung, specs);
      if (Spec::parse(specs.front()).family() == family) return false;
    }
  }
  return true;
}

}  // namespace kakeya
