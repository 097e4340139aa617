"""What LaTeX comes out as, and that nothing that people write can break the decoder."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.text.latex import symbols, to_unicode

PLAIN = st.text(
    st.characters(codec="utf-8", exclude_characters="\\{}$~-`'%", exclude_categories=("Cs", "Cn"))
)
LATEXY = st.lists(
    st.sampled_from(
        ["\\", "{", "}", "$", "~", "%", "\\'", '\\"', "\\c", "\\emph{", "\\frac", "\\v ", "\\i",
         "a", "é", " ", "--", "``", "''", "\\begin{x}", "\\href{", "[", "]", "\\unknown", "\n", "^"]
    ),
    max_size=60,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"Erd{\H o}s", "Erdős"),
        (r"Heged{\H{u}}s", "Hegedűs"),
        (r"K{\u a}rp{\u{a}}t{\c s}", "Kărpătş"),
        (r"\v{S}{\' u}rov{\' a}", "Šúrová"),
        (r"Wa{\l}{\k e}sa", "Wałęsa"),
        (r"{\AA}s", "Ås"),
        (r"Fran\c{c}ois {\c{C}}elik", "François Çelik"),
        (r"Lu{\'\i}sa {\o}rsted", "Luísa ørsted"),
        (r"Stra{\ss}er, Jo{\~a}o", "Straßer, João"),
        (r"\'Etude \`a na{\"\i}ve", "Étude à naïve"),
        (r"\L ukasz S{\o}ren \aa bo", "Łukasz Søren åbo"),
        (r"{\'{A}}d{\'a}m", "Ádám"),
        (r"I{\c{s}}{\i}k", "Işık"),
    ],
)
def test_accents_come_out_composed_however_they_are_braced(source: str, expected: str) -> None:
    assert to_unicode(source) == unicodedata.normalize("NFC", expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"{BERT}: {P}re-training", "BERT: Pre-training"),
        (r"Genome of \emph{Escherichia coli} {\textsc{k}-12}", "Genome of Escherichia coli k-12"),
        (r"{\it in vivo} and {\bf bold}", "in vivo and bold"),
        (r"50\% of R\&D \_ \#1 \$5", "50% of R&D _ #1 $5"),
        ("100% sure", "100% sure"),
        ("Chapter~3 of Knuth", "Chapter 3 of Knuth"),
        ("pages 1--10 --- all", "pages 1–10 — all"),
        ("``quoted'' words", "“quoted” words"),
        (r"{\noopsort{1973a}}1973", "1973"),
        (r"\href{https://example.org/a_b}{A \emph{page}}", "A page"),
        (r"\texorpdfstring{$\alpha$}{alpha}-stable", "alpha-stable"),
        (r"\LaTeX{} and \TeX", "LaTeX and TeX"),
        (r"co\-opera\-tion", "cooperation"),
        (r"\unknowncommand{kept} text", "kept text"),
        (r"\textasciitilde user", "~user"),
        (r"C\# and F\#", "C# and F#"),
    ],
)
def test_markup_goes_and_words_stay(source: str, expected: str) -> None:
    assert to_unicode(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"rate {$O\bigl(1/k^{2}\bigr)$}", "rate O(1/k^2)"),
        ("$$O(1/k^2)$$", "O(1/k^2)"),
        (r"$\mu$-lenses", "μ-lenses"),
        (r"$\ell_{1}$-norm", "ℓ_1-norm"),
        (r"$O(n \log n)$", "O(n log n)"),
        (r"$\frac{1}{2}$", "1/2"),
        (r"H$_2$O", "H_2O"),
        (r"{$\less$}p{$\greater$}", "<p>"),
        ("costs $5", "costs $5"),
    ],
)
def test_maths_stays_readable(source: str, expected: str) -> None:
    assert to_unicode(source) == expected


@given(PLAIN)
def test_text_without_markup_comes_back_as_it_is(text: str) -> None:
    assert to_unicode(text) == text


@given(LATEXY)
def test_no_input_breaks_the_decoder_or_leaves_commands(text: str) -> None:
    decoded = to_unicode(text)
    assert "\\emph" not in decoded
    assert "\\frac" not in decoded


@given(st.text(max_size=300))
def test_any_text_at_all_is_decoded(text: str) -> None:
    to_unicode(text)


@given(st.text(st.characters(categories=("Lu", "Ll")), min_size=1, max_size=20))
def test_braces_around_letters_change_nothing(word: str) -> None:
    assert to_unicode("{" + word + "}") == word


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000 + "x" + "}" * 100_000,
        r"\emph{" * 20_000,
        "\\'" * 200_000,
        r"\href{" * 50_000,
        r"\frac{" * 5_000,
        r"\cite[" * 50_000,
        "\\u" + " " * 200_000,
        "word " * 400_000 + "{",
    ],
    ids=["nested", "emph", "accents", "href", "frac", "cite", "blanks", "long"],
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    start = time.process_time()
    to_unicode(text)
    assert time.process_time() - start < 5


def test_symbols_stand_for_plain_signs() -> None:
    table = symbols()
    assert table["alpha"] == "α"
    assert table["ss"] == "ß"
    assert not any(mark in sign for sign in table.values() for mark in "\\{}$")
