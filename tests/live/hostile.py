"""Request bodies that a service could choke on, all of about the largest size that it takes."""

import json

from steadyarm.live.http.bodies import LARGEST_BODY as SIZE


def repeated(part, before=b"", after=b"", between=b""):
    """As many parts as fit."""
    room = SIZE - len(before) - len(after)
    return before + between.join([part] * ((room + len(between)) // (len(part) + len(between)))) + after


def holding(values, **members):
    """A JSON object with a long list of one value, as many as fit."""
    (name, value), others = next(iter(values.items())), json.dumps(members).encode()[1:-1]
    before = b"{" + (others + b", " if others else b"") + b'"%s": [' % name.encode()
    return repeated(json.dumps(value).encode(), before, b"]}", b",")


JSON = {
    "a text without end": repeated(b'\\"', b"[" * 65 + b'"'),
    "many texts without end": repeated(b'"\\', b"[" * 65),
    "nested lists": repeated(b"["),
    "nested objects": repeated(b'{"a":'),
    "closed nested lists": b"[" * (SIZE // 2) + b"]" * (SIZE // 2),
    "nested inside a member": b'{"units": ' + b"[" * 900 + b"]" * 900 + b"}",
    "empty lists": repeated(b"[]", b"[", b"]", b","),
    "empty objects": repeated(b"{}", b"[", b"]", b","),
    "small objects": repeated(b'{"":{}}', b"[", b"]", b","),
    "digits": repeated(b"9"),
    "digits behind the point": repeated(b"9", b"0."),
    "a large exponent": repeated(b"9", b"1e"),
    "long numbers": repeated(b"9" * 4300, b"[", b"]", b","),
    "zeros": repeated(b"0", b"[", b"]", b","),
    "numbers": repeated(b"1.2345678901234567e300", b"[", b"]", b","),
    "escapes": repeated(b"\\u0041", b'"', b'"'),
    "surrogates": repeated(b"\\ud800", b'"', b'"'),
    "backslashes": repeated(b"\\", b'"'),
    "many members": b"{" + b",".join(b'"%d":0' % number for number in range(25_000)) + b"}",
    "one member again and again": repeated(b'"a":0', b"{", b"}", b","),
    "no UTF-8": repeated(b"\xff"),
    "half a character": repeated(b"\xe2\x82", b'"', b'"'),
    "UTF-16": ('{"units": ["' + "u" * (SIZE // 2 - 20) + '"]}').encode("utf-16"),
    "spaces": repeated(b" "),
    "zero bytes": repeated(b"\0"),
    "NaN": repeated(b"NaN", b"[", b"]", b","),
}
"""Bodies that mean nothing anywhere."""

POLICY = {"policy": "SLEUCB", "n_arms": 20_000, "horizon": 2**53}
MEANT = {
    ("PUT", "/v1/experiments/new"): {
        "many arms": holding({"arms": "a"}, horizon=10**9),
        "the longest arms": json.dumps(
            {"arms": [f"{number:064}" for number in range(1000)], "horizon": 10**9}
        ).encode(),
        "a goal": json.dumps(
            {
                "arms": [str(number) for number in range(1000)],
                "horizon": 10**9,
                "plan": {"max_sd_share": 0.02},
            }
        ).encode(),
        "a long list as alpha": holding({"alpha": 1}, arms=["a", "b"], horizon=10),
    },
    ("POST", "/v1/experiments/e/allocations"): {
        "many units": holding({"units": "u"}),
        "a long unit": json.dumps({"units": ["u" * (SIZE - 20)]}).encode(),
        "lists as units": holding({"units": []}),
    },
    ("PUT", "/v1/experiments/e/allocations/u/reward"): {
        "a long number": b'{"reward": ' + b"9" * 4300 + b"}",
        "a list": holding({"reward": 1}),
    },
    ("POST", "/v1/experiments/e/allocations/u/void"): {
        "a long reason": json.dumps({"reason": "x" * (SIZE - 20)}).encode(),
    },
    ("POST", "/v1/plan"): {
        "many means": holding({"means": 0.5}, arms=10_000, horizon=2**53, alpha=1),
        "ten thousand means": json.dumps(
            {
                "arms": 10_000,
                "horizon": 2**53,
                "alpha": 1,
                "means": [number / 1e4 for number in range(10_000)],
            }
        ).encode(),
        "a goal": b'{"arms": 9999, "horizon": 9007199254740991, "max_sd_share": 0.001}',
    },
    ("POST", "/v1/simulations"): {
        "many means": holding({"policy": 1.0}, instance=1),
        "many arms": json.dumps(
            {"policy": POLICY, "instance": {"rewards": "gaussian", "means": [0.1] * 20_000}, "runs": 1}
        ).encode(),
    },
    ("DELETE", "/v1/simulations/0123456789abcdef"): {},
    ("POST", "/v1/experiments/e/start"): {},
    ("PUT", "/v1/experiments/e/allocations/u"): {},
}
"""Every call that takes a body, with what is nasty there."""

CASES = [(method, path, name) for (method, path), own in MEANT.items() for name in JSON | own]


def body_of(method, path, name):
    return (JSON | MEANT[method, path])[name]
