// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/dump_table.h"

#include <fmt/format.h>

#include <iterator>

#include "kakeya/report/provenance_text.h"

namespace kakeya {

Table dump_table(const std::vector<std::pair<std::string, DumpFacts>>& dumps) {
  struct Fact {
    const char* name;
    std::string (*text)(const DumpFacts&);
  };
  static constexpr Fact kFacts[] = {
      {"model", [](const DumpFacts& d) { return d.model_name; }},
      {"model sha256", [](const DumpFacts& d) { return d.model_sha256.substr(0, 16); }},
      {"architecture",
       [](const DumpFacts& d) {
         return fmt::format("{}, {} layers, {} KV heads of {}", d.architecture, d.layers,
                            d.kv_heads, d.head_dim);
       }},
      {"text", [](const DumpFacts& d) { return d.text_name; }},
      {"text sha256", [](const DumpFacts& d) { return d.text_sha256.substr(0, 16); }},
      {"passages x tokens",
       [](const DumpFacts& d) { return fmt::format("{} x {}", d.passages, d.tokens); }},
      {"K tapped", [](const DumpFacts& d) { return d.tap; }},
      {"stored as", [](const DumpFacts& d) { return d.storage; }},
      {"captured by",
       [](const DumpFacts& d) {
         return fmt::format("kakeya {}, commit {}: `{}`", d.provenance.version, d.provenance.commit,
                            shell_text(d.provenance.command));
       }},
  };
  Table table;
  table.name = "dumps";
  table.title = "Where K and V come from";
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
