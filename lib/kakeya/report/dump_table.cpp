// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/dump_table.h"

#include <fmt/format.h>

#include <iterator>

#include "kakeya/report/provenance_text.h"

namespace kakeya {

Table dump_table(const std::vector<std::pair<std::string, DumpHead>>& dumps) {
  struct Fact {
    const char* name;
    std::string (*text)(const DumpHead&);
  };
  static constexpr Fact kFacts[] = {
      {"model", [](const DumpHead& d) { return d.origin.model.name; }},
      {"model sha256", [](const DumpHead& d) { return d.origin.model.sha256.substr(0, 16); }},
      {"architecture",
       [](const DumpHead& d) {
         return fmt::format("{}, {} layers, {} KV heads of {}", d.origin.architecture,
                            d.shape.layers, d.shape.kv_heads, d.shape.head_dim);
       }},
      {"text", [](const DumpHead& d) { return d.origin.text.name; }},
      {"text sha256", [](const DumpHead& d) { return d.origin.text.sha256.substr(0, 16); }},
      {"passages x tokens",
       [](const DumpHead& d) { return fmt::format("{} x {}", d.passages, d.tokens); }},
      {"K tapped", [](const DumpHead& d) { return std::string(tap_name(d.tap)); }},
      {"stored as", [](const DumpHead& d) { return d.storage; }},
      {"captured by",
       [](const DumpHead& d) {
         return fmt::format("kakeya {}, commit {}: `{}`", d.provenance.version, d.provenance.commit,
                            shell_text(d.provenance.command));
       }},
  };
  Table table = named_table("dumps", "Where K and V come from");
  table.columns = {{" ", "fact", false}};
  for (const Fact& fact : kFacts) table.rows.push_back({text_cell(fact.name)});
  for (const auto& [name, facts] : dumps) {
    table.columns.push_back({name, name, false});
    for (std::size_t i = 0; i < std::size(kFacts); ++i)
      table.rows[i].push_back(text_cell(kFacts[i].text(facts)));
  }
  return table;
}

std::string made_by_line(const Provenance& self) {
  return fmt::format("---\n\n<sub>Made by kakeya {}, commit {}, on {} ({}): `{}`</sub>",
                     self.version, self.commit, self.device, self.host, shell_text(self.command));
}

}  // namespace kakeya
