"""Do policy files give the policies that they say, and is everything else refused with a reason?"""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.cli.policy import as_toml
from hallmark.errors import InputError, UnknownName
from hallmark.judge import policy as judge_policy
from hallmark.judge.codes import CODES
from hallmark.judge.policy import DEFAULT, Policy
from hallmark.judge.profiles import (
    DEEPEST,
    LARGEST,
    NAMES,
    SETTINGS,
    SILENT,
    digest,
    load,
    policy_of,
    shipped,
)
from hallmark.records.finding import Severity
from hallmark.study.policies_guide import EXAMPLE

VALID = 'version = 1\ndescription = "Ours."\n'


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> str:
    """What is said of a file with this text; the file is always named."""
    path = put(folder, "ours.toml", text)
    with pytest.raises(InputError) as told:
        policy_of(str(path))
    assert str(told.value).startswith(str(path))
    return str(told.value).removeprefix(str(path))


def test_the_file_and_the_code_agree_on_the_default() -> None:
    assert policy_of("default") == DEFAULT == Policy(name="default")
    assert {one.key for one in load("default").choices} == set(SETTINGS)


def test_strict_is_what_its_file_says() -> None:
    assert (
        shipped().get("strict")
        == policy_of("strict")
        == Policy(
            name="strict",
            spelling_is_conflict=True,
            hyphen_is_conflict=True,
            spacing_is_conflict=True,
            off_by_one_is_conflict=True,
            attesting_collections=1,
            preprint_people=2.0,
        )
    )


def test_every_setting_of_a_policy_can_stand_in_a_file() -> None:
    assert {*SETTINGS, "name", "ignored", "severities"} == set(Policy.__struct_fields__)


def test_the_module_of_the_struct_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="LENIENT"):
        getattr(judge_policy, "LENIENT")  # noqa: B009 - the type checker knows that there is none


@pytest.mark.parametrize("name", NAMES)
def test_every_packaged_policy_says_what_it_is_for_and_why(name: str) -> None:
    profile = load(name)
    assert profile.description.endswith(".")
    assert profile.policy.name == name
    assert all(len(one.reason) > 10 for one in profile.choices), "a value without its reason"
    assert bool(profile.changed) == (name != "default")
    assert profile.lineage == (() if name == "default" else ("default",))


def test_a_file_changes_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    path = put(tmp_path, "ours.toml", VALID + "# Tall.\nfuture_years = 3\n")
    profile = load(str(path))
    assert profile.policy == structs.replace(DEFAULT, name="ours", future_years=3)
    (changed,) = profile.changed
    assert (changed.key, changed.reason, changed.policy) == ("future_years", "Tall.", "ours")


def test_a_file_is_found_by_its_name_alone(tmp_path: Path) -> None:
    put(tmp_path, "ours.toml", VALID)
    assert policy_of("ours", tmp_path).name == "ours"


def test_files_extend_one_another_and_the_nearest_wins(tmp_path: Path) -> None:
    put(
        tmp_path,
        "house.toml",
        'version = 1\nextends = "venue-audit"\nfuture_years = 4\nyears_before = 3\n'
        '[findings]\nHM106 = "ignored"\nHM305 = "problem"\nHM603 = "warning"\n',
    )
    path = put(
        tmp_path,
        "room.toml",
        'version = 1\nextends = "house"\nfuture_years = 5\n'
        '[findings]\nHM106 = "usual"\nHM603 = "note"\nHM507 = "ignored"\n',
    )
    profile = load(str(path))
    assert profile.lineage == ("house", "venue-audit", "default")
    assert profile.policy.future_years == 5
    assert profile.policy.years_before == 3
    assert profile.policy.attesting_authors == policy_of("venue-audit").attesting_authors
    assert profile.policy.ignored == {"HM507"}
    wanted = {**policy_of("venue-audit").severities}
    wanted |= {"HM305": Severity.PROBLEM, "HM603": Severity.NOTE}
    assert profile.policy.severities == wanted


def test_a_packaged_name_is_never_taken_by_a_file_nearby(tmp_path: Path) -> None:
    path = put(tmp_path, "strict.toml", VALID + "future_years = 9\n")
    assert policy_of("strict", tmp_path) == shipped().get("strict")
    with pytest.raises(InputError, match="called like the policy `strict`"):
        policy_of(str(path))


def test_a_byte_order_mark_and_windows_lines_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(b"\xef\xbb\xbfversion = 1\r\n# Why.\r\nfuture_years = 2\r\n")
    assert load(str(path)).changed[0].reason == "Why."


