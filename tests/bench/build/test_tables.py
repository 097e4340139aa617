"""Do rows come back from Parquet as they went in?"""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.build.tables import bare, parquet, rows_in, schema_of

texts = st.text(max_size=8)
fields = st.dictionaries(st.sampled_from(["title", "doi", "année"]), texts, max_size=3)
rows = st.lists(
    st.fixed_dictionaries(
        {"key": texts},
        optional={
            "fields": fields,
            "tier": st.one_of(st.none(), st.integers(1, 3)),
            "passes": st.fixed_dictionaries({"a": st.one_of(st.none(), st.booleans())}),
            "works": st.lists(texts, max_size=3),
            "share": st.floats(0, 1),
            "nothing": st.none(),
        },
    ),
    min_size=1,
    max_size=8,
)


@given(rows=rows)
def test_rows_come_back_as_they_went_in_but_for_nulls(rows: list[dict[str, Any]]) -> None:
    data = parquet(rows, schema_of(rows))
    assert data == parquet(rows, schema_of(rows))
    assert list(rows_in(data)) == [bare(row) for row in rows]


def test_a_schema_holds_the_keys_of_all_rows_in_order_of_first_use() -> None:
    schema = schema_of([{"b": 1}, {"a": [], "b": None}, {"c": {"y": "t"}}, {"c": {"x": True}}])
    assert schema.names == ["b", "a", "c"]
    assert str(schema.field("a").type) == "list<item: string>"
    assert str(schema.field("c").type) == "struct<y: string, x: bool>"
