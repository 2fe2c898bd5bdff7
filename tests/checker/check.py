#!/usr/bin/env python3
"""Checks certificates of hasami. Written from docs/certificates.md and docs/certificates-values.md, without its code.

    check.py FILE...          a line for each file; exit code 0 all hold, 1 one is refused, 2 one cannot be read
    check.py --database-file FILE [--sample N [--seed S] | --all]     checks a database by local consistency
    check.py --parts FILE     many raw parts, each after its length (LEB128): ok, or refused: why, for each.
                              Refuses what would take long: graphs with nodes x branching above 250,000,
                              lines of shapes above 512 signs. `except` is taken in a part by itself.
"""

from __future__ import annotations

import argparse
import json
import sys

import database
import hooks
from claims import Part, check_file
from container import MAGIC, Damaged, parts
from tree import Reader, Refused

HOLDS, REFUSED, DAMAGED = range(3)


def check(path: str, limit: int) -> dict:
    """The result for one file: `code`, `text`, and what is known about it."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if not data.startswith(MAGIC[:4]):
            return {"code": HOLDS, "text": hooks.check_text(data)}
        claim, proofs = check_file(parts(data, limit))
    except (OSError, Damaged) as damage:
        return {"code": DAMAGED, "text": f"damaged: {damage}"}
    except Refused as why:
        return {"code": REFUSED, "text": f"refused: {why}"}
    nodes = sum(part.nodes for part in proofs)
    game, lines = proofs[0].rules.split()[0], proofs[0].lines
    question = " ".join(f"{key} {value}" for key, value in lines)
    text = f"verified: {claim}, {game} {question}"
    if proofs[0].length is not None:
        text += f", length {proofs[0].length}"
    text += f", {nodes} nodes"
    databases = sorted({part.resting_on for part in proofs if part.resting_on})
    if databases:
        text += f", if right is the database {', '.join(databases)}"
    return {
        "code": HOLDS,
        "text": text,
        "claim": claim,
        "game": game,
        "question": dict(lines),
        "length": proofs[0].length,
        "nodes": nodes,
        "databases": databases,
    }


def batch(path: str) -> int:
    """Many parts, all of them hostile."""
    try:
        with open(path, "rb") as file:
            reader = Reader(file.read())
    except OSError as error:
        print(error, file=sys.stderr)
        return DAMAGED
    code = HOLDS
    while reader.at < reader.end:
        part = None
        try:
            data = reader.bytes(reader.number())
        except Refused as why:
            print(f"the file of parts is damaged: {why}", file=sys.stderr)
            return DAMAGED
        try:
            part = Part(data, small=True)
            part.check()
            print("ok")
        except (Damaged, Refused) as why:
            node = f"node {part.nodes}: " if part and part.nodes else ""
            print(f"refused: {node}{why}")
            code = REFUSED
    return code


def check_database(path: str, sample: int | None, seed: int) -> int:
    try:
        code, text = HOLDS, "verified: " + database.check_file(path, sample, seed)
    except (OSError, Damaged) as damage:
        code, text = DAMAGED, f"damaged: {damage}"
    except Refused as why:
        code, text = REFUSED, f"refused: {why}"
    print(f"{path}: {text}")
    return code


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks certificates of hasami.")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--parts", metavar="FILE", help="many raw parts, each after its length")
    parser.add_argument("--quiet", action="store_true", help="print only what does not hold")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--database", metavar="FILE", help="for Mancala leaves that rest on a database")
    parser.add_argument("--limit", type=int, default=1024, metavar="MIB", help="of a file, decompressed (1024)")
    parser.add_argument("--database-file", metavar="FILE", help="check this database")
    parser.add_argument("--sample", type=int, default=10_000, metavar="N", help="so many of its values (10000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which ones are drawn (1)")
    parser.add_argument("--all", action="store_true", help="all of its values")
    options = parser.parse_args()
    if [bool(options.parts), bool(options.files), bool(options.database_file)].count(True) != 1:
        parser.error("name certificates, or --parts and a file, or --database-file and a file")
    if options.database_file:
        return check_database(options.database_file, None if options.all else options.sample, options.seed)
    if options.database:
        try:
            hooks.leaves = hooks.open_database(options.database)
        except (OSError, Damaged) as damage:
            print(f"{options.database}: {damage}", file=sys.stderr)
            return DAMAGED
    if options.parts:
        return batch(options.parts)
    worst = HOLDS
    for path in options.files:
        result = check(path, options.limit << 20)
        worst = max(worst, result["code"])
        if options.json:
            print(json.dumps({"file": path, **result}))
        elif result["code"] or not options.quiet:
            print(f"{path}: {result['text']}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
