#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes data/published/*.jsonl, the raw published figures in our own schema, from a folder of the published JSON files.

usage: import_published.py RECORD_FOLDER [--out DIR] [--check]

RECORD_FOLDER has kakeya/ and latticequant/, as data/published/README.md lists them. The same folder gives the same bytes. --check
compares with what DIR (default data/published) holds and exits 1 on a difference. Only numbers and names of settings are taken over.
"""
import argparse
import json
import math
import pathlib
import re
import sys

from published_later import OLDER, blocks, collapsed, contexts, gap, theorems

ROOT = pathlib.Path(__file__).resolve().parent.parent
KAKEYA = {"repository": "FluffyAIcode/LLM-KV--Cache-compress", "commit": "226a5ae"}
LATTICEQUANT = {"repository": "yoon9728/LatticeQuant", "commit": "8aa173c564a7f68c1a1190d0d33bdc4f271d2635"}
COMMITS = (("v15__dsv4_stage0_5", "fbd39cf"), ("kakeya_v0", "938570b"), ("kakeyaturbo_v1_0", "3371b05"), ("kakeyaturbo_v1_2", "3de9986"))
MODELS = {"qwen3_4b": "qwen3", "glm4_9b": "glm", "gemma4_e4b": "gemma", "deepseek_1p5b": "deepseek"}
# What stands before the model's name in a file -> our name of the run.
RUNS = (("v14__kv_128k_isoppl_n8__{}", "isoppl-{}"), ("v14__kv_128k_isoppl__{}", "isoppl4-{}"),
        ("v14__kv_128k_report_tq_compare__{}", "isobit-{}"), ("v14__kv_128k_report__{}", "report-{}"),
        ("v14__kv_128k_inforward__{}", "inforward8-{}"), ("v14__rigorous_snapshot__{}_snapshot", "snapshot-{}"),
        ("v14__rigorous_inforward__{}_inforward", "inforward-{}"), ("v14__rigorous_noboundary__{}_snapshot", "noboundary-snapshot-{}"),
        ("v14__rigorous_noboundary__{}_inforward", "noboundary-inforward-{}"), ("v14__rigorous_beta_aggressive__{}_inforward", "beta-{}"),
        ("v14__rigorous_min_boundary__{}_bdry0_inforward", "boundary0-{}"), ("v14__rigorous_min_boundary__{}_bdry2_inforward", "boundary2-{}"),
        ("v14__rigorous_min_boundary__{}_bdry4_inforward", "boundary4-{}"), ("v14__rigorous_min_boundary__{}_bdry6_inforward", "boundary6-{}"),
        ("v14__rigorous_ablation__{}_ablation_with_boundary_snapshot", "ablation-boundary-{}"),
        ("v14__rigorous_ablation__{}_ablation_no_boundary_snapshot", "ablation-noboundary-{}"),
        ("v15__{}_v15_phase_beta_inforward", "e8-{}"), ("v15__{}_nobdry_inforward", "e8-{}"), ("v15__{}_tqb2_bdry2_inforward", "tqb2-{}"),
        ("v13__multimodel_Konly__{}_multimodel", "konly-{}"), ("v13__bridges__{}_compression_sweep_gpu", "konly-pareto-{}"))
STREAMS = {"sliding_window_kv": "swa", "csa_pool_kv_ratio4": "csa", "hca_pool_kv_ratio128": "hca"}
AUDITS = {"excess_kurtosis_abs": "kurtosis", "isotropy_variance_ratio": "isotropy", "hadamard_post_variance_ratio": "hadamard",
          "rms_wasserstein2_over_sigma_per_dim": "wasserstein"}


class Folder:
    def __init__(self, path):
        self.path = path

    def names(self, pattern):
        return sorted(p.name for p in self.path.glob(pattern))

    def read(self, name):
        return json.loads((self.path / name).read_text())


def codec_of(channel):
    """Our spec of a published channel: d4, e8 and tq by their rate; ablations as ablation-<name>."""
    name = re.sub(r"_(K\+V|KV|K|V|inforward)$", "", re.sub(r"_inforward$", "", channel))
    for pattern, spec in ((r"(?:v14|b2|v14_d4)_Q(\d+)", "d4:q={}"), (r"(?:v15|v15_e8)_Q(\d+)", "e8:q={}"), (r"tq_b(\d+)", "tq:b={}"),
                          (r"bf16.*", "bf16"), (r"fp8_per64_baseline", "fp8")):
        match = re.fullmatch(pattern, name)
        if match:
            return spec.format(*match.groups())
    match = re.fullmatch(r"(no_unit_norm|no_hadamard|no_per_vec_qmax|per_block_qmax|scalar_quantise)_Q38", name)
    if match:
        return "ablation-" + match.group(1).replace("_", "-")
    raise ValueError(f"{channel}: no codec is known by that name")


def commit_of(name):
    return next((commit for prefix, commit in COMMITS if name.startswith(prefix)), KAKEYA["commit"])


def head(name):
    return {"source": name, "commit": commit_of(name)}


def perplexity(folder):
    for name in folder.names("v1[345]__*.json"):
        run = model = None
        for pattern, named in RUNS:
            match = re.fullmatch(pattern.format("(" + "|".join(MODELS) + ")"), name.removesuffix(".json"))
            if match:
                model = MODELS[match.group(1)]
                run = named.format(model)
        if run is None:
            continue
        data = folder.read(name)
        rows = [row for row in data["per_passage"] if "fatal" not in row]
        if not any(codec_of(row["channel"]) != "bf16" for row in rows):
            continue  # every coded channel of the run failed
        layers = data.get("num_layers", 36)
        shapes = data.get("per_layer_shape")
        shapes = [shapes[str(i)] for i in range(layers)] if shapes else [{"hd": data.get("head_dim", 128), "kvh": data.get("num_kv_heads", 8)}] * layers
        passages = data["n_passages"]
        reference = {row["passage"]: row["ppl_ref"] for row in rows}
        yield {"kind": "run", **head(name), "run": run, "model": model, "mode": data.get("mode", "snapshot"), "layers": layers,
               "head_dim": collapsed([s["hd"] for s in shapes]), "kv_heads": collapsed([s["kvh"] for s in shapes]),
               "boundary": data.get("effective_boundary_layers", data.get("boundary_skip_layers", data.get("boundary_skip"))),
               "context": data["ctx_len"], "scored": data["n_eval"], "passages": passages,
               "ppl_reference": [reference[i] for i in range(passages)]}
        series = {}
        for row in rows:
            part = "k" if run.startswith("konly") else (row.get("kv_mode") or "KV").lower()
            series.setdefault((codec_of(row["channel"]), part), []).append(row)
        for (codec, part), found in series.items():
            found.sort(key=lambda row: row["passage"])
            if [row["passage"] for row in found] != list(range(passages)):
                raise ValueError(f"{name}: {codec}: not one row for every passage")

            def of(*keys):
                return collapsed([next(row[key] for key in keys if key in row) for row in found])

            line = {"kind": "ppl", **head(name), "run": run, "codec": codec, "part": part,
                    "bits_k": of("k_bits", "k_bits_per_tok_per_head", "bits"),
                    "delta_ppl": [row["delta_ppl"] for row in found], "top1": [round(row["top1_pair"] * data["n_eval"]) for row in found],
                    "k_mse": of("k_mse_rel", "k_mse_layer0", "k_mse_rel_layer0")}
            if part != "k" or not run.startswith("konly"):
                line["v_mse"] = of("v_mse_rel", "v_mse_layer0", "v_mse_rel_layer0")
            if "fire_count" in found[0]:
                line["fires"] = of("fire_count")
            if "decode_speed_ms_per_M_vec" in found[0]:
                line["ms_per_million"] = [row["decode_speed_ms_per_M_vec"] for row in found]
            yield line
    for kind in ("auto", "turboquant_k8v4"):
        name = f"v13__headtohead__{kind}_snapshot_protocol.json"
        data = folder.read(name)
        yield {"kind": "ppl_only", **head(name), "cache": kind, "ppl": [row["ppl"] for row in data["per_passage"]]}


def needle(folder):
    for name in folder.names("*niah*.json"):
        data = folder.read(name)
        version, model = name.split("__")[0], re.sub(r"_niah_inforward\.json$", "", name.split("__")[2])
        long = model.endswith("_32k")
        cells = {}
        for record in data["records"]:
            cells.setdefault(codec_of(record["channel"]), []).append(record)
        for codec, found in cells.items():
            yield {"kind": "needle", **head(name), "release": version + ("-32k" if long else ""), "model": MODELS[model.removesuffix("_32k")],
                   "codec": codec, "bits": collapsed([r["codec_bits_per_token_per_head"] for r in found]), "trials": data["n_trials"],
                   "context": [r["ctx_len"] for r in found], "depth": [r["depth"] for r in found], "correct": [r["n_correct"] for r in found]}


def latency(folder):
    name = "v15__e8_latency_benchmark.json"
    for r in folder.read(name)["results"]:
        yield {"kind": "latency", **head(name), "codec": codec_of(r["channel_id"]), "vectors": r["total_vecs_per_call"], "iterations": r["n_iters"],
               "mean_us": r["mean_us"], "sd_us": r["stdev_us"], "p50_us": r["p50_us"], "p99_us": r["p99_us"]}


def v4(folder):
    name = "v15__dsv4__stage075_n8.json"
    passages = folder.read(name)["per_passage"]
    for stream, short in STREAMS.items():
        found = [next(r for r in p["results"] if r["stream"] == stream) for p in passages]
        for codec in found[0]["codecs"]:
            yield {"kind": "v4", **head(name), "study": "n8", "stream": short, "codec": codec_of(codec),
                   "bits": collapsed([r["codecs"][codec]["bits_per_vector"] for r in found]),
                   "rel_mse": [r["codecs"][codec]["rel_mse"] for r in found]}
        yield {"kind": "v4_audit", **head(name), "study": "n8", "stream": short,
               **{ours: [r["audit"][key] for r in found] for key, ours in AUDITS.items()}}
    for name, study in (("v15__dsv4__stage075_qsweep_n8.json", "coarse"), ("v15__dsv4__stage075_qsweep_fine_n8.json", "fine")):
        data = folder.read(name)
        for stream, short in STREAMS.items():
            cell = data["aggregate_by_stream"][stream]
            for codec, value in [("fp8", cell["fp8_rel_mse"])] + [(f"e8:q={q}", v) for q, v in cell["e8_rel_mse_by_q"].items()]:
                yield {"kind": "v4_sweep", **head(name), "study": study, "stream": short, "codec": codec,
                       "bits": data["config"]["bits_fp8_per64_baseline"] if codec == "fp8" else data["bits_per_vec_by_q"][codec[5:]],
                       "rel_mse_mean": value["mean"], "rel_mse_sd": value["std"], "passages": value["n"]}
    for name, study in (("v15__dsv4__stage075_trained.json", "gpu1"), ("v15__dsv4__stage075_cpu.json", "cpu1"),
                        ("v15__dsv4_stage0_5__dsv4_stage0_5_gemma4_e4b.json", "random")):
        data = folder.read(name)
        for result in data.get("results_by_stream") or data["results"]:
            short = STREAMS[result["stream"]]
            for codec, value in result["codecs"].items():
                yield {"kind": "v4", **head(name), "study": study, "stream": short, "codec": codec_of(codec),
                       "bits": value["bits_per_vector"], "rel_mse": value["rel_mse"]}
            yield {"kind": "v4_audit", **head(name), "study": study, "stream": short,
                   **{ours: result["audit"][key] for key, ours in AUDITS.items()}}
    name = "v13__qwen3_4b_k_non_gaussianity.json"
    layers = folder.read(name)["per_layer_metrics"]
    yield {"kind": "key_audit", **head(name), "model": "qwen3", "layer": [r["layer"] for r in layers],
           "kurtosis": [r["kurtosis"]["mean"] for r in layers], "wasserstein": [r["w2_sq"]["rms_w2_in_sigma"] for r in layers],
           "score": [r["score_dev"]["rel_mean"] for r in layers], "isotropy": [r["isotropy"]["var_ratio_max_to_min"] for r in layers]}


def older(folder):
    for long, short in OLDER.items():
        for name in folder.names(f"kakeya_v0__{long}__bench_*.json"):
            data = folder.read(name)
            full = [r for r in data["per_layer"] if not r["is_sliding"]]
            blocks = {r["kakeya_compressed_blocks"] for r in full}
            if len(blocks) != 1:
                raise ValueError(f"{name}: layers of different block counts")
            b = data["bytes"]
            yield {"kind": "v0", **head(name), "model": short, "context": data["context_tokens"], "full_layers": len(full), "blocks": blocks.pop(),
                   "block_tokens": data["args"]["block_size"], "residual_tokens": data["args"]["residual_length"], "baseline_full_bytes": b["baseline_full_bytes"], "sliding_bytes": b["baseline_sliding_bytes"],
                   "skeleton_bytes": sum(r["kakeya_skeleton_bytes"] for r in full), "encoded_bytes": sum(r["kakeya_encoded_bytes"] for r in full),
                   "tail_bytes": sum(r["kakeya_exact_tail_bytes"] for r in full)}
        for name in folder.names(f"kakeya_v0__compare__{long}__*.json"):
            data = folder.read(name)
            first = next(r for r in data["per_layer"] if not math.isnan(r["turboquant"]["turbo3"]["k_mse_sample"]))["turboquant"]
            totals = data["totals"]
            yield {"kind": "v0_compare", **head(name), "model": short, "context": data["context_tokens"], "baseline_bytes": totals["baseline_bytes"],
                   "v0_bytes": totals["kakeya_total_bytes_bf16"], **{f"{t}_bytes": totals["turboquant_total_bytes"][t] for t in ("turbo2", "turbo3", "turbo4")},
                   **{f"{t}_{p}_mse": first[t][f"{p}_mse_sample"] for t in ("turbo2", "turbo3", "turbo4") for p in "kv"}}
        for version, short_version in (("v1_0", "1.0"), ("v1_2", "1.2")):
            for name in folder.names(f"kakeyaturbo_{version}__{long}__ctx_*.json"):
                data = folder.read(name)
                totals = data["totals"]
                yield {"kind": "kakeyaturbo", **head(name), "version": short_version, "model": short, "context": int(re.search(r"ctx_(\d+)", name).group(1)),
                       "baseline_bytes": totals["baseline_bf16_bytes"], "compressed_bytes": totals["compressed_bytes"],
                       "full_baseline_bytes": totals["full_attn_baseline_bf16_bytes"], "full_compressed_bytes": totals["full_attn_compressed_bytes"]}


LQ_MODELS = {"Llama-3.1-8B": "llama", "Qwen2.5-7B": "qwen", "Mistral-7B-v0.3": "mistral", "llama_3.1_8b": "llama", "qwen2.5_7b": "qwen"}


def lattice(folder):
    def source(name):
        return {"source": name}

    for name in folder.names("caba_ppl_*.json"):
        data = folder.read(name)
        model, setting = re.match(r"caba_ppl_(llama_3\.1_8b|qwen2\.5_7b)_(.*)\.json", name).groups()
        yield {"kind": "lq_permutation", **source(name), "model": LQ_MODELS[model], "setting": setting, "ppl_reference": data["ppl_fp16"], "ppl": data["ppl_quant"]}
    for long in ("Llama-3.1-8B", "Mistral-7B-v0.3", "Qwen2.5-7B"):
        data = folder.read(f"e2e_{long}.json")
        for label in ("baseline", "3b", "4b", "5b"):
            values = {ours: data[key.format(label)] for ours, key in
                      (("live_bytes", "memory_{}_kv_vram_bytes"), ("only_bytes", "memory_{}_compressed_only_bytes"),
                       ("stream_bytes", "memory_{}_compressed_bytes"), ("fp16_bytes", "memory_{}_fp16_bytes"),
                       ("tokens_per_second", "throughput_{}_tok_per_sec"), ("ppl", "ppl_{}_ppl")) if key.format(label) in data}
            yield {"kind": "lq_cache", **source(f"e2e_{long}.json"), "model": LQ_MODELS[long], "setting": label, **values}
    for name in folder.names("thm3_*.json"):
        data = folder.read(name)
        for e in data["experiments"]:
            yield {"kind": "lq_allocated", **source(name), "model": LQ_MODELS[name.split("_")[1]], "setting": re.sub(r" \(.*\)| ", "", e["label"]), "ppl": e["ppl"],
                   **({"bits": e["budget_actual"]} if "budget_actual" in e else {})}
    for long in ("Llama-3.1-8B", "Qwen2.5-7B"):
        name = f"allocation_{long}_4b.json"
        layers = folder.read(name)["layers"]
        yield {"kind": "lq_weights", **source(name), "model": LQ_MODELS[long], "weights": "gamma", **{key: [r[key] for r in layers] for key in ("w_K", "w_V")},
               "bits_K": [r["b_K"] for r in layers], "bits_V": [r["b_V"] for r in layers],
               "whole_bits_K": [r["b_K_disc"] for r in layers], "whole_bits_V": [r["b_V_disc"] for r in layers]}
        name = f"sensitivity_{long}.json"
        layers = folder.read(name)["layers"]
        yield {"kind": "lq_sensitivity", **source(name), "model": LQ_MODELS[long], **{key: [r[key] for r in layers] for key in
               ("w_K", "w_V", "w_V_het", "eta_K", "eta_V", "sigma2_K", "sigma2_V")}}
        name = f"propagation_{long}.json"
        yield {"kind": "lq_propagation", **source(name), "model": LQ_MODELS[long], "gamma": [r["gamma"] for r in folder.read(name)["layers"]]}
        name = f"ddt/caba_explain_{long}.json"
        data = folder.read(name)
        for config, m in data["metrics"].items():
            yield {"kind": "lq_explain", **source(name), "model": LQ_MODELS[long], "config": config.removesuffix("_4b"), "clean_loss": data["clean_loss"],
                   "delta_loss": m["delta_loss"], **{f"{key}_{part}": m[f"agg_{part}"][ours] for part in ("K", "V", "total") for key, ours in
                   (("first_order", "linear_pred"), ("risk", "tr_M_Sigma"), ("risk_centred", "tr_M_Sigma_c"), ("mse", "tr_Sigma"))}}
        name = f"ddt/isotropic_safety_{long}.json"
        data = folder.read(name)
        for config, m in data["spectral"].items():
            yield {"kind": "lq_position", **source(name), "model": LQ_MODELS[long], "config": config, "position": m["position_mean"],
                   "top_share_M": m["M_top1_mean"], "top_share_Sigma": m["Sigma_top1_mean"]}
        for key, m in data["uniqueness"].items():
            matrix, config = re.match(r"(actual|rank1|near_iso)_(.*)", key).groups()
            yield {"kind": "lq_rotation", **source(name), "model": LQ_MODELS[long], "matrix": matrix, "config": config, "isotropic": m["iso_risk"],
                   "mean": m["aniso_mean"], "sd": m["aniso_std"], "least": m["aniso_min"], "most": m["aniso_max"]}
    for long in ("Llama-3.1-8B", "Mistral-7B-v0.3", "Qwen2.5-7B"):
        name = f"derived/caba_explain_v2_{long}.configs.json"
        data = folder.read(name)
        column = {key: i for i, key in enumerate(data["columns"])}
        for bits in (2, 3, 4, 5):
            rows = [r for r in data["rows"] if r[column["bits"]] == bits]
            yield {"kind": "lq_explain2", **source(name), "model": LQ_MODELS[long], "bits": bits,
                   **{ours: [r[column[key]] for r in rows] for ours, key in (("first_order", "linear_pred"), ("risk", "tr_M_Sigma"), ("risk_K", "tr_M_Sigma_K"),
                      ("risk_centred", "tr_M_Sigma_c"), ("mse", "tr_Sigma"), ("delta_loss", "delta_loss"))}}
    name = "ddt/variance_additivity_Llama-3.1-8B.json"
    for config, m in folder.read(name)["results"].items():
        yield {"kind": "lq_additivity", **source(name), "config": config, "trials": m["n_trials"], "mean": m["mean_X_total"], "variance": m["var_total"],
               "position_variances": m["sum_of_pos_vars"], "head_variances": m["sum_of_head_vars"], "predicted_variance": m["predicted_var"],
               "variance_K": m["var_K"], "variance_V": m["var_V"]}


def written(rows, origin):
    lines = [{"kind": "origin", **origin}, *rows]
    return "".join(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("record", type=pathlib.Path, help="folder with kakeya/ and latticequant/")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "data" / "published")
    parser.add_argument("--check", action="store_true", help="compare only")
    arguments = parser.parse_args()
    ours, other = Folder(arguments.record / "kakeya"), Folder(arguments.record / "latticequant")
    files = {name: written(rows(ours), KAKEYA) for name, rows in
             (("perplexity", perplexity), ("needle", needle), ("latency", latency), ("v4", v4), ("older", older), ("blocks", blocks), ("gap", gap), ("contexts", contexts))}
    files["latticequant"] = written(lattice(other), LATTICEQUANT)
    files["theorems"] = written(theorems(other), LATTICEQUANT)
    differing = []
    for name, text in files.items():
        path = arguments.out / f"{name}.jsonl"
        if not arguments.check:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            differing.append(path.name)
    print(f"{len(files)} files, {sum(text.count(chr(10)) for text in files.values())} rows, {sum(map(len, files.values()))} bytes"
          + (f"; differing: {', '.join(differing) or 'none'}" if arguments.check else ""))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
