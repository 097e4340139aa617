"""How much of a work did a model recall, and how is that written in the released layout?

A work counts as recalled where the last names that the model gives and those of the entry have a
Jaccard similarity of 0.5 or more (the paper, F.4, E1). A name that stands in the title is not
counted in the model's favour: the question told it. A question without an answer is neither
recalled nor not recalled.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from hallmark.bench.entry import Entry, Label, Prediction, write_jsonl
from hallmark.bench.lines import read_rows
from hallmark.bench.live.sample import valid_only
from hallmark.text.latex import to_unicode
from hallmark.text.name_folding import words
from hallmark.text.names import family_key, split_authors
from hallmark.text.venue_tracks import split
from hallmark.text.venues import VenueTable, normal

THRESHOLD = 0.5
"""Jaccard similarity of last names from which a work counts as recalled."""
ANSWERED = "ok"
"""The `parse_status` of a row whose question was answered."""


class Score(Struct, frozen=True):
    """A Jaccard similarity in [0, 1] of last names, and both sides as they were compared."""

    jaccard: float
    true: tuple[str, ...]
    given: tuple[str, ...]

    @property
    def recalled(self) -> bool:
        """Whether the work counts as recalled."""
        return self.jaccard >= THRESHOLD


def sample(entries: Sequence[Entry], size: int, seed: int) -> tuple[Entry, ...]:
    """Return a sample of the valid entries, all of them where there are no more than `size`.

    Raises:
        InputError: there is no valid entry, or `size` is negative.
    """
    valid = sum(entry.label is Label.VALID for entry in entries)
    return valid_only(entries, min(size, valid), seed)


def score(true: str, given: Iterable[str], title: str) -> Score:
    """Compare an author field with the names that a model gave.

    Args:
        true: the entry's author field.
        given: the model's names; several may stand in one text.
        title: what the question showed; last names that stand in it as words do not count.
    """
    held = last_names((true,))
    named = last_names(given) - _runs(words(to_unicode(title)))
    union = held | named
    jaccard = len(held & named) / len(union) if union else 0.0
    return Score(jaccard, tuple(sorted(held)), tuple(sorted(named)))


def _runs(title: Sequence[str]) -> set[str]:
    """Return the words of a title, and two or three in a row as one: "Lloyd-Jones"."""
    return {"".join(title[at : at + n]) for at in range(len(title)) for n in (1, 2, 3)}


def last_names(texts: Iterable[str]) -> set[str]:
    """Return the last names in texts: lower-case ASCII, without particles and DBLP's numbers."""
    people = (name for text in texts for name in split_authors(text)[0])
    return set(filter(None, map(family_key, people)))


def same_venue(one: str, other: str) -> bool:
    """Tell whether two names mean one venue or tracks of one ("ACL Findings" and "ACL")."""
    if not one.strip() or not other.strip():
        return False
    if normal(one) == normal(other):
        return True
    resolve = VenueTable.curated().resolve
    series = [{split(venue)[0] for venue in resolve(name).ids} for name in (one, other)]
    return not series[0].isdisjoint(series[1])


def row_of(entry: Entry, answer: Prediction) -> dict[str, Any]:
    """Return the row of an entry in the released layout.

    Args:
        entry: with its true authors and venue.
        answer: the row of the run: what was recalled in `extra`, or ERROR with its kind.
    """
    failed = answer.label is Label.ERROR
    given = [] if failed else [str(name) for name in answer.extra["authors"]]
    venue = "" if failed else str(answer.extra["venue"])
    fields = entry.fields
    title = fields.get("title", "")
    true_venue = fields.get("booktitle") or fields.get("journal") or ""
    found = score(fields.get("author", ""), given, title)
    return {
        "bibtex_key": entry.bibtex_key,
        "year": fields.get("year", ""),
        "title": title,
        "true_authors": list(found.true),
        "true_venue": true_venue,
        "pred_authors_raw": given,
        "pred_authors_norm": list(found.given),
        "pred_venue": venue,
        "model_says_known": None if failed else bool(answer.extra["known"]),
        "author_jaccard": None if failed else round(found.jaccard, 4),
        "recalled": None if failed else int(found.recalled),
        "venue_match": None if failed else same_venue(venue, true_venue),
        "parse_status": str(answer.extra["error"]) if failed else ANSWERED,
        "error": answer.reason if failed else "",
        "elapsed_s": answer.seconds,
        "raw_response": answer.extra.get("reply", ""),
    }


def write(path: Path, entries: Sequence[Entry], answers: Sequence[Prediction]) -> None:
    """Write what was recalled of entries, given in the same order, where the replay reads it.

    Raises:
        OutputError: the file cannot be written.
    """
    write_jsonl(path, [row_of(*both) for both in zip(entries, answers, strict=True)])


def read(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file in the released layout.

    Raises:
        InputError: it cannot be read.
    """
    return [row for _, row in read_rows(path)]


def in_words(name: str, rows: Sequence[dict[str, Any]]) -> str:
    """Return what a model recalled as one line for people.

    Args:
        name: of the cell.
        rows: in the released layout.
    """
    answered = [row for row in rows if row["parse_status"] == ANSWERED]
    known = sum(bool(row["model_says_known"]) for row in answered)
    recalled = sum(row["recalled"] for row in answered)
    share = f"{recalled / len(answered):.1%}" if answered else "0/0"
    return (
        f"{name}: n {len(rows):,}, recalled {recalled:,} of {len(answered):,} answered ({share}), "
        f"said to be known {known:,}, ERROR {len(rows) - len(answered):,}."
    )