def test_the_example_of_the_page_is_a_policy(tmp_path: Path) -> None:
    policy = policy_of(str(put(tmp_path, "ours.toml", EXAMPLE)))
    assert policy.severities["HM305"] is Severity.PROBLEM
    assert "HM505" in policy_of("venue-audit").severities
    assert "HM505" not in policy.severities


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "`version` is missing"),
        ("version = 2", "`version` is 2; this version of the program reads policies of version 1"),
        ("version = true", "`version` is true"),
        ('version = "1"', "`version` is '1'"),
        (
            "version = 1\nfuture_yeers = 1",
            "no setting `future_yeers`. Did you mean `future_years`?",
        ),
        ("version = 1\nqqq = 1", "no setting `qqq`. See: hallmark policy show default"),
        ('version = 1\nname = "x"', "no setting `name`"),
        ('version = 1\nignored = ["HM101"]', "no setting `ignored`"),
        (
            "version = 1\nfuture_years = -1",
            "`future_years` is -1; it must be a whole number from 0",
        ),
        ("version = 1\nfuture_years = true", "`future_years` is true; it must be a whole number"),
        ("version = 1\nfuture_years = 1.0", "`future_years` is 1.0; it must be a whole number"),
        ('version = 1\nfuture_years = "1"', "`future_years` is '1'; it must be a whole number"),
        ("version = 1\nweak_conflicts = 1", "it must be a whole number from 2 to 9"),
        ("version = 1\nattesting_authors = 0", "it must be a whole number from 1 to 9"),
        ("version = 1\nleast_probability = 1.5", "1.5; it must be a number from 0 to 1"),
        ("version = 1\nleast_probability = nan", "nan; it must be a number from 0 to 1"),
        ("version = 1\nmissing_doi = 1", "`missing_doi` is 1; it must be true or false"),
        ("version = 1\nmissing_doi = 1979-05-27", "it must be true or false"),
        ("version = 1\nyears_before = [1, 2]", "`years_before` is [1, 2]; it must be"),
        ("version = 1\ndescription = 3", "`description` is 3; it must be a text in quotes"),
        ("version = 1\nextends = 3", "`extends` is 3; it must be a text in quotes"),
        ("version = 1\nfindings = 3", "`findings` is 3; it must be a table"),
        ('version = 1\n[findings]\nHM603x = "note"', "no finding `HM603x`. Did you mean `HM603`?"),
        (
            "version = 1\nprevalence = 0.0",
            "0.0; it must be a number between 0 and 1, neither of them",
        ),
        ("version = 1\nprevalence = 1", "1; it must be a number between 0 and 1, neither of them"),
        ('version = 1\n[findings]\nHM999 = "note"', "no finding `HM999`. See docs/findings.md."),
        ('version = 1\n[findings]\nhm602 = "note"', "no finding `hm602`. Did you mean `HM602`?"),
        ('version = 1\n[findings]\nx = "note"', "no finding `x`. See docs/findings.md."),
        ('version = 1\n[findings]\nHM602 = "notes"', "is 'notes'; it must be one of problem, "),
        ('version = 1\n[findings]\nHM602 = "notes"', "Did you mean `note`?"),
        ("version = 1\n[findings]\nHM602 = 1", "`findings.HM602` is 1; it must be one of"),
        ("version = 1\n[findings]\nHM602 = []", "`findings.HM602` is []; it must be one of"),
        ("version = ", "is no TOML: Invalid value (at"),
        ("version = 1\nversion = 1", "is no TOML: Cannot overwrite"),
        ("x = " + "[" * 5000, "is no TOML"),
        ("x = " + "9" * 5000, "is no TOML"),
    ],
)
def test_a_file_that_is_not_valid_is_refused_with_its_key(
    text: str, said: str, tmp_path: Path
) -> None:
    assert said in refused(tmp_path, text)


@pytest.mark.parametrize("code", sorted(SILENT))
def test_what_accuses_nobody_cannot_be_made_a_problem(code: str, tmp_path: Path) -> None:
    assert code in CODES
    told = refused(tmp_path, f'version = 1\n[findings]\n{code} = "problem"')
    assert f"`findings.{code}` cannot be a problem" in told


def test_long_values_are_cut_in_messages(tmp_path: Path) -> None:
    told = refused(tmp_path, f'version = 1\nfuture_years = "{"x" * 9000}"')
    assert len(told) < 200


def test_text_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(b"version = 1 # \xff")
    with pytest.raises(InputError, match="is no TOML"):
        policy_of(str(path))


