// SPDX-License-Identifier: Apache-2.0
#include "plugin_option.h"

namespace kakeya {

void add_plugin_option(CLI::App& app, std::vector<std::string>& files) {
  app.add_option(
         "--plugin", files,
         "Codecs that are not ours: a shared library (kakeya_plugin.h) or a .py file; may be "
         "given more than once")
      ->type_name("FILE");
}

}  // namespace kakeya
