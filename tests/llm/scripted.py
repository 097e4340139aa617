"""A model in memory for tests: it answers from a script and remembers what it was asked."""

import asyncio
from collections.abc import Callable, Iterable, Iterator

from hallmark.llm.interface import Failure, ModelSpec, Reply, Request, Stop, ToolCall, Trouble

Answer = Reply | Failure | Exception | str
"""A string is short for a reply of this text; an exception is raised."""
Script = Iterable[Answer] | Callable[[Request], Answer]

SPEC = ModelSpec(name="scripted", id="scripted-1", cutoff="2024-09", cutoff_disclosed=True)


class Scripted:
    """Answers one question after the other from a list, or each by a function of the question.

    Args:
        script: the answers in order, or a function; more questions than answers fail the test.
        spec: the row that the model pretends to be.
        delay_s: seconds that each answer takes.
    """

    def __init__(self, script: Script, *, spec: ModelSpec = SPEC, delay_s: float = 0.0) -> None:
        self._answer = script if callable(script) else _following(iter(script))
        self._spec = spec
        self._delay_s = delay_s
        self.asked: list[Request] = []
        self.under_way = 0
        self.most_at_once = 0

    @property
    def spec(self) -> ModelSpec:
        return self._spec

    async def ask(self, request: Request) -> Reply | Failure:
        self.asked.append(request)
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        try:
            await asyncio.sleep(self._delay_s)
            answer = self._answer(request)
        finally:
            self.under_way -= 1
        match answer:
            case Exception():
                raise answer
            case str():
                return Reply(text=answer, model=self._spec.id)
            case _:
                return answer


def _following(answers: Iterator[Answer]) -> Callable[[Request], Answer]:
    def answer(request: Request) -> Answer:
        try:
            return next(answers)
        except StopIteration:
            raise AssertionError("the model was asked more often than the script says") from None

    return answer


def tool_call(name: str, arguments: str, *, number: int = 1, text: str = "") -> Reply:
    """A reply that wishes for one tool; `arguments` is JSON text, or what pretends to be."""
    call = ToolCall(id=f"call_{number}", name=name, arguments=arguments)
    return Reply(text=text, calls=(call,), stop=Stop.TOOLS, model=SPEC.id)


def failure(trouble: Trouble = Trouble.SERVER, detail: str = "It failed (status 500).") -> Failure:
    return Failure(trouble, detail)
