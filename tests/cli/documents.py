"""The JSON Schemas of docs/schema: whatever the program prints or keeps is held against them."""
import functools
import json
import pathlib

import jsonschema

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema"
NAMES = sorted(path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json"))
seen = set()


@functools.cache
def validator(name):
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def name_of(document):
    """"audit" of a document whose schema is "raidscope.audit/1"; None for anything else."""
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(schema, str) or not schema.startswith("raidscope."):
        return None
    return schema.removeprefix("raidscope.").partition("/")[0]


def faults(text):
    """What is wrong with a text that is a document of raidscope; nothing for any other text."""
    if not text.startswith("{"):
        return []
    try:
        document = json.loads(text)
    except ValueError:
        return []  # cut off, or no document: the test that made it says what it should be
    name = name_of(document)
    if name is None:
        return []
    seen.add(name)
    errors = sorted(validator(name).iter_errors(document), key=str)
    return [f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]
