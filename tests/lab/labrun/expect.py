"""What a scenario expects, checked against what the guest left. Each check that fails gives a line of words."""
import json
import re

STEP_FIELDS = {"exit", "json", "stdout", "stderr"}
TEXT_FIELDS = {"contains", "lacks", "matches"}


def at(document, pointer):
    """The value at a JSON pointer; raises KeyError with the part that is not there."""
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(document, list):
            if not part.isdigit() or int(part) >= len(document):
                raise KeyError(part)
            document = document[int(part)]
        elif isinstance(document, dict) and part in document:
            document = document[part]
        else:
            raise KeyError(part)
    return document


def differs(wanted, found):
    """Why `found` is not what is wanted; None when it is. An object with a $word asks something of it."""
    if not isinstance(wanted, dict) or not any(key.startswith("$") for key in wanted):
        return None if wanted == found and isinstance(wanted, bool) == isinstance(found, bool) else f"is {found!r}, not {wanted!r}"
    asks = {
        "$length": lambda value: isinstance(found, (list, str, dict)) and len(found) == value,
        "$known": lambda value: (found is not None) == value,
        "$at_least": lambda value: isinstance(found, (int, float)) and found >= value,
        "$at_most": lambda value: isinstance(found, (int, float)) and found <= value,
        "$matches": lambda value: isinstance(found, str) and re.search(value, found) is not None,
        "$has": lambda value: isinstance(found, list) and value in found,
        "$not": lambda value: found != value,
    }
    for word, value in wanted.items():
        if word not in asks:
            return f"the expectation asks {word}, and there are {', '.join(asks)}"
        if not asks[word](value):
            return f"is {found!r}, and {word} {value!r} was asked"
    return None


def check_text(wanted, text, name):
    for field in set(wanted) - TEXT_FIELDS:
        yield f"{name}: the expectation has no field {field}"
    for words in wanted.get("contains", []):
        if words not in text:
            yield f"{name} lacks {words!r}"
    for words in wanted.get("lacks", []):
        if words in text:
            yield f"{name} contains {words!r}"
    for pattern in wanted.get("matches", []):
        if not re.search(pattern, text, re.M):
            yield f"{name} has nothing that matches {pattern!r}"


def check_json(wanted, text, name):
    try:
        document = json.loads(text)
    except ValueError as problem:
        yield f"{name} is no JSON: {problem}: {text[:200]!r}"
        return
    for pointer, value in wanted.items():
        try:
            why = differs(value, at(document, pointer))
        except KeyError as part:
            why = f"is not there (at {part})"
        if why:
            yield f"{name}: {pointer} {why}"


def check_step(wanted, results, name):
    """A step's exit code (0 where none is named) and outputs."""
    for field in set(wanted) - STEP_FIELDS:
        yield f"{name}: the expectation has no field {field}"
    try:
        code = int((results / f"{name}.exit").read_text())
    except (OSError, ValueError):
        yield f"{name} did not run to its end"
        return
    out = (results / f"{name}.out").read_text(errors="replace")
    errors = (results / f"{name}.err").read_text(errors="replace")
    expected_codes = wanted.get("exit", 0)
    if code not in (expected_codes if isinstance(expected_codes, list) else [expected_codes]):
        yield f"{name} ended with {code}, not {expected_codes}: {errors.strip()[-600:]}"
    for word in ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:"):
        if word in errors:
            yield f"{name}: {errors[errors.index(word):][:1500]}"
    yield from check_text(wanted.get("stdout", {}), out, f"{name}'s output")
    yield from check_text(wanted.get("stderr", {}), errors, f"{name}'s errors")
    if "json" in wanted:
        yield from check_json(wanted["json"], out, name)
