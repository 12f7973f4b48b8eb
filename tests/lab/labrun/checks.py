"""All that is checked of one scenario: its steps in the guest, what is done with their results on the host, and the logs."""
import os
import subprocess

from . import expect

FIELDS = {"steps", "kernel", "serial"}


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
    for name in ("kernel", "serial"):
        text = (results / f"{name}.log").read_text(errors="replace")
        yield from expect.check_text(expected.get(name, {}), text, f"the {name} log")
