"""How is a recipe followed, to its end or from where it was left?

Pages and outcomes are written to a journal as they come, so that a run that was stopped goes on
where it was. The works of a list are tried in an order that the recipe's seed draws, in rounds of
a few dozen, until as many are kept as were asked for.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from hallmark.bench.build.sample import Rules
from hallmark.bench.build.scrape.attest import (
    OPEN,
    Attester,
    Excluded,
    Kept,
    Outcome,
    Unanswered,
)
from hallmark.bench.build.scrape.listing import FURTHEST, LISTERS, Page, Part, parts_of
from hallmark.bench.build.scrape.recipe import Recipe, name_of
from hallmark.bench.journal import Journal
from hallmark.bench.lines import printable
from hallmark.errors import InputError
from hallmark.records.answer import Unavailable
from hallmark.records.work import Version
from hallmark.sources.interface import Ask, LiveSource
from hallmark.text import titles
from hallmark.text.venues import VenueTable

ROUND = 40
"""Works that are asked about together: batches of the registries hold 100 DOIs."""
NO_LIST = "a list that could not be had"


class Following(Struct, frozen=True, kw_only=True):
    """What makes two runs of a recipe the same: the recipe's digest and the program's version."""

    recipe: str
    version: str


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the journal: a page of a question, or what came of one work."""

    part: int
    start: int = -1
    page: Page | None = None
    key: str = ""
    outcome: Kept | Excluded | None = None


class Scraped(Struct, frozen=True):
    """What came of a recipe.

    `kept` are the works of all lists; `counts` says by list how many were kept, and how many left
    out for which reason; `open` is the number of works and pages that another run can ask about.
    """

    kept: tuple[tuple[int, Kept], ...]
    counts: Mapping[str, Mapping[str, int]]
    open: int


class Asking(Struct, frozen=True):
    """Who is asked and how: the sources by name, and what sends a request."""

    sources: Mapping[str, LiveSource]
    ask: Ask
    venues: VenueTable


async def follow(
    recipe: Recipe,
    asking: Asking,
    journal: Journal[Step],
    tell: Callable[[int, int], None] | None = None,
) -> Scraped:
    """Follow a recipe.

    Args:
        recipe: the recipe.
        asking: who is asked and how.
        journal: what is known from earlier sittings; takes every page and outcome.
        tell: called with the number of works kept, and of works tried.
    """
    return await _Run(recipe, asking, journal, tell).run()


class _Run:
    """One sitting over a recipe."""

    def __init__(
        self,
        recipe: Recipe,
        asking: Asking,
        journal: Journal[Step],
        tell: Callable[[int, int], None] | None,
    ) -> None:
        self._recipe, self._asking, self._journal = recipe, asking, journal
        self._tell = tell or (lambda _kept, _tried: None)
        rules = Rules(recipe.attested, recipe.years, frozenset(recipe.kinds))
        self._attester = Attester(asking.sources, recipe.confirm, rules, asking.venues, asking.ask)
        self._pages = {
            (step.part, step.start): step.page for step in journal.rows if step.page is not None
        }
        self._known = {step.key: step.outcome for step in journal.rows if step.outcome is not None}
        self._seen: set[str] = set()
        self._kept: list[tuple[int, Kept]] = []
        self._counts: dict[int, Counter[str]] = {}
        self._open = 0

    async def run(self) -> Scraped:
        parts = list(enumerate(parts_of(self._recipe)))
        for number, listing in enumerate(self._recipe.lists):
            self._counts[number] = Counter()
            listed: list[tuple[int, Version]] = []
            for place, part in parts:
                if part.number == number:
                    listed += [(place, one) for one in await self._listed(place, part)]
            Random(f"{self._recipe.seed}/{number}").shuffle(listed)
            await self._try(number, listed, listing.most)
        names = [f"{n + 1}: {name_of(self._recipe.lists[n])}" for n in self._counts]
        counts = {
            name: dict(sorted(found.items()))
            for name, found in zip(names, self._counts.values(), strict=True)
        }
        return Scraped(tuple(self._kept), counts, self._open)

    async def _listed(self, place: int, part: Part) -> list[Version]:
        """Return all works of a question, page by page."""
        found: list[Version] = []
        start: int | None = 0
        while start is not None and start < FURTHEST:
            page = await self._page(place, part, start)
            if isinstance(page, Unavailable):
                self._counts[part.number][f"{NO_LIST}: {page.reason}"] += 1
                self._open += 1
                break
            found += page.versions
            start = page.following
        return found

    async def _page(self, place: int, part: Part, start: int) -> Page | Unavailable:
        held = self._pages.get((place, start))
        if held is not None:
            return held
        source = self._asking.sources.get(part.listing.source)
        if source is None:
            return Unavailable(f"{part.listing.source} cannot be asked.")
        page = await LISTERS[part.listing.source](part, start, source.spec, self._asking.ask)
        if isinstance(page, Page):
            self._journal.append(Step(part=place, start=start, page=page))
        return page

    async def _try(self, number: int, listed: Sequence[tuple[int, Version]], most: int) -> None:
        """Try the works of a list until enough are kept."""
        counts = self._counts[number]
        waiting = iter(list(self._worthwhile(number, listed)))
        while counts["kept"] < most:
            wanted = min(ROUND, 2 * (most - counts["kept"]) + 2)
            batch = [one for one, _ in zip(waiting, range(wanted), strict=False)]
            if not batch:
                return
            for outcome in await self._outcomes(batch):
                self._count(number, outcome, most)
            self._tell(len(self._kept), sum(map(Counter.total, self._counts.values())))

    def _worthwhile(
        self, number: int, listed: Sequence[tuple[int, Version]]
    ) -> Iterator[tuple[int, Version]]:
        """Yield the works that may be asked about, each title once; counts the others."""
        for place, one in listed:
            key = titles.key(one.title)
            refusal = "listed twice" if key in self._seen else self._attester.refusal(one)
            self._seen.add(key)
            if refusal:
                self._counts[number][refusal] += 1
            else:
                yield place, one

    async def _outcomes(self, batch: Sequence[tuple[int, Version]]) -> list[Outcome]:
        """Return what came of works: from the journal, or by asking."""
        keys = [titles.key(one.title) for _, one in batch]
        fresh = [(pair, key) for pair, key in zip(batch, keys, strict=True)
                 if key not in self._known]  # fmt: skip
        judged = await self._attester.judge([one for (_, one), _ in fresh])
        found: dict[str, Outcome] = {key: self._known[key] for key in keys if key in self._known}
        for ((place, _), key), outcome in zip(fresh, judged, strict=True):
            found[key] = outcome
            if not isinstance(outcome, Unanswered):
                self._journal.append(Step(part=place, key=key, outcome=outcome))
        return [found[key] for key in keys]

    def _count(self, number: int, outcome: Outcome, most: int) -> None:
        counts = self._counts[number]
        match outcome:
            case Kept():
                if counts["kept"] < most:
                    counts["kept"] += 1
                    self._kept.append((number, outcome))
            case Excluded(reason=reason):
                counts[reason] += 1
            case Unanswered():
                counts[OPEN] += 1
                self._open += 1


def journal_of(out: Path) -> Path:
    """Return where the unfinished run of an output file is kept."""
    return out.with_name(out.name + ".journal")


def refuse_finished(out: Path) -> None:
    """Raise InputError where a file is there that no unfinished run belongs to."""
    if out.exists() and not journal_of(out).exists():
        raise InputError(
            f"{printable(out, 300)} is there already; add --fresh to make it anew, or name another."
        )
