"""Is a listed work what its source says, by the word of others?

As in the paper (appendix A.3): its DOI must be held by its registry, and its title by another
source; then sources must agree on title, authors, venue and year by the rule of `sample.agree`.
The registry's record of a preprint is its server's own deposit, and no second witness. What a
source leaves unanswered is no reason against a work: it stays open for another run.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hallmark.bench.build.sample import Refused, Rules, admit, attesting
from hallmark.index.prepare import resolved
from hallmark.records.answer import Absent, Answer, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.interface import Ask, LiveSource, Way
from hallmark.text import titles
from hallmark.text.identifiers import arxiv_of_doi
from hallmark.text.names import parse_name
from hallmark.text.venues import VenueTable

UNREGISTERED = "its DOI is not held by its registry"
FOREIGN = "its DOI is that of another work"
ALONE = "no other source holds its title"
DISPUTED = "too few sources agree on title, authors, venue and year"
OPEN = "not all sources answered"


class Kept(Struct, frozen=True, tag="kept"):
    """A work to keep: its record first, then those that agree with it."""

    versions: tuple[Version, ...]


class Excluded(Struct, frozen=True, tag="excluded"):
    """A work that is left out, and why, in few words, countable."""

    reason: str


class Unanswered(Struct, frozen=True, tag="unanswered"):
    """A work of which nothing can be said, because a source did not answer."""


Outcome = Kept | Excluded | Unanswered


class _Case:
    """What is known of one listed work so far."""

    def __init__(self, listed: Version, venues: VenueTable) -> None:
        self.listed = listed
        self.others: list[Version] = []
        self.fault = ""
        self.silent = False
        self._venues = venues

    @property
    def question(self) -> Question:
        """What sources are asked about it."""
        one = self.listed
        people = tuple(map(parse_name, one.authors))
        return Question(title=one.title, authors=people, year=one.year, doi=one.doi)

    @property
    def witnesses(self) -> tuple[str, ...]:
        """The sources that agree, its own included."""
        return attesting(self.listed, (self.listed, *self.others))

    def registered(self, answer: Answer) -> None:
        """Learn what the registry of its DOI says."""
        match answer:
            case Found(versions=versions):
                held = [resolved(one, self._venues) for one in versions]
                if not any(_same_title(self.listed, one) for one in held):
                    self.fault = FOREIGN
                if not self.listed.preprint:
                    self.others += held
            case Unavailable():
                self.silent = True
            case _:
                self.fault = UNREGISTERED

    def searched(self, answer: Answer) -> None:
        """Learn what a source found under its title."""
        match answer:
            case Found(versions=versions):
                self.others += [resolved(one, self._venues) for one in versions]
            case Unavailable():
                self.silent = True
            case _:
                return

    def outcome(self, attested: int) -> Outcome:
        """Return what follows from what is known."""
        if self.fault:
            return Excluded(self.fault)
        same = [one for one in self.others if _same_title(self.listed, one)]
        elsewhere = any(one.collection != self.listed.collection for one in same)
        if elsewhere and len(self.witnesses) >= attested:
            agreeing = _agreeing(self.listed, same, self.witnesses)
            return Kept((self.listed, *agreeing))
        if self.silent:
            return Unanswered()
        return Excluded(DISPUTED if elsewhere else ALONE)


def _same_title(one: Version, other: Version) -> bool:
    keys = {titles.key(title) for title in (other.title, *other.title_others)}
    return titles.key(one.title) in keys


def _agreeing(
    listed: Version, others: Sequence[Version], witnesses: Sequence[str]
) -> tuple[Version, ...]:
    """Return one record of each further source that agrees."""
    found: dict[str, Version] = {}
    for one in others:
        if one.collection in witnesses and attesting(listed, (one,)):
            found.setdefault(one.collection, one)
    found.pop(listed.collection, None)
    return tuple(found.values())


class Attester:
    """Asks sources about listed works.

    Args:
        sources: who may be asked, by name.
        confirm: who is asked for titles, in order.
        rules: what a work must be like, and how many sources must agree.
        venues: what names of venues mean.
        ask: sends a request.
    """

    def __init__(
        self,
        sources: Mapping[str, LiveSource],
        confirm: Sequence[str],
        rules: Rules,
        venues: VenueTable,
        ask: Ask,
    ) -> None:
        self._sources, self._confirm = sources, [one for one in confirm if one in sources]
        self._rules, self._venues, self._ask = rules, venues, ask

    def refusal(self, listed: Version) -> str:
        """Return why a work is not even asked about, "" where it is."""
        alone = Rules(1, self._rules.years, self._rules.kinds)
        found = admit((resolved(listed, self._venues),), alone)
        return found.reason if isinstance(found, Refused) else ""

    async def judge(self, listed: Sequence[Version]) -> list[Outcome]:
        """Return the outcomes of works, in order; DOIs of all go out together."""
        cases = [_Case(resolved(one, self._venues), self._venues) for one in listed]
        await self._by_doi(cases)
        for name in self._confirm:
            await self._by_title(name, [case for case in cases if self._is_open(case, name)])
        return [case.outcome(self._rules.attested) for case in cases]

    def _is_open(self, case: _Case, name: str) -> bool:
        undecided = not isinstance(case.outcome(self._rules.attested), Kept)
        barred = {case.listed.collection, _registry(case.listed) if case.listed.preprint else ""}
        return undecided and not case.fault and name not in barred

    async def _by_doi(self, cases: Sequence[_Case]) -> None:
        """Ask the registries: DataCite mints the DOIs of arXiv, Crossref those of publishers."""
        for registry in ("crossref", "datacite"):
            asked = [case for case in cases if _registry(case.listed) == registry]
            answers = await self._answers(registry, Way.DOI, asked)
            for case, answer in zip(asked, answers, strict=True):
                case.registered(answer)

    async def _by_title(self, name: str, cases: Sequence[_Case]) -> None:
        answers = await self._answers(name, Way.TITLE, cases)
        for case, answer in zip(cases, answers, strict=True):
            case.searched(answer)

    async def _answers(self, name: str, way: Way, cases: Sequence[_Case]) -> list[Answer]:
        if not cases:
            return []
        source = self._sources.get(name)
        if source is None:
            return [Unavailable(f"{name} cannot be asked.")] * len(cases)
        if way not in source.spec.ways:
            return [Absent(searched=())] * len(cases)
        return await source.look_up(way, [case.question for case in cases], self._ask)


def _registry(version: Version) -> str:
    if version.doi is None:
        return ""
    return "datacite" if arxiv_of_doi(version.doi) else "crossref"
