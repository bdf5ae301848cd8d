// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bindings.h"
#include "kakeya/codec/foreign_codec.h"

namespace kakeya::python {

/// What register_codec() takes of a Descriptor of kakeya/plugins.py.
ForeignDescriptor foreign_descriptor(nb::object descriptor);

}  // namespace kakeya::python
