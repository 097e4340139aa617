"""Which citations is a model asked for, and what did it answer, word for word?

Every answer is kept as it came, with the digest of its prompt, the model that says it answered and
the date, so that the screen can be run again without any model. A run that stops goes on where it
was.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from time import monotonic

import msgspec
from msgspec import Struct

from hallmark._files import read_bytes
from hallmark.bench.build.generate.prompts import INVENTED, prompt, request
from hallmark.bench.build.sample import FEWEST_WORDS
from hallmark.bench.journal import Journal
from hallmark.bench.lines import printable
from hallmark.bench.perturb.drafts import entry_of, is_sound
from hallmark.bench.perturb.interface import Pool
from hallmark.bench.taxonomy import Doi, HallucinationType
from hallmark.errors import InputError
from hallmark.llm.interface import Failure, Model, Reply, Request
from hallmark.llm.loop import answered
from hallmark.records.work import Version
from hallmark.text import titles

TRIES = 400
"""Works that are drawn to find one that a type can be made of."""


class Wish(Struct, frozen=True):
    """What a run is to ask for; `n` citations of each type and venue."""

    types: tuple[HallucinationType, ...]
    venues: tuple[str, ...]
    years: tuple[int, int]
    n: int
    seed: int


class Run(Struct, frozen=True, kw_only=True):
    """What makes two runs the same: the first line of the file of raw answers."""

    wish: Wish
    model: str
    id: str
    prompts: str
    index: str


class Job(Struct, frozen=True):
    """One citation to ask for; `record` is the real work that is to be changed."""

    number: int
    type: HallucinationType
    venue: str
    record: Version | None = None


class Raw(Struct, frozen=True, kw_only=True):
    """One answer as it came.

    `prompt` is the digest of all that was sent, `version` that of the prompt's words; `model` is
    the id that the service reports, `date` the day of the answer.
    """

    job: Job
    prompt: str
    version: str
    model: str
    date: str
    text: str
    stop: str
    input_tokens: int
    output_tokens: int


def run_of(wish: Wish, model: str, model_id: str, index: str) -> Run:
    """Return the identity of a run; `index` is the digest of the index."""
    words = [msgspec.json.encode(prompt(kind)) for kind in wish.types]
    digest = hashlib.sha256(b"\n".join(words)).hexdigest()
    return Run(wish=wish, model=model, id=model_id, prompts=digest, index=index)


def jobs(wish: Wish, pool: Pool) -> list[Job]:
    """Return what is to be asked for; records are drawn from the pool, each once.

    Raises:
        InputError: the pool holds too few fitting works of a venue.
    """
    rng = Random(f"{wish.seed}/generate")
    found: list[Job] = []
    spent: set[str] = set()
    for kind in wish.types:
        for venue in wish.venues:
            for _ in range(wish.n):
                record = _drawn(kind, venue, wish.years, pool, rng, spent)
                found.append(Job(len(found) + 1, kind, venue, record))
    return found


def _drawn(
    kind: HallucinationType,
    venue: str,
    years: tuple[int, int],
    pool: Pool,
    rng: Random,
    spent: set[str],
) -> Version | None:
    if not INVENTED[kind]:
        return None
    ids = pool.venues.resolve(venue).ids
    for _ in range(TRIES if ids else 0):
        year = rng.randint(*years)
        record = pool.draw(rng, ids[0], year)
        key = titles.key(record.title) if record else ""
        if record and key not in spent and _fits(record, kind):
            spent.add(key)
            return record
    raise InputError(
        f"The index holds too few works of {printable(venue)} in {years[0]} to {years[1]} for "
        f"{kind}. Ask for fewer, or name a venue as `hallmark index coverage` does."
    )


def _fits(record: Version, kind: HallucinationType) -> bool:
    whole = is_sound(record) and not record.authors_truncated and not record.retracted
    named = len(titles.words(record.title)) >= FEWEST_WORDS and not record.preprint
    return whole and named and (kind.info.doi is not Doi.ALWAYS or record.doi is not None)


def collect(
    wanted: Sequence[Job],
    wish: Wish,
    model: Model,
    journal: Journal[Raw],
    today: str,
    step: Callable[[], None] = lambda: None,
) -> list[Raw]:
    """Ask for what was not answered yet; return all answers, in order.

    Args:
        wanted: the jobs of the run.
        wish: what the run asks for.
        model: what is asked.
        journal: the answers so far; new ones are added one by one.
        today: the date, "2026-12-02".
        step: called after each answer.

    Raises:
        ModelStopped: nothing more may be asked; what was answered is kept.
    """
    done = {row.job.number for row in journal.rows}
    open_ = [(job, question(job, wish)) for job in wanted if job.number not in done]

    async def ask(item: tuple[Job, Request]) -> Raw | Failure:
        outcome = await model.ask(item[1])
        return outcome if isinstance(outcome, Failure) else _raw(*item, outcome, today)

    failed: Callable[[Raw | Failure], bool] = lambda one: isinstance(one, Failure)  # noqa: E731
    with closing(answered(ask, open_, model.spec.at_once, failed=failed)) as rows:
        for row in rows:
            if isinstance(row, Raw):
                journal.append(row)
            step()
    return sorted(journal.rows, key=lambda row: row.job.number)


def question(job: Job, wish: Wish) -> Request:
    """Return what a model is asked for a job."""
    return request(
        job.type,
        venue=job.venue,
        years=wish.years,
        number=job.number,
        record=entry_of(job.record, "key") if job.record else None,
        seed=wish.seed,
    )


def _raw(job: Job, asked: Request, reply: Reply, today: str) -> Raw:
    return Raw(
        job=job,
        prompt=hashlib.sha256(msgspec.json.encode(asked)).hexdigest(),
        version=prompt(job.type).version,
        model=reply.model,
        date=today,
        text=reply.text,
        stop=str(reply.stop),
        input_tokens=reply.usage.input,
        output_tokens=reply.usage.output,
    )


def read_raw(path: Path) -> tuple[Run, list[Raw]]:
    """Read a file of raw answers, to screen them again.

    Raises:
        InputError: it cannot be read, or is no such file.
    """
    where = printable(path, 300)
    try:
        head, *rest = read_bytes(path).splitlines()
        run = msgspec.json.decode(head, type=Run)
        rows = [msgspec.json.decode(line, type=Raw) for line in rest if line.strip()]
    except OSError as error:
        raise InputError(f"{where} cannot be read: {error.strerror}.") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise InputError(f"{where} holds no raw answers ({printable(error, 200)}).") from None
    return run, rows


def answered_in(path: Path, run: Run) -> set[int]:
    """Return the numbers of the jobs that a file of raw answers holds already; changes nothing.

    Raises:
        InputError: it cannot be read, or holds the answers of another run.
    """
    if not path.exists():
        return set()
    held, rows = read_raw(path)
    if held != run:
        raise InputError(
            f"{printable(path, 300)} holds the answers of another run (of "
            f"{printable(held.model)}). Add --fresh to forget them, or choose another --out."
        )
    return {row.job.number for row in rows}


def journal_of(path: Path, run: Run) -> Journal[Raw]:
    """Open the file of raw answers; see `Journal` for the errors."""
    return Journal(path, run, monotonic, Raw)
