# SPDX-License-Identifier: Apache-2.0
"""Rows of the published record that import_published.py writes: the ablation of effective dimension and outliers, the decomposition of a gap
between two engines, Gemma's contexts, and the checks of LatticeQuant's theorems 1, 2, 4 and 5."""
import json
import re

OLDER = {"deepseek_r1_distill_qwen_1_5b": "deepseek", "gemma4_e2b": "gemma-e2b", "glm_edge_1_5b": "glm-edge-1.5b", "glm_edge_4b": "glm-edge-4b",
         "qwen2_5_0_5b": "qwen2.5-0.5b", "qwen3_0_6b": "qwen3-0.6b", "smollm2_1_7b": "smollm2-1.7b"}


def collapsed(values):
    """One value where all are the same."""
    return values[0] if all(v == values[0] for v in values) else values


def lines(folder, name):
    """Source (commit:path) and data of every line of a .jsonl file."""
    for line in (folder.path / name).read_text().splitlines():
        row = json.loads(line)
        yield row["source"], row["data"]


def later_head(source):
    commit, path = source.split(":", 1)
    return {"source": path.replace("/", "__"), "commit": commit}


def blocks(folder):
    """The ablation of effective dimension and outliers: of a model a row a cell of the grid, its errors and dimensions by layer."""
    models = {}
    for source, data in lines(folder, "deff_outlier_ablation.jsonl"):
        models.setdefault(source.split("/")[-2], {})[source.split("/")[-1].removesuffix(".json")] = (source, data)
    for long, files in models.items():
        source, summary = files.pop("summary")
        model = OLDER[long]
        head_of = {**later_head(source.removesuffix("/summary.json")), "model": model}
        layers = [data for _, (_, data) in sorted(files.items())]
        yield {"kind": "blocks_model", **head_of, "context": summary["ctx"], "layers": len(layers), "vectors": collapsed([d["n_vecs"] for d in layers]),
               "dim": collapsed([d["dim"] for d in layers]), "block_tokens": collapsed([d["block_size"] for d in layers]), "baseline_mse": [d["baseline_mse"] for d in layers]}
        for i, cell in enumerate(layers[0]["cells"]):
            found = [d["cells"][i] for d in layers]
            if any((c["variance_ratio"], c["d_res"]) != (cell["variance_ratio"], cell["d_res"]) for c in found):
                raise ValueError(f"{long}: cells in unlike order")
            yield {"kind": "blocks", **head_of, "variance": cell["variance_ratio"], "kept": cell["d_res"], "d_eff": collapsed([c["d_eff"] for c in found]),
                   "mse": [c["mean_mse"] for c in found]}


def gap(folder):
    """The decomposition of the gap between two engines, DeepSeek-R1-Distill-Qwen-1.5B: four phases."""
    for source, data in lines(folder, "gap_decomposition.jsonl"):
        phase = re.search(r"/(phase\d)/", source).group(1)
        top = later_head(source)
        if phase == "phase1":
            rows = data["per_passage"]
            yield {"kind": "gap_engines", **top, "passages": data["n_passages"], "scored": data["n_eval"], "context": data["ctx_len"],
                   **{ours: [r[key] for r in rows] for ours, key in (("ppl_hf", "ppl_hf"), ("ppl_vllm", "ppl_vllm"), ("top1", "top1_agreement"),
                      ("kl_top", "mean_sym_kl_topk"), ("dlogp", "mean_abs_dlogp_true"))}}
        elif phase == "phase2":
            for cell in data["per_sigma"]:
                rows = cell["per_passage"]
                yield {"kind": "gap_noise", **top, "engine": data["engine"], "sigma": cell["sigma"],
                       **{ours: [r[key] for r in rows] for ours, key in (("ppl", "ppl_ref"), ("ppl_noisy", "ppl_alt"), ("dlogp", "mean_abs_dlogp_true"))}}
        elif phase == "phase3":
            rows = data["per_layer"]
            yield {"kind": "gap_layers", **top, "engine": data["engine"], "bits_k": data["config"]["bit_width_k"], "bits_v": data["config"]["bit_width_v"],
                   "delta_ppl": [r["mean_ppl_delta_rel"] for r in rows], "top1": [r["mean_top1_agreement"] for r in rows]}
        else:
            rows = data["per_layer"]
            yield {"kind": "gap_residuals", **top, "layer": [r["layer"] for r in rows],
                   **{key.lower(): [r[key] for r in rows] for key in ("K_mse_vllm", "K_mse_hf", "V_mse_vllm", "V_mse_hf", "K_relnorm_vllm",
                      "K_relnorm_hf", "V_relnorm_vllm", "V_relnorm_hf")}}


