"""Anchors: the head of a journal, signed, to be kept where whoever can change the journal cannot.

Since each entry carries the hash of the one before, a head stands for all entries up to it. An anchor that is kept
elsewhere shows a journal that was cut off or written anew, even by somebody who followed all of its rules.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from steadyarm.errors import InvalidInput
from steadyarm.live.core.experiment import SOFTWARE
from steadyarm.live.core.journal import Broken, Row, canonical, members

KIND = "steadyarm-anchor-1"
"""Stands in every anchor, so that a signature under it is good for nothing else."""


class Anchor(NamedTuple):
    """A head as it was at some time, and the key that says so."""

    experiment: str
    seq: int
    hash: str
    at: str
    key: str


class SigningKey:
    """An Ed25519 key that signs anchors.

    >>> key = SigningKey.new()
    >>> found = Anchors([key.public])
    >>> found.read([key.anchor("colours", 17, "ab" * 32, "2026-11-15T09:30:00.125Z")])
    >>> found.heads["colours"][0].seq
    17
    """

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()
        self.id = key_id(self.public)

    @classmethod
    def new(cls) -> SigningKey:
        """Draw a key."""
        return cls(Ed25519PrivateKey.generate())

    def to_pem(self) -> bytes:
        """Return the secret part, for a file."""
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def anchor(self, experiment: str, seq: int, hash_: str, at: str) -> str:
        """Return the signed head of a journal as one line of JSON."""
        said = {"kind": KIND, "experiment": experiment, "seq": seq, "hash": hash_, "at": at}
        said |= {"software": SOFTWARE, "key": self.id}
        return canonical(said | {"signature": self._private.sign(canonical(said).encode()).hex()})


def key_id(public: str) -> str:
    """Return the short name of a public key, which anchors carry."""
    return sha256(bytes.fromhex(public)).hexdigest()[:16]


def public_key(text: str) -> Ed25519PublicKey:
    """Return the key of 64 hexadecimal digits.

    >>> public_key("abc")
    Traceback (most recent call last):
    ...
    steadyarm.errors.InvalidInput: a public key must have 64 hexadecimal digits; got 'abc'. `steadyarm live keys` ...
    """
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
    except ValueError:
        raise InvalidInput(
            f"a public key must have 64 hexadecimal digits; got {text[:80]!r}. `steadyarm live keys` prints it."
        ) from None


class Anchors:
    """Anchors that were read back, and what they say about journals.

    Attributes:
        heads: the anchors that the given keys have signed, by experiment.
        of_other_keys: how many were signed by keys that were not given.
        unreadable: how many lines were no anchors, such as half a line from a full disk.
    """

    def __init__(self, public_keys: Sequence[str]) -> None:
        self._keys = {key_id(text): public_key(text) for text in public_keys if public_key(text)}
        self.heads: dict[str, list[Anchor]] = defaultdict(list)
        self.of_other_keys = self.unreadable = 0

    def read(self, lines: Iterable[str]) -> None:
        """Take in anchors, a line each; one whose signature is wrong is an error, since somebody made it so."""
        for line in lines:
            if line.strip():
                self._take(line)

    def _take(self, line: str) -> None:
        try:
            said: dict[str, Any] = json.loads(line, object_pairs_hook=members)
            signature = bytes.fromhex(said.pop("signature"))
            anchor = Anchor(*(said[name] for name in Anchor._fields))
            texts = (anchor.experiment, anchor.hash, anchor.at, anchor.key)
            signed = canonical(said).encode()
            if said["kind"] != KIND or type(anchor.seq) is not int or {str} != {type(each) for each in texts}:
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.unreadable += 1
            return
        key = self._keys.get(anchor.key)
        if key is None:
            self.of_other_keys += 1
            return
        try:
            key.verify(signature, signed)
        except InvalidSignature:
            reason = f"one of its anchors has a bad signature, of key {anchor.key}"
            raise Broken(anchor.experiment, anchor.seq, reason) from None
        self.heads[anchor.experiment].append(anchor)

    def check(self, name: str, rows: Iterable[Row]) -> Iterator[Row]:
        """Pass the entries of a journal on; raises `Broken` at the first that is not what was anchored."""
        wanted: dict[int, list[Anchor]] = defaultdict(list)
        for anchor in self.heads.get(name, ()):
            wanted[anchor.seq].append(anchor)
        for row in rows:
            for anchor in wanted.pop(row.seq, ()):
                if anchor.hash != row.hash:
                    raise Broken(name, row.seq, f"it is not the entry that was anchored {anchor.at}")
            yield row
        if wanted:
            first = min(wanted)
            raise Broken(name, first, f"it was anchored {wanted[first][0].at}, and is missing at the end")

    def check_names(self, there: Iterable[str]) -> None:
        """Refuse that an experiment is missing which was anchored."""
        for name in sorted(set(self.heads) - set(there)):
            last = max(self.heads[name], key=lambda anchor: anchor.seq)
            raise Broken(name, last.seq, f"it was anchored {last.at}, and there is no such experiment")

    def covered(self, name: str, entries: int) -> dict[str, Any] | None:
        """Return the newest anchor of a journal and how many entries came after it; None if there is no anchor."""
        found = self.heads.get(name)
        if not found:
            return None
        last = max(found, key=lambda anchor: anchor.seq)
        return {
            "anchors": len(found),
            "seq": last.seq,
            "at": last.at,
            "key": last.key,
            "entries_after": entries - last.seq,
        }
