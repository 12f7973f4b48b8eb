"""All that is checked of one scenario: its steps in the guest, what is done with their results on the host, and the logs."""
import json
import os
import subprocess

from . import cardlog, expect, truth

FIELDS = {"steps", "kernel", "serial", "truth", "agree", "same", "only_allowed", "smart_path", "ratios"}


def document(results, name):
    """A step's output as JSON; None when it is none, which the step's own check says."""
    try:
        return json.loads((results / f"{name}.out").read_text())
    except (OSError, ValueError):
        return None


def check_truth(expected, results, name):
    """The inventory that step `name` printed against the cards as they were when the guest began, or as the step
    named in "state" printed them. "tool": whether the vendor tool was there; "except": facts that it need not tell."""
    states = [json.loads(path.read_text()) for path in sorted(results.glob("state*.json"))]
    if "state" in expected:
        states = [document(results, expected["state"])]
    inventory = document(results, name)
    if inventory is None or None in states:
        yield f"{name}: no inventory to compare with the card"
        return
    for line in truth.check(states, inventory, expected.get("tool", False)):
        if not any(words in line for words in expected.get("except", [])):
            yield f"{name}: {line}"


def without_times(value):
    """An inventory without what differs from one reading to the next: when it was taken, and how long that took."""
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in ("taken_at", "duration_ms")}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def first_difference(one, other, at=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(set(one) | set(other)):
            if why := first_difference(one.get(key), other.get(key), f"{at}/{key}"):
                return why
        return ""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next((why for i, pair in enumerate(zip(one, other)) if (why := first_difference(*pair, f"{at}/{i}"))), "")
    return "" if one == other else f"{at}: {one!r} and {other!r}"


def check_same(pair, results):
    """Two documents that are to be the same one."""
    one, other = (without_times(document(results, name)) for name in pair)
    if one is None or (why := first_difference(one, other)):
        yield f"{pair[0]} and {pair[1]} are not the same: {why}"


def check_smart_path(expected, results):
    """"computed" names the step that asked raidscope for the share."""
    decided = document(results, expected["computed"]) if "computed" in expected else None
    workloads = (decided or {}).get("workloads") or [{}]
    yield from cardlog.check_share(expected, results, workloads[0].get("bypass_share"))


def check_ratio(expected, results):
    """A number of one step's document is at least so many times that of another's. Only orders of things are the model's:
    the guest itself takes time, and more of it where the machine is busy."""
    values = []
    for step in (expected["of"], expected["than"]):
        try:
            values.append(expect.at(document(results, step), expected["json"]))
        except (KeyError, TypeError):
            values.append(None)
        if isinstance(values[-1], bool) or not isinstance(values[-1], (int, float)):
            yield f"{step}: {expected['json']} is no number: {values[-1]!r}"
            return
    if values[0] < expected["times"] * values[1]:
        yield f"{expected['json']} of {expected['of']} is {values[0]:.4g}, not {expected['times']} times {values[1]:.4g} of {expected['than']}"


def check_agreement(pair, results):
    """Two inventories of the same machine."""
    one, other = (document(results, name) for name in pair)
    if one is None or other is None:
        yield f"{pair[0]} and {pair[1]}: not two inventories"
        return
    for line in truth.differences(one, other):
        yield f"{pair[0]} and {pair[1]} differ: {line}"


def run_on_host(scenario, results, build):
    """Steps on the host: {results} and {build} stand for the folders. They leave what the guest's leave."""
    for step in scenario.host_steps:
        command = step["run"].replace("{results}", str(results)).replace("{build}", str(build))
        path = f"{build}:{os.environ.get('PATH', '')}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=step.get("seconds", 120),
                              env=dict(os.environ, PATH=path), cwd=results)
        (results / f"{step['name']}.out").write_bytes(done.stdout)
        (results / f"{step['name']}.err").write_bytes(done.stderr)
        (results / f"{step['name']}.exit").write_text(str(done.returncode))


def check(scenario, results, build):
    """Lines of words, one for each thing that is not as expected."""
    expected = scenario.expected
    for field in set(expected) - FIELDS:
        yield f"the expectations have no field {field}"
    run_on_host(scenario, results, build)
    steps = scenario.steps + scenario.host_steps
    for name in set(expected.get("steps", {})) - {step["name"] for step in steps}:
        yield f"expectations of a step that there is not: {name}"
    for step in steps:
        yield from expect.check_step(expected.get("steps", {}).get(step["name"], {}), results, step["name"])
    for name, wanted in expected.get("truth", {}).items():
        yield from check_truth(wanted, results, name)
    for pair in expected.get("agree", []):
        yield from check_agreement(pair, results)
    for pair in expected.get("same", []):
        yield from check_same(pair, results)
    for ratio in expected.get("ratios", []):
        yield from check_ratio(ratio, results)
    if "only_allowed" in expected:
        yield from cardlog.check_allowed(expected["only_allowed"], results)
    for one in expected.get("smart_path", []):
        yield from check_smart_path(one, results)
    for path in sorted(results.glob("card*.err")):
        if said := path.read_text(errors="replace").strip():
            yield f"{path.name}: {said[:1500]}"
    for name in ("kernel", "serial"):
        text = (results / f"{name}.log").read_text(errors="replace")
        yield from expect.check_text(expected.get(name, {}), text, f"the {name} log")