def test_a_file_that_is_too_large_or_none_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path, "ours.toml", VALID + "#" * LARGEST)
    with pytest.raises(InputError, match="larger than 20,000 bytes"):
        policy_of(str(path))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match="is no file"):
        policy_of("folder.toml", tmp_path)
    with pytest.raises(InputError, match="cannot be read: No such file"):
        policy_of("nowhere.toml", tmp_path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("strickt", "Did you mean `strict`?"),
        ("audit-venue", "There is no policy named `audit-venue`"),
        ("zzz", "Known: default, strict, author, reviewer, venue-audit."),
        ("", "needs a name or a file"),
        ("a\0b", "needs a name or a file"),
        ("x" * 5000, "There is no policy named `xxx"),
    ],
)
def test_an_unknown_name_is_answered_with_the_known_ones(
    name: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(UnknownName) as told:
        policy_of(name, tmp_path)
    assert said in str(told.value)
    assert len(str(told.value)) < 300


def test_an_unknown_name_that_is_extended_is_told_with_the_file(tmp_path: Path) -> None:
    path = put(tmp_path, "ours.toml", 'version = 1\nextends = "strikt"')
    with pytest.raises(UnknownName) as told:
        policy_of(str(path))
    assert str(told.value).startswith(f"{path}: `extends`: There is no policy named `strikt`.")


def test_policies_that_extend_one_another_in_a_circle_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "a.toml", 'version = 1\nextends = "b"')
    put(tmp_path, "b.toml", 'version = 1\nextends = "a.toml"')
    with pytest.raises(InputError, match="in a circle") as told:
        policy_of("a", tmp_path)
    assert str(told.value).count("a.toml") == 2
    put(tmp_path, "self.toml", 'version = 1\nextends = "self"')
    with pytest.raises(InputError, match="in a circle"):
        policy_of("self", tmp_path)


def test_a_circle_that_changes_its_spelling_ends_too(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    put(tmp_path, "a.toml", 'version = 1\nextends = "sub/../a.toml"')
    with pytest.raises(InputError, match=r"in a circle|through more than"):
        policy_of("a", tmp_path)


def test_no_more_than_a_few_files_extend_one_another(tmp_path: Path) -> None:
    for number in range(DEEPEST + 1):
        put(tmp_path, f"p{number}.toml", f'version = 1\nextends = "p{number + 1}"')
    put(tmp_path, f"p{DEEPEST + 1}.toml", VALID)
    with pytest.raises(InputError, match=r"p0.toml: `extends` leads through more than 8 files"):
        policy_of("p0", tmp_path)
    assert policy_of("p4", tmp_path).name == "p4"


def test_equal_values_have_one_digest_whatever_the_name(tmp_path: Path) -> None:
    path = put(tmp_path, "ours.toml", 'version = 1\nextends = "strict"')
    assert digest(policy_of(str(path))) == digest(shipped().get("strict"))
    assert len({digest(policy) for _, policy in shipped().items()}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_loads_as_the_same_policy(name: str, tmp_path: Path) -> None:
    for changed_only in (False, True):
        text = as_toml(load(name), changed_only=changed_only)
        path = put(tmp_path, "ours.toml", text)
        again = load(str(path))
        assert digest(again.policy) == digest(policy_of(name))
        assert again.description == load(name).description
        reasons = {one.key: one.reason for one in load(name).changed}
        assert {one.key: one.reason for one in again.changed} == reasons


codes = st.sampled_from(sorted(set(CODES) - SILENT))
weights = st.sampled_from(["problem", "warning", "note", "ignored", "usual"])


@given(
    future_years=st.integers(0, 50),
    least_probability=st.floats(0, 1),
    missing_doi=st.booleans(),
    findings=st.dictionaries(codes, weights),
    description=st.text(
        st.characters(exclude_categories=["C"], exclude_characters='"\\\u2028\u2029')
    ),
)
def test_any_valid_file_survives_being_shown(
    tmp_path_factory: pytest.TempPathFactory,
    future_years: int,
    least_probability: float,
    missing_doi: bool,
    findings: dict[str, str],
    description: str,
) -> None:
    text = (
        f'version = 1\ndescription = "{description}"\nfuture_years = {future_years}\n'
        f"least_probability = {least_probability!r}\nmissing_doi = {str(missing_doi).lower()}\n"
        "[findings]\n" + "".join(f'{code} = "{one}"\n' for code, one in findings.items())
    )
    folder = tmp_path_factory.mktemp("policies", numbered=True)
    first = load(str(put(folder, "one.toml", text)))
    again = load(str(put(folder, "two.toml", as_toml(first))))
    assert digest(first.policy) == digest(again.policy)
    assert math.isclose(first.policy.least_probability, least_probability)
    assert first.policy.ignored == {code for code, one in findings.items() if one == "ignored"}
