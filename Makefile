# Two commands do all on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INDEX := .hallmark/starter
STAMP := $(VENV)/.installed
PLAYED := $(addprefix ../tests/fixtures/paper/,dblp.jsonl acl.jsonl arxiv.jsonl)

.DEFAULT_GOAL := help
.PHONY: help demo demo-online test check format docs readme clean

help:  ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Hallmark needs Python 3.11 or newer; try: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(INDEX): | $(STAMP)
	$(BIN)/hallmark index build --out $(INDEX) starter

demo: $(STAMP) $(INDEX)  ## Set up, build the starter index and check examples/paper.bib
	@$(BIN)/hallmark check examples/paper.bib --index $(INDEX); code=$$?; [ $$code -le 1 ] || exit $$code

demo-online: $(STAMP)  ## Check examples/paper.bib by asking services, which this machine plays
	@cd examples && PYTHONPATH=.. ../$(BIN)/python -m tests.fakeworld --records $(PLAYED) -- \
	  ../$(BIN)/hallmark check paper.bib --online; code=$$?; [ $$code -le 1 ] || exit $$code

test: $(STAMP)  ## Run all tests
	$(BIN)/python -m pytest -n auto

check: $(STAMP)  ## Check format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)  ## Format the code and apply safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP)  ## Write the pages that follow from the code
	$(BIN)/python docs/generate.py

readme: $(STAMP) $(INDEX)  ## Put the real output of check into the README
	$(BIN)/python docs/readme.py $(INDEX)

clean:  ## Remove the virtual environment and the starter index
	rm -rf $(VENV) .hallmark .pytest_cache .mypy_cache .ruff_cache
