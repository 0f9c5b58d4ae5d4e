"""Writes docs/rest-api.md from the OpenAPI description of the service.

Run it with `.venv/bin/python tools/rest_api_page.py` after a change of a route; a test compares.
"""

from pathlib import Path

from steadyarm.live import Settings, create_app
from steadyarm.live.core.names import LONGEST_UNIT, NAME_PATTERN

PAGE = Path(__file__).parent.parent / "docs" / "rest-api.md"

HEAD = """# The REST API

This page is written by `tools/rest_api_page.py` from the service's own OpenAPI description, which a running server
gives at `/openapi.json`. [The live service](live.md) says what the calls are for and what they promise.

Send `Authorization: Bearer TOKEN` with every call that has a scope. Bodies are JSON. An error is
`application/problem+json` with a stable `code`; [the codes](live.md#the-calls) are listed there with their statuses.
Names of experiments match `{pattern}`. A unit is 1 to {longest} characters of any
script, percent-encoded in an address: no control characters, no space at either end, and not `.` or `..`.
"""
TAGS = ("experiments", "units", "journal", "analysis", "planning", "health")  # their order on the page


def main():
    PAGE.write_text(page(openapi()), encoding="utf-8")


def openapi():
    """Return the description of the app; nothing is opened or served."""
    return create_app(Settings(database="sqlite:///unused.db")).app.openapi()


def page(said):
    """Return docs/rest-api.md."""
    groups = {tag: [] for tag in TAGS}
    for path, operations in said["paths"].items():
        for method, operation in operations.items():
            (tag,) = operation["tags"]
            groups.setdefault(tag, []).append(call(method, path, operation))
    parts = [HEAD.format(pattern=NAME_PATTERN, longest=LONGEST_UNIT)]
    for tag, calls in groups.items():
        parts += [f"## {tag.capitalize()}\n", *calls]
    parts.append("## Shapes\n\nWhat answers are made of. `?` marks what may be null.\n")
    parts += [shape(name, schema) for name, schema in sorted(said["components"]["schemas"].items())]
    return "\n".join(parts)


def call(method, path, operation):
    lines = [f"### {method.upper()} {path}\n", operation["description"]]
    asked = operation.get("requestBody")
    if asked:
        schema = asked["content"]["application/json"]["schema"]
        lines += ["", f"Body: {schema['description']}", "", *members(schema)]
    queries = [known for known in operation.get("parameters", []) if known["in"] == "query"]
    if queries:
        lines += ["", "Query:", ""]
        lines += [member(known["name"], known["schema"], known.get("required")) for known in queries]
    good = {status: given for status, given in operation["responses"].items() if int(status) < 400}
    bad = sorted(status for status in operation["responses"] if int(status) >= 400)
    content = {what for given in good.values() if (what := content_of(given))}
    lines += [
        "",
        f"Answers {' or '.join(sorted(good))}{''.join(f' with {what}' for what in sorted(content))}.",
    ]
    if bad:
        lines[-1] += f" Refuses with {', '.join(bad)}."
    return "\n".join(lines) + "\n"


def content_of(given):
    (media, content), *_ = given.get("content", {"": {}}).items()
    return kind_of(content["schema"]) if media == "application/json" else media and f"`{media}`"


def shape(name, schema):
    about = [f"{schema['description']}\n"] if schema.get("description") else []
    return "\n".join([f"### {name} (shape)\n", *about, *members(schema)]) + "\n"


def members(schema):
    required = set(schema.get("required", []))
    return [member(name, known, name in required) for name, known in schema.get("properties", {}).items()]


def member(name, schema, required):
    """Return a line of a list: the name, its type, what it means and what it may be."""
    about = [schema["description"].rstrip(".")] if schema.get("description") else []
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        about.append(f"{low:,g} to {high:,.16g}")
    if schema.get("default"):
        about.append(f"default `{schema['default']}`")
    need = ", required" if required and "default" not in schema else ""
    return f"- `{name}`: {kind_of(schema)}{need}" + "".join(f"; {part}" for part in about)


def kind_of(schema):
    """Return a type in words.

    >>> kind_of({"type": "array", "items": {"type": "string"}})
    'list of string'
    >>> kind_of({"anyOf": [{"type": "number"}, {"type": "null"}]})
    'number?'
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()}-shape)"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "anyOf" in schema:
        kinds = [kind_of(option) for option in schema["anyOf"]]
        return " or ".join(kind for kind in kinds if kind != "null") + ("?" if "null" in kinds else "")
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {})) or 'anything'}"
    return schema.get("type", "")


if __name__ == "__main__":
    main()
