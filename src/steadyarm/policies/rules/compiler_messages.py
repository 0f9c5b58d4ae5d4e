"""What Numba says of a rule that it cannot compile, in plain words with a remedy."""

from __future__ import annotations

import re

_FEW_WORDS = 300  # of a message that we have no words for; the rest is in the cause

_SLOWLY = "Or play it as plain Python, slowly, with engine='reference' (--engine reference)."
_NUMBERS_ONLY = "Keep names and texts outside of the rule: it works with numbers and arrays of them."
_WRONG_IN_PYTHON_TOO = [
    (
        r"NameError: (?:global )?name '(\w+)' is not defined",
        "there is no {0!r}. Define it above the rule, or correct the spelling.",
    ),
    (r"(module '\w+' has no attribute '\w+')", "{0}. Correct the spelling."),
    (
        r"Unknown attribute '(\w+)' of type Noise\(",
        "noise has no {0!r}: it has the seed, the run and the round. For chance use uniform_at(noise, arm) or "
        "normal_at(noise, arm) of steadyarm.policies.",
    ),
    (
        r"Unknown attribute '(\w+)' of type array",
        "an array has no {0!r}: its length is fixed. Ask for room with state_size, and write to state[arm].",
    ),
    (
        r"Unknown attribute '(\w+)' of type (?!Module)(\w+)\(",
        "{1} has no {0!r}. Add it to the class, or correct the spelling.",
    ),
    (
        r"Cannot bind .* due to \"TypeError: (.+?)\"",
        "a function is called with the wrong arguments: {0}. Give it those that it takes.",
    ),
    (
        r"setitem\(array",
        "an element of an array takes one number, at a whole number. Write state[arm] = number; for several numbers an "
        "arm, use several places of state.",
    ),
    (r"getitem\(array", "an array is read at a whole number, like state[arm]. Use one."),
]
_NOT_COMPILABLE = [
    (
        r"Untyped global name '(\w+)'.*<class 'function'>",
        "{0!r} is a plain Python function. Decorate it with @numba.njit.",
    ),
    (
        r"Untyped global name '(\w+)'.*<class '(?:[\w.]+\.)?(\w+)'>",
        "{0!r} is of the kind {1}, which compiled code cannot read. Make it a number, a tuple of numbers or an array.",
    ),
    (
        r"assigned to variable '(\w+)' in globals",
        "{0!r} is a list or dict outside of the rule. Make it a tuple of numbers or a NumPy array.",
    ),
    (
        r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'",
        "{1}.{0} cannot be compiled. Write it out with loops, math and NumPy's basic functions.",
    ),
    (
        r"unsupported NumPy function '([\w.]+)'",
        "{0} cannot be compiled, or not like this. Write it out with a loop.",
    ),
    (r"IMPORT_NAME", "an import stands inside the rule. Put it at the top of the file."),
    (r"[Cc]ontext manager", "a rule has no files and no `with`. Do this outside of the rule."),
    (
        r"DictType|build_map|BUILD_MAP|BUILD_SET|list\(undefined\)|LiteralList|set\(undefined\)",
        "it keeps a list or dict whose kind is not known. Keep numbers in state, an array with state_size places, or "
        "in np.zeros(n).",
    ),
    (r"f-strings|FORMAT_VALUE|FORMAT_SIMPLE|FORMAT_WITH_SPEC", f"it makes text. {_NUMBERS_ONLY}"),
    (
        r"C(?:annot|an't) unify",
        "a value is of one kind on one path and of another on the other. Let both give a number.",
    ),
    (r"Literal\[str\]|unicode_type", f"it works with text. {_NUMBERS_ONLY}"),
    (
        r"No implementation of function Function\(<(?:built-in )?function (\w+)",
        "{0} does not take such arguments in compiled code. Write it out with a loop.",
    ),
]


def plain_message(error: Exception) -> str:
    r"""Return a message of Numba's without its colours.

    >>> plain_message(ValueError("\x1b[1mNo\x1b[0m such thing"))
    'No such thing'
    """
    return re.sub(r"\x1b\[\d*m", "", str(error))


def in_plain_words(message: str) -> str:
    """Return the reason and the remedy that belong to a message of Numba's, or its first words.

    >>> in_plain_words("NameError: name 'conuts' is not defined")
    "there is no 'conuts'. Define it above the rule, or correct the spelling."
    """
    for known, more in ((_WRONG_IN_PYTHON_TOO, ""), (_NOT_COMPILABLE, f" {_SLOWLY}")):
        for pattern, words in known:
            found = re.search(pattern, message, re.DOTALL)
            if found:
                return words.format(*found.groups()) + more
    text = re.sub(r"Failed in nopython mode pipeline \(step: [\w ]+\)", "", message)
    heart = " ".join(re.split(r"\n *(?:File|During|There are) ", text, maxsplit=1)[0].split())
    return f"{heart[:_FEW_WORDS].rstrip('.')}. Use numbers, arrays, loops, math, helpers with @numba.njit. {_SLOWLY}"
