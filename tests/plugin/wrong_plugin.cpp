// SPDX-License-Identifier: Apache-2.0
// Plugins that must be refused: which one, WRONG says.
#include "bindings/c/kakeya_plugin.h"

#if WRONG == 1  // built with a header of later days
const kakeya_plugin_codec* kakeya_plugin(size_t index) {
  static kakeya_plugin_codec codec = {};
  codec.size = sizeof codec + 8;
  codec.abi = KAKEYA_PLUGIN_ABI + 1;
  return index == 0 ? &codec : nullptr;
}
#elif WRONG == 2  // no codec
const kakeya_plugin_codec* kakeya_plugin(size_t) { return nullptr; }
#else             // no plugin at all
extern "C" KAKEYA_PLUGIN_EXPORT int something_else() { return 0; }
#endif
