# Every target makes what it needs and may be run again at any time.
#
#   make dev       an editable installation for work on the code: a changed Python line needs no
#                  other step, a changed Rust line this one again
#   make lab       the simulator as WebAssembly, for pages of `cellway lab --out`
#   make doc       the documentation of the crates in target/doc/; a warning is an error
#   make site      the documentation site in site/, which works from a disk and on any server
#   make notebooks  the notebooks of docs/notebooks with their outputs, in out/notebooks
#   make demo      the rate mismatch with and without pacing: published numbers beside ours, plots
#   make test      all tests that are quick
#   make lint      form: columns of pages, doc comments, imports, rustfmt, clippy, ruff, mypy, stubs
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
NOTEBOOKS := out/notebooks/executed
RUST := Cargo.toml Cargo.lock pyproject.toml $(wildcard crates/*/Cargo.toml crates/*/build.rs) \
	$(shell find crates -name '*.rs' -path '*/src/*') $(shell find scenarios -type f)
SOURCES := $(RUST) README.md $(shell find python/cellway -type f ! -name '*.pyc' ! -name '*.so')

.PHONY: help dev lab doc site notebooks demo test lint verify bench catalogue toolchain clean

help:
	@sed -n 's/^#   //p' Makefile

toolchain:
	@tools/check-toolchain $(PYTHON)

# What the package needs at run time, and the exact tools of `make test` and `make lint`.
$(VENV)/tools: pyproject.toml tools/requirements | toolchain
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python tools/requirements >$(VENV)/requirements
	$(BIN)/python -m pip install --quiet --requirement $(VENV)/requirements
	touch $@

# The wheel is what users get; it is built in release and installed, so that tests see the same.
$(VENV)/installed: $(VENV)/tools $(SOURCES)
	rm -rf $(WHEELS) python/cellway/_core*.so $(VENV)/editable
	$(BIN)/maturin build --release --quiet --locked --interpreter $(BIN)/python --out $(WHEELS)
	$(BIN)/python -m pip install --quiet --force-reinstall --no-deps $(WHEELS)/*.whl
	touch $@

# The package from its folder, its library by a profile that is quick to build. It replaces the
# wheel, as the wheel replaces it.
dev: $(VENV)/editable

$(VENV)/editable: $(VENV)/tools $(RUST)
	installed=$$(test -e $@ && echo --skip-install || true)
	rm -f $(VENV)/installed
	touch $@.begun
	VIRTUAL_ENV=$(VENV) $(BIN)/maturin develop --quiet --locked --profile quick $$installed
	mv $@.begun $@

# Part of the wheel where it was built before.
lab: python/cellway/lab/lab.wasm.gz

python/cellway/lab/lab.wasm.gz: $(RUST) tools/build-lab
	tools/build-lab $@

doc:
	@export RUSTDOCFLAGS="--deny warnings"
	tools/part "documentation of crates" \
		cargo doc --workspace --exclude cellway-py --no-deps --locked --quiet

# With the documentation of the crates and outputs of notebooks, and with the simulator in its pages
# where `make lab` has built it.
site: $(VENV)/installed $(NOTEBOOKS) doc
	@tools/part "pages of the site" $(BIN)/python tools/site

notebooks: $(NOTEBOOKS)

$(NOTEBOOKS): $(VENV)/installed tools/run-notebooks $(wildcard docs/notebooks/*.ipynb)
	@tools/part notebooks $(BIN)/python tools/run-notebooks
	touch $@

demo: $(VENV)/installed
	@tools/demo $(BIN)

test: $(VENV)/installed
	@tools/part "test: Rust" cargo test --workspace --exclude cellway-py --locked
	tools/part "test: Python" $(BIN)/python -m pytest --numprocesses auto

lint: $(VENV)/installed doc
	@$(BIN)/python tools/check-columns
	$(BIN)/python tools/check-openers
	$(BIN)/python tools/check-imports
	cargo fmt --all --check
	for example in smoltcp quic; do
		cargo fmt --check --manifest-path crates/stack/examples/$$example/Cargo.toml
	done
	tools/part "lint: clippy" cargo clippy --workspace --all-targets --locked -- --deny warnings
	$(BIN)/ruff check python docs/notebooks docs/how-to/scripts
	$(BIN)/ruff format --check python docs/notebooks docs/how-to/scripts
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
	rm -rf $(VENV) target out site
