# SPDX-License-Identifier: Apache-2.0
"""The tables of agreement.json: scripts/agreement.py --table and --csv.

Tokens are counted to the limit L alone, up to which every run was made that had not differed before: what agrees all along counts L, and a mean is one of at most L tokens.
Intervals: 95 % of 2000 draws of the prompts, seed 1, the same draws for all codecs. An end at the limit is printed as "≥ L".
"""
import os
import random
import statistics
import textwrap

DRAWS = 2000
SHARED, OWN = 300, 600  # characters of a text before and behind where two part
KINDS = (("sealed pages", "pages"), ("sinks", "sinks"), ("open page", "open"), ("tables", "tables"))


def complete(data):
    """{codec: {prompt: sample}}, of the prompts that every codec has."""
    found = {codec: {} for codec in (*data["codecs"], data["control"])}
    for sample in data["samples"]:
        if sample["codec"] in found:
            found[sample["codec"]][sample["prompt"]] = sample
    common = set.intersection(*(set(of) for of in found.values()))
    return {codec: {prompt: of[prompt] for prompt in sorted(common)} for codec, of in found.items()}


def limit_of(data, samples):
    """Up to where all runs of codecs were made; the control's stop by choice."""
    runs = [sample for codec in data["codecs"] for sample in samples[codec].values()]
    return min((run["generated"] for run in runs if run["agree"] == run["generated"]), default=max((run["generated"] for run in runs), default=0))


def draws_of(count):
    draw = random.Random(1)
    return [[draw.randrange(count) for _ in range(count)] for _ in range(DRAWS)]


def with_interval(values, of, draws):
    drawn = sorted(of([values[place] for place in places]) for places in draws)
    return of(values), drawn[round(0.025 * (DRAWS - 1))], drawn[round(0.975 * (DRAWS - 1))]


def measured(data):
    """Everything that is said of the prompts."""
    samples = complete(data)
    limit, prompts = limit_of(data, samples), sorted(samples[data["control"]])
    stages = [stage for stage in data["stages"] if stage <= limit] or [limit]
    told = {"limit": limit, "prompts": len(prompts), "stages": stages, "codecs": {}}
    if not prompts:
        return told
    draws = draws_of(len(prompts))
    counted = {codec: [min(samples[codec][prompt]["agree"], limit) for prompt in prompts] for codec in data["codecs"]}
    first = data["codecs"][0]
    for codec, values in counted.items():
        differences = [ours - theirs for ours, theirs in zip(values, counted[first])]
        told["codecs"][codec] = {"median": with_interval(values, statistics.median, draws), "mean": with_interval(values, statistics.fmean, draws), "least": min(values),
                                 "reach": [sum(value >= stage for value in values) for stage in stages], "difference": with_interval(differences, statistics.fmean, draws),
                                 "longer": sum(x > 0 for x in differences), "shorter": sum(x < 0 for x in differences)}
    bf16 = {prompt["prompt"]: prompt for prompt in data["prompts"]}
    told["repeat"] = sum(bf16[prompt]["repeats_from"] is not None and bf16[prompt]["repeats_from"] < limit for prompt in prompts)
    at_limit = [prompt for prompt in prompts if any(min(samples[codec][prompt]["agree"], limit) == limit for codec in data["codecs"])]
    told["at_limit"], told["at_limit_repeat"] = len(at_limit), sum(bf16[prompt]["repeats_from"] is not None for prompt in at_limit)
    control = samples[data["control"]].values()
    told["control"] = {"tokens": sum(sample["generated"] for sample in control), "differ": sum(sample["agree"] < sample["generated"] for sample in control),
                       "longest": max(sample["generated"] for sample in control)}
    return told


def number(value, limit):
    if value >= limit:
        return f"≥ {limit:,}"
    return f"{value:,.0f}" if value == round(value) or value >= 100 else f"{value:.1f}"


def interval(three, limit):
    value, low, high = (number(one, limit) for one in three)
    return f"{value} ({low} to {high})"


def signed(three):
    value, low, high = (f"{one:+,.0f}" if abs(one) >= 100 else f"{one:+.1f}" for one in three)
    return f"{value} ({low} to {high})"


def of_prompts(data, told):
    limit, first = told["limit"], data["codecs"][0]
    yield f"| codec | median tokens | mean of at most {limit:,} | least |" + "".join(f" agree on {stage:,} |" for stage in told["stages"]) + f" mean less that of `{first}` | longer | shorter |"
    yield "|---|--:|--:|--:|" + "--:|" * len(told["stages"]) + "--:|--:|--:|"
    for codec, of in told["codecs"].items():
        reach = "".join(f" {count} |" for count in of["reach"])
        against = " | | |" if codec == first else f" {signed(of['difference'])} | {of['longer']} | {of['shorter']} |"
        yield f"| `{codec}` | {interval(of['median'], limit)} | {interval(of['mean'], limit)} | {number(of['least'], limit)} |{reach}{against}"
    control = told["control"]
    yield ""
    yield (f"{told['prompts']} prompts of {data['words']} words; greedy tokens before the first that is not the bf16 cache's, counted to {limit:,}, up to which all were run. In brackets: 95 % of {DRAWS} "
           f"draws of the prompts. Longer, shorter: prompts on which it agrees longer or shorter than `{first}`.")
    yield (f"Of the bf16 texts {told['repeat']} of {told['prompts']} repeat themselves from before token {limit:,} on to their end; of the {told['at_limit']} prompts on which some codec agrees to the limit, "
           f"{told['at_limit_repeat']}.")
    yield (f"Control: `{data['control']}` differs in {control['differ']} of {told['prompts']} prompts, over {control['tokens']:,} tokens together and {control['longest']:,} at most.")


