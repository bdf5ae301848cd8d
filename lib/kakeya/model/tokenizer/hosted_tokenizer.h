// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/host/host.h"
#include "kakeya/model/tokenizer/tokenizer.h"

namespace kakeya {

/// A tokenizer that runs in a host. Throws as HostedModel.
class HostedTokenizer final : public Tokenizer {
 public:
  /// Opens the tokenizer of the model `name`. The host outlives it.
  HostedTokenizer(Host& host, std::string name);

  std::vector<std::int32_t> encode(
      std::string_view text, bool add_special = true,
      const std::function<void(std::size_t)>& progress = {}) const override;
  std::string decode(const std::vector<std::int32_t>& ids) const override;
  std::optional<std::string> special_in(std::string_view text) const override;
  std::size_t vocab() const override { return vocab_; }
  std::string describe() const override { return described_; }
  std::string sha256() const override { return sha256_; }

  /// The tokens that end a text, ascending.
  const std::vector<std::int32_t>& ends() const { return ends_; }

 private:
  Host& host_;
  std::string name_, described_, sha256_;
  std::size_t vocab_ = 0;
  std::vector<std::int32_t> ends_;
};

}  // namespace kakeya
