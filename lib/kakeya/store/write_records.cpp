// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/store/provenance.h"
#include "kakeya/store/record_fields.h"
#include "kakeya/store/records.h"

namespace kakeya {
namespace records {
namespace {

using Json = nlohmann::ordered_json;

Json write(const char* name, double value) {
  if (!std::isfinite(value)) {
    throw InputError(std::string(name) + " is " + std::to_string(value) +
                     ": expected a finite number");
  }
  return value;
}

Json write(const char*, const std::string& value) { return value; }

Json write(const char*, TapPoint tap) { return tap_name(tap); }

Json write(const char*, const IndexSet& layers) { return layers.text(); }

Json write(const char*, const Source& source) { return described(source); }

template <std::integral T>
Json write(const char* name, T value) {
  if (std::cmp_less(value, 0)) {
    throw InputError(std::string(name) + " is " + std::to_string(value) + ": expected a count");
  }
  return value;
}

template <Record R>
Json write(const char*, const R& record);

Json write(const char*, const LayerSample& layer) {
  Json json;
  json["layer"] = layer.layer;
  describe_measured(layer, [&](const char* name, double value) {
    if (!std::isnan(value)) json[name] = write(name, value);
  });
  return json;
}

template <typename T>
Json write(const char* name, const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(write(name, value));
  return json;
}

template <typename T>
Json write(const char* name, const std::optional<T>& value) {
  return value ? write(name, *value) : Json(nullptr);
}

template <typename T>
bool is_default(const T& value) {
  if constexpr (requires { value.empty(); }) return value.empty();
  if constexpr (requires { !value; }) return !value;  // a number, an optional one
  return false;
}

template <Record R>
void write_fields(Json& json, const R& record) {
  describe(record, [&](Name name, const auto& value) {
    if (name.may_lack && is_default(value)) return;
    json[name.key] = write(name.key, value);
  });
}

template <Record R>
Json write(const char*, const R& record) {
  Json json = Json::object();
  write_fields(json, record);
  return json;
}

std::string dump(const Json& json, int indent) {
  try {
    return json.dump(indent);
  } catch (const Json::exception&) {
    throw InputError("a text of the record is not UTF-8");
  }
}

/// A record that stands by itself begins with the schema it follows.
template <Record R>
std::string to_text(const R& record, int indent) {
  Json json;
  json["schema"] = kSchema<R>;
  write_fields(json, record);
  return dump(json, indent);
}

}  // namespace
}  // namespace records

std::string sample_to_line(const Sample& sample) { return records::to_text(sample, -1); }

std::string failure_to_line(const Failure& failure) { return records::to_text(failure, -1); }

std::string control_to_line(const ControlSample& control) { return records::to_text(control, -1); }

std::string head_to_json(const StoreHead& stored) {
  records::Head head{stored.plan, {}};
  for (std::size_t i = 0; i < stored.runs.size(); ++i) {
    head.runs.push_back(
        {stored.first_samples[i], stored.cells_planned[i], stored.planned[i], stored.runs[i]});
  }
  return records::to_text(head, 2) + "\n";
}

std::optional<std::string> first_difference(const SweepPlan& stored, const SweepPlan& asked) {
  records::Json a = records::write("", stored), b = records::write("", asked);
  if (device_kind(stored.device) == device_kind(asked.device)) a["device"] = b["device"];
  const SweepPlan usual;
  for (records::Json* plan : {&a, &b}) {  // what is absent
    plan->emplace("cut", "published");
    records::describe(usual, [&](records::Name name, const auto& value) {
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
        plan->emplace(name.key, value);
      } else {
        plan->emplace(name.key, nullptr);
      }
    });
  }
  for (const auto& item : a.items()) {
    if (item.value() != b.at(item.key())) {
      return item.key() + ": " + records::dump(item.value(), -1) + " stored, " +
             records::dump(b.at(item.key()), -1) + " asked for";
    }
  }
  return std::nullopt;
}

std::string to_json(const Provenance& provenance) {
  return records::dump(records::write("provenance", provenance), -1);
}

}  // namespace kakeya