def contexts(folder):
    """Gemma4-E2B at contexts of 2k to 32k, and what was extrapolated from 32k."""
    for source, data in lines(folder, "gemma4_contexts.jsonl"):
        if "projections" in data:
            for p in data["projections"]:
                yield {"kind": "projection", **later_head(source), "model": "gemma-e2b", "context": p["context_tokens"], "blocks": p["N_blocks_per_full_layer"],
                       "full_bytes": p["kakeya_full_bytes"], "full_half_bytes": p["kakeya_full_bytes_dtype_matched"]}
            continue
        full = [r for r in data["per_layer"] if not r["is_sliding"]]
        sliding = [r for r in data["per_layer"] if r["is_sliding"]]
        yield {"kind": "context", **later_head(source), "model": "gemma-e2b", "context": data["context_tokens"], "prefill_chunk": data["args"].get("prefill_chunk", 0),
               **{ours: [r[key] for r in full] for ours, key in (("full_bf16", "baseline_bytes"), ("blocks", "kakeya_compressed_blocks"),
                  ("skeleton", "kakeya_skeleton_bytes"), ("encoded", "kakeya_encoded_bytes"), ("tail", "kakeya_exact_tail_bytes"))},
               "sliding": [r["baseline_bytes"] for r in sliding]}


def theorems(folder):
    """Checks of theorems 1, 2, 4 and 5: what was measured, and what the theorem takes; no ratio of theirs."""
    name = "thm1_Llama-3.1-8B_4b.json"
    data = folder.read(name)
    for part, keys in (("v_path", (("raw", "D_V_raw"), ("attention", "D_V_attn"), ("eta_V", "eta_V_predicted"), ("heteroscedastic", "D_hetero"))),
                       ("kv_total", (("both", "D_kv_actual"), ("value_only", "D_v_only_actual"), ("key_only", "D_k_only_actual"),
                                     ("eta_K_D_K", "eta_K_D_K"), ("eta_V_D_V", "eta_V_D_V")))):
        yield {"kind": "lq_theorem1", "source": name, "model": "llama", "part": part, "bits": data["bits"], "context": data["seq_len"],
               **{ours: [r[key] for r in data[part]] for ours, key in keys}}
    name = "thm2_Llama-3.1-8B_4b.json"
    data = folder.read(name)
    yield {"kind": "lq_theorem2", "source": name, "model": "llama", "bits": data["bits"], "context": data["seq_len"], "final_all": data["additivity"]["D_final_total"],
           **{ours: [r[key] for r in data["per_layer"]] for ours, key in (("final", "D_final_l"), ("gamma", "gamma_iso"), ("eta_K", "eta_K"), ("eta_V", "eta_V"),
              ("D_K", "D_K_emp"), ("D_V", "D_V_emp"))},
           "attention_all": [r["D_attn_l"] for r in data["additivity"]["per_layer_contributions"]]}
    name = "thm4_Llama-3.1-8B_4.0b.json"
    data = folder.read(name)
    yield {"kind": "lq_theorem4", "source": name, "model": "llama", "budget": data["budget"], "layers": data["n_layers"], "geometric_mean": data["geometric_mean"],
           **{f"{kind}_{part}": [layer[i] for layer in data[key]] for kind, key in (("bits", "allocation_bits"), ("whole_bits", "discrete_bits"))
              for i, part in enumerate("KV")}}
    name = "thm5_synthetic_T64.json"
    data = folder.read(name)
    yield {"kind": "lq_theorem5", "source": name, "study": "grid", **{ours: [c[key] for c in data["grid"].values()] for ours, key in
           (("attention_gap", "attn_gap"), ("value_gap", "value_gap"), ("total_gap", "actual"))}}
    for study in ("sweep_attn", "sweep_value"):
        yield {"kind": "lq_theorem5", "source": name, "study": study, **{ours: [c[key] for c in data[study]] for ours, key in
               (("concentration", "concentration"), ("attention_gap", "attn_gap"), ("value_gap", "value_gap"), ("total_gap", "total_gap"))}}
