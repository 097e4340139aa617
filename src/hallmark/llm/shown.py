"""How does a question look to the person whose data it holds?"""

from collections.abc import Iterator

import msgspec

from hallmark.llm.interface import Assistant, ModelSpec, Request, ToolResult, User


def lines(request: Request, spec: ModelSpec) -> Iterator[str]:
    """Yield a question whole, as lines: every part that is sent, under a line that names it.

    Args:
        request: the question.
        spec: whom it is for: the form of the answer is sent only where the row says so.
    """
    if request.system:
        yield "--- system ---"
        yield from request.system.strip("\n").split("\n")
    for message in request.messages:
        yield f"--- {_role(message)} ---"
        yield from message.text.strip("\n").split("\n")
    for tool in request.tools:
        yield f"--- tool {tool.name} ---"
        yield from _json(tool)
    if request.schema is not None and spec.structured == "schema":
        yield "--- form of the answer ---"
        yield from _json(request.schema)


def _role(message: User | Assistant | ToolResult) -> str:
    match message:
        case User():
            return "user"
        case Assistant():
            return "assistant"
        case ToolResult(name=name):
            return f"result of {name}"


def _json(value: object) -> list[str]:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode().split("\n")