def of_long(data):
    yield "| cache | tokens held | live, MB | " + " | ".join(f"{name}, MB" for name, _ in KINDS) + " | of bf16 | without the open page | first difference | tokens/s |"
    yield "|---|--:|--:|" + "--:|" * len(KINDS) + "--:|--:|--:|--:|"
    longest = data["long"][0]
    for run in data["long"]:
        held, kinds = run["prompt_tokens"] + run["generated"] - 1, "".join(f" {run['live'][kind] / 1e6:.2f} |" for _, kind in KINDS)
        share, closed = (f"{part / run['bf16_bytes']:.4f}" for part in (run["live_bytes"], run["live_bytes"] - run["live"]["open"]))
        same = "" if run["codec"] == "bf16" else "none" if run["agree"] == min(run["generated"], longest["generated"]) else f"token {run['agree'] + 1:,}"
        speed = run["decode_steps"] / run["decode_seconds"] if run["decode_steps"] else 0
        if run["codec"] == "bf16":  # kinds are those of a packed cache
            kinds, closed = " |" * len(KINDS), ""
        yield f"| `{run['codec']}` | {held:,} | {run['live_bytes'] / 1e6:.2f} |{kinds} {share} | {closed} | {same} | {speed:.2f} |"
    yield ""
    yield (f"Held: a prompt of {longest['prompt_tokens']:,} tokens and all but the last of {longest['generated']:,} greedy ones. Live: what the cache has allocated at the end. Of bf16: over the "
           f"{longest['bf16_bytes'] / 1e6:.2f} MB of as many tokens in bf16.")
    if data["profile"]:
        yield f"The profile, {data['profile']['name']}, is a file of {data['profile']['bytes'] / 1e6:.2f} MB, which all caches share; it is not counted."


def block(text):
    lines = [line for part in text.replace('```', "'''").split("\n") for line in (textwrap.wrap(part, 150, break_on_hyphens=False) or [""])]
    return "\n".join(["```text", *lines, "```"])


def texts_of(data):
    """Where each text of the long prompt parts from the bf16 cache's."""
    bf16 = next((run for run in data["long"] if run["codec"] == "bf16"), None)
    for run in data["long"]:
        if run is bf16 or bf16 is None:
            continue
        same = len(os.path.commonprefix([run["text"], bf16["text"]]))
        if run["agree"] == min(run["generated"], bf16["generated"]):
            yield f"`{run['codec']}`: all {run['agree']:,} tokens are those over bf16."
            continue
        yield f"`{run['codec']}` and bf16 have {run['agree']:,} tokens in common, which end"
        yield block(("…" if same > SHARED else "") + bf16["text"][max(0, same - SHARED):same])
        for name, text in (("bf16", bf16["text"]), (run["codec"], run["text"])):
            yield f"`{name}` goes on"
            yield block(text[same:same + OWN] + ("…" if len(text) > same + OWN else ""))


def tables_of(data):
    told, parts = measured(data), []
    if data["long"]:
        parts += ["\n".join(of_long(data)), *texts_of(data)]
    if told["prompts"]:
        parts.append("\n".join(of_prompts(data, told)))
    return "\n\n".join(parts) + "\n"


def csv_of(data):
    rows, told = ["codec,quantity,value"], measured(data)

    def row(codec, quantity, value):
        rows.append(f'"{codec}","{quantity}",{value!r}')
    for run in data["long"]:
        row(run["codec"], "long: tokens held", run["prompt_tokens"] + run["generated"] - 1)
        row(run["codec"], "long: live bytes", run["live_bytes"])
        for name, kind in KINDS:
            row(run["codec"], f"long: {name}, bytes", run["live"][kind])
        row(run["codec"], "long: bf16 bytes", run["bf16_bytes"])
        row(run["codec"], "long: live of bf16", run["live_bytes"] / run["bf16_bytes"])
        row(run["codec"], "long: live of bf16 without the open page", (run["live_bytes"] - run["live"]["open"]) / run["bf16_bytes"])
        row(run["codec"], "long: tokens before the first difference", run["agree"])
        if run["decode_steps"]:
            row(run["codec"], "long: tokens a second", run["decode_steps"] / run["decode_seconds"])
    row("all", "limit, tokens", told["limit"])
    for codec, of in told["codecs"].items():
        for name in ("median", "mean", "difference"):
            for end, value in zip(("", ", low end", ", high end"), of[name]):
                row(codec, f"{name} of tokens{end}", value)
        for name in ("least", "longer", "shorter"):
            row(codec, name, of[name])
        for stage, count in zip(told["stages"], of["reach"]):
            row(codec, f"prompts that agree on {stage}", count)
    if told["prompts"]:
        row("bf16", "texts that repeat themselves", told["repeat"])
        row(data["control"], "tokens", told["control"]["tokens"])
        row(data["control"], "prompts that differ", told["control"]["differ"])
    return "\n".join(rows) + "\n"
