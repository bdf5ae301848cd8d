# SPDX-License-Identifier: Apache-2.0
"""KakeyaCache: a transformers cache that lives packed. Needs torch and transformers 5.x."""

from kakeya.transformers.cache import KakeyaCache

__all__ = ["KakeyaCache"]
