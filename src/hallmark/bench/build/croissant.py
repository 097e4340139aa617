"""How does a release describe itself to programs (Croissant 1.0, with the fields of RAI 1.0)?

After docs.mlcommons.org/croissant, format specification 1.0 and RAI specification 1.0.
"""

import hashlib
import warnings
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from hallmark.bench.build.plan import Plan
from hallmark.errors import HallmarkError

if TYPE_CHECKING:
    import pyarrow as pa

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataBiases": "cr:dataBiases",
    "dataCollection": "cr:dataCollection",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "personalSensitiveInformation": "cr:personalSensitiveInformation",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
FORMATS = {".jsonl": "application/jsonlines", ".parquet": "application/x-parquet"}
"""Endings of data files with what they hold."""
_RAI = {
    "rai:dataCollection": "Drawn at random from a local index of bibliographic records; see the "
    "datasheet and the manifest for rules, counts and digests.",
    "rai:dataCollectionType": ["Secondary Data analysis", "Software Collection"],
    "rai:dataBiases": "Works follow the index: its venues, years, fields and languages.",
    "rai:dataLimitations": "Faults are made by rule; how often each occurs in papers is not shown.",
    "rai:dataUseCases": ["Testing"],
    "rai:personalSensitiveInformation": "Names of authors, as published with their works.",
    "rai:dataManipulationProtocol": "Perturbed by rule, screened against all records, written in "
    "citation styles, levelled so that form does not tell labels.",
}


def croissant(
    plan: Plan, files: Mapping[str, bytes], schemas: Mapping[str, "pa.Schema"]
) -> dict[str, Any]:
    """Return the description of a release.

    Every file of it that is published is listed; there is a record set for each Parquet file, and
    the JSON Lines beside it hold the same rows.

    Args:
        plan: the plan.
        files: its data files, by path inside the release.
        schemas: the schemas of those files that record sets are to describe.
    """
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.0",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": plan.name,
        "description": plan.description or f"The benchmark {plan.name}",
        "version": plan.version,
        "datePublished": plan.date,
        "license": f"https://spdx.org/licenses/{plan.licence}.html",
        "url": f"https://example.org/{plan.name}",
        "citeAs": f"{plan.name} {plan.version}",
        "isLiveDataset": False,
        **_RAI,
        "distribution": [_file(name, data) for name, data in files.items()],
        "recordSet": [_records(name, schema) for name, schema in schemas.items()],
    }


def _file(name: str, data: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(data)} B",
        "encodingFormat": FORMATS.get(PurePosixPath(name).suffix, "application/json"),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _records(name: str, schema: "pa.Schema") -> dict[str, Any]:
    set_name = str(PurePosixPath(name).with_suffix("")).replace("/", "-")
    return {
        "@type": "cr:RecordSet",
        "@id": set_name,
        "name": set_name,
        "field": [one for column in schema for one in _fields(set_name, name, column)],
    }


def _fields(set_name: str, file: str, column: "pa.Field") -> Iterator[dict[str, Any]]:
    """Yield the field of a column, or one for each part of an object in it."""
    import pyarrow as pa  # noqa: PLC0415 - bench extra

    if not pa.types.is_struct(column.type):
        yield _field(set_name, file, column.name, column.type)
        return
    for part in column.type:
        yield _field(set_name, file, column.name, part.type, part.name)


def _field(
    set_name: str, file: str, column: str, kind: "pa.DataType", part: str = ""
) -> dict[str, Any]:
    import pyarrow as pa  # noqa: PLC0415 - bench extra

    name = f"{set_name}/{column}/{part}" if part else f"{set_name}/{column}"
    source: dict[str, Any] = {"fileObject": {"@id": file}, "extract": {"column": column}}
    if part:
        source["transform"] = {"jsonPath": part}
    listed = pa.types.is_list(kind)
    return {
        "@type": "cr:Field",
        "@id": name,
        "name": name,
        "dataType": _data_type(kind.value_type if listed else kind),
        "source": source,
        **({"repeated": True} if listed else {}),
    }


def _data_type(kind: "pa.DataType") -> str:
    import pyarrow as pa  # noqa: PLC0415 - bench extra

    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(kind) else "sc:Text"


def validate(description: Mapping[str, Any]) -> None:
    """Let mlcroissant validate a description.

    Raises:
        HallmarkError: it is refused; the message is mlcroissant's.
        ModuleNotFoundError: mlcroissant (extra `bench`) is not installed.
    """
    with warnings.catch_warnings():
        # rdflib, beneath it, warns of its own deprecated parts: nothing that a user can mend.
        warnings.simplefilter("ignore", DeprecationWarning)
        _validate(dict(description))


def _validate(description: dict[str, Any]) -> None:
    import mlcroissant  # noqa: PLC0415 - takes seconds to load

    try:
        mlcroissant.Dataset(jsonld=description)
    except mlcroissant.ValidationError as error:
        raise HallmarkError(f"The Croissant description is refused: {error}") from None
