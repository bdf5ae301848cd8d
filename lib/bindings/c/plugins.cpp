// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/handles.h"
#include "kakeya/plugin/plugin.h"

using namespace kakeya;
using c::guarded;

kakeya_status kakeya_plugin_load(const char* path) {
  return guarded([&] {
    c::require(path, "path");
    load_plugin(path);
  });
}

kakeya_status kakeya_plugin_register(const kakeya_plugin_codec* codec) {
  return guarded([&] {
    c::require(codec, "codec");
    register_plugin(*codec);
  });
}
