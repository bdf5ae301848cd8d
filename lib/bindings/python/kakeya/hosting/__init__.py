# SPDX-License-Identifier: Apache-2.0
"""Hosts: transformers models and Python codecs in kakeya's own programs. `README.md` has the map."""
