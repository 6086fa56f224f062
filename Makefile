# Every target makes what it needs and may be run again at any time.
#
#   make demo      the rate mismatch with and without pacing: published numbers beside ours, plots
#   make test      all tests that are quick
#   make lint      form: columns of pages, rustfmt, clippy, ruff, mypy, stubs
#   make verify    slow tests: a run of every row of the catalogue, random cases, an installation
#   make catalogue the published papers with all replications and sensitivities, and their pages;
#                  some of them: make catalogue PAPERS="osu-1998-gfr"
#   make bench     how fast cells move, and what a study costs beside its runs

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.ONESHELL:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WHEELS := target/wheels
SOURCES := Cargo.toml Cargo.lock pyproject.toml README.md \
	$(shell find crates -name '*.rs' -path '*/src/*') $(wildcard crates/*/Cargo.toml) \
	$(shell find python/cellway -type f ! -name '*.pyc' ! -name '*.so')

.PHONY: help demo test lint verify bench catalogue toolchain clean

help:
	@sed -n 's/^#   //p' Makefile

toolchain:
	@tools/check-toolchain $(PYTHON)

$(VENV)/created: pyproject.toml | toolchain
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet "$$(sed -n 's/^ *"\(maturin==[^"]*\)",/\1/p' pyproject.toml)"
	touch $@

# The wheel is what users get; it is built in release and installed, so that tests see the same.
$(VENV)/installed: $(VENV)/created $(SOURCES)
	rm -rf $(WHEELS)
	$(BIN)/maturin build --release --quiet --locked --interpreter $(BIN)/python --out $(WHEELS)
	wheel=$$(ls $(WHEELS)/*.whl)
	$(BIN)/python -m pip install --quiet "$$wheel[dev]"
	$(BIN)/python -m pip install --quiet --force-reinstall --no-deps "$$wheel"
	touch $@

demo: $(VENV)/installed
	@tools/demo $(BIN)

test: $(VENV)/installed
	@tools/part "test: Rust" cargo test --workspace --exclude cellway-py --locked
	tools/part "test: Python" $(BIN)/python -m pytest --numprocesses auto

lint: $(VENV)/installed
	@$(BIN)/python tools/check-columns
	cargo fmt --all --check
	tools/part "lint: clippy" cargo clippy --workspace --all-targets --locked -- --deny warnings
	export RUSTDOCFLAGS="--deny warnings"
	tools/part "lint: documentation" \
		cargo doc --package cellway-sim --package cellway-theory --no-deps --locked --quiet
	$(BIN)/ruff check python
	$(BIN)/ruff format --check python
	tools/part "lint: types" $(BIN)/mypy
	tools/part "lint: stubs" $(BIN)/python -m mypy.stubtest cellway._core

verify: $(VENV)/installed
	@tools/verify $(BIN) $(PYTHON)

bench: $(VENV)/installed
	cargo bench --package cellway-sim --bench paths --bench policies
	cargo bench --package cellway-theory --bench renewal
	@tools/bench-studies $(BIN)

# Pages made from the program: after a change of results or of the language, with its reason in the
# commit.
catalogue: $(VENV)/installed
	$(BIN)/cellway schema > docs/scenario-language.txt
	@tools/catalogue $(BIN) $(PAPERS)

clean:
	rm -rf $(VENV) target out
