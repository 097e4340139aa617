"""The local index of bibliographic records, itself a source."""

from hallmark.index.source import LocalIndex, open_index

__all__ = ["LocalIndex", "open_index"]
