# SPDX-License-Identifier: Apache-2.0
"""The class of a configuration's model, without its weights."""

from __future__ import annotations

import importlib
import typing

from transformers import PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING, MODEL_MAPPING


def model_class(config: typing.Any) -> typing.Optional[type]:
    """The model that transformers makes of `config`, without a head where it has one such; None: it knows none (code from
    a hub)."""
    for known in (MODEL_MAPPING, MODEL_FOR_CAUSAL_LM_MAPPING):
        found = known.get(type(config), None)
        if found is not None:
            return found[0] if isinstance(found, (tuple, list)) else found
    try:
        code = importlib.import_module(type(config).__module__.replace(".configuration_", ".modeling_"))
    except ImportError:
        return None
    named = [value for value in vars(code).values() if isinstance(value, type) and issubclass(value, PreTrainedModel)]
    own = [value for value in named if getattr(value, "config_class", None) is type(config) and "PreTrained" not in value.__name__]
    return own[0] if own else None
