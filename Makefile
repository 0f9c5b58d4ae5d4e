# Two commands do everything on a fresh machine with Python 3.11 or newer, pip and make:
#   make frontier   the main job: regret against instability, in results/frontier
#   make test       every check that decides whether a change lands

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# There when what it takes to run steadyarm is installed, and what it takes to test it, too:
RUN := $(VENV)/.run
ALL := $(VENV)/.all
PIP := $(PYTHON) -m pip --python $(BIN)/python --disable-pip-version-check  # Debian's venv may lack a pip of its own
COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header
ALL_CORES := -n auto --dist loadfile --no-loadscope-reorder
unexport PYTHONDONTWRITEBYTECODE  # tests start many processes: each would compile every file again

.PHONY: frontier install pictures test test-fast test-slow test-faults test-clients coverage programs kernels lint types layers docs \
  format bench package lock clean help

frontier: $(RUN)  ## worst-case regret against worst-case instability: picture, table, report (results/frontier)
	$(BIN)/steadyarm frontier --out results/frontier

install: $(ALL)  ## only the environment, .venv: then `source .venv/bin/activate`

pictures: frontier  ## refresh the pictures and tables that README and docs show (needs Chromium, and patience)
	cp results/frontier/frontier.png docs/pictures/frontier.png
	$(BIN)/python tools/studies.py
	$(BIN)/python tools/repetitions.py
	$(BIN)/python tools/explanations.py
	$(BIN)/python tools/optimum.py
	$(BIN)/python tools/trillion.py
	$(BIN)/python tools/drift_measured.py
	$(BIN)/python tools/gallery.py
	$(BIN)/python tools/screenshots.py

test: $(ALL)  ## everything CI checks
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target kernels lint types layers docs
	$(MAKE) --no-print-directory test-fast
	$(MAKE) --no-print-directory test-slow

test-fast: $(ALL) programs  ## unit and property tests and doctests: run them on every save
	$(BIN)/python -m pytest $(ALL_CORES) -m "not slow"

test-slow: $(ALL) programs  ## statistical, timing and fault tests
	$(BIN)/python -m pytest $(ALL_CORES) -m slow

coverage: $(ALL) programs  ## which lines the fast tests run, by room: a table, and every line in build/coverage
	$(BIN)/python -m pytest $(ALL_CORES) -m "not slow" -q --cov --cov-report=
	$(BIN)/coverage html --quiet --directory build/coverage
	$(BIN)/python tools/coverage_table.py

test-faults: $(ALL) programs kernels  ## the proofs of the live service at full size: 100 kills, a million entries (half an hour)
	STEADYARM_FAULTS=full $(BIN)/python -m pytest tests/faults

test-clients: $(ALL)  ## the TypeScript client and OpenFeature's provider against a real server, and the files of deploy/ by their own programs (needs Node 20)
	cd clients/typescript && npm ci --no-audit --no-fund && STEADYARM="$(CURDIR)/$(BIN)/steadyarm" npm test
	$(BIN)/python tools/check_deploy.py

programs:  # PostgreSQL, strace and Chromium, which the tests start
	@tools/system_packages.sh

kernels: $(ALL)  # into Numba's cache, before several processes would compile the same
	$(BIN)/python -m tests.kernels

lint: $(ALL)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(ALL)
	$(BIN)/mypy

layers: $(ALL)
	$(BIN)/lint-imports

docs: $(ALL)  ## the documentation site, in build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

format: $(ALL)  ## rewrite the code in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(ALL)  ## measure the engines and the peers, write docs/speed.md (a quiet machine, ten minutes)
	$(BIN)/steadyarm bench --out benchmarks/results
	$(BIN)/python benchmarks/main_job.py --out benchmarks/results
	$(BIN)/python benchmarks/peers/run.py
	$(BIN)/python benchmarks/live.py --out benchmarks/results
	$(BIN)/python tools/speed_page.py
	$(BIN)/python tools/live_page.py

package: $(ALL)  ## a wheel and a source archive in dist, installed in an empty environment and tried
	rm -rf dist build/package
	$(BIN)/python -m build --no-isolation --outdir dist
	$(PYTHON) -m venv --without-pip build/package
	$(PYTHON) -m pip --python build/package/bin/python --disable-pip-version-check install --quiet dist/*.whl
	cd build && package/bin/steadyarm verify --only 8
	$(PYTHON) -m pip --python build/package/bin/python --disable-pip-version-check install --quiet --no-deps \
	  --force-reinstall dist/*.tar.gz
	cd build && package/bin/steadyarm verify --only 8

$(RUN): requirements-run.lock pyproject.toml
	@echo "Installing the locked dependencies into $(VENV): a minute or so, once ..."
	$(call locked,requirements-run.lock)
	@touch $(RUN)

$(ALL): requirements.lock pyproject.toml
	@echo "Installing the locked dependencies, those of the tests too, into $(VENV): a minute or two, once ..."
	$(call locked,requirements.lock)
	@touch $(RUN) $(ALL)

# A lock names everything, so pip has nothing to resolve: an older pip would take a newer release for what a package asks for with
# an extra, and then refuse it for want of a hash. `pip check` sees that nothing is missing.
# Python compiles a module when it is imported, so nobody waits here for modules that never are.
define locked
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "steadyarm needs Python 3.11 or newer")'
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PIP) install --quiet --no-compile --no-deps --require-hashes --requirement $(1)
	@$(PIP) install --quiet --no-compile --no-deps --no-build-isolation --editable .
	@$(PIP) check
endef

lock:  ## write both locks anew from pyproject.toml (needs uv)
	$(COMPILE) --all-extras --group dev pyproject.toml --output-file requirements.lock
	$(COMPILE) --extra live --group build --constraint requirements.lock pyproject.toml --output-file requirements-run.lock

clean:
	rm -rf $(VENV) results build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/'
