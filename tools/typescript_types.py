"""Writes clients/typescript/src/api.ts, the shapes and calls of the service, from its OpenAPI description.

Run it with `.venv/bin/python tools/typescript_types.py` after a change of a route; a test compares.
"""

import json
from pathlib import Path

from steadyarm.live import Settings, create_app

FILE = Path(__file__).parent.parent / "clients" / "typescript" / "src" / "api.ts"

HEAD = """\
// Written by tools/typescript_types.py from the OpenAPI description of the service. Do not edit.
"""
TAIL = """\
/** Units of one call. */
export const MOST_IN_A_BATCH = {most};

export type CallName = keyof Calls;
export type Body<C extends CallName> = Calls[C]["body"];
export type Answer<C extends CallName> = Calls[C]["answer"];
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def main():
    FILE.write_text(source(openapi()), encoding="utf-8")


def openapi():
    """Return the description of the app; nothing is opened or served."""
    return create_app(Settings(database="sqlite:///unused.db")).app.openapi()


def source(said):
    """Return api.ts: an interface for each shape, and for each call its body and its answer."""
    shapes, calls = dict(said["components"]["schemas"]), []
    for path, operations in said["paths"].items():
        for method, operation in operations.items():
            asked = _schema(operation.get("requestBody", {}))
            if asked is not None:
                shapes |= {**asked.pop("$defs", {}), asked["title"]: asked}
            good = [_schema(answer) for status, answer in operation["responses"].items() if status < "300"]
            kinds = sorted({kind(schema) for schema in good if schema})
            body = "undefined" if asked is None else asked["title"]
            body += "" if operation.get("requestBody", {}).get("required", True) else " | undefined"
            answer = " | ".join(kinds) or "string"
            calls.append(f'  "{method.upper()} {path}": {{ body: {body}; answer: {answer} }};')
    parts = [HEAD, *(interface(name, shape) for name, shape in sorted(shapes.items()))]
    most = shapes["UnitDefaults"]["properties"]["defaults"]["maxItems"]
    return "\n".join([*parts, "export interface Calls {", *calls, "}\n", TAIL.replace("{most}", str(most))])


def _schema(part):
    found = part.get("content", {}).get("application/json", {}).get("schema")
    return dict(found) if found else None


def interface(name, schema):
    lines = [f"/** {' '.join(schema.get('description', name).split())} */", f"export interface {name} {{"]
    needed = schema.get("required", ())
    for member, known in schema.get("properties", {}).items():
        if "description" in known:
            lines.append(f"  /** {known['description']} */")
        lines.append(f"  {member}{'' if member in needed else '?'}: {kind(known)};")
    if schema.get("additionalProperties", name == "Configuration"):  # a policy's further parameters
        lines.append("  [member: string]: unknown;")
    return "\n".join([*lines, "}\n"])


def kind(schema):
    """Return the type of a value, as TypeScript writes it."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(kind, schema["anyOf"])))
    if schema.get("type") == "array":
        return f"Array<{kind(schema.get('items', {}))}>"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {kind(values) if isinstance(values, dict) else 'unknown'}>"
    return PLAIN.get(schema.get("type"), "unknown")


if __name__ == "__main__":
    main()
