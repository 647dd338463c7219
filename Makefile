# Everything starts from a python3 >= 3.11 and make; `make demo` and `make test` set up their own environment in .venv.
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WORKERS ?= 2

.PHONY: help demo test lint format docs bench samples constraints wheel clean

help:
	@echo "make demo         a bundled server and client through the recorder, ending with a report"
	@echo "make test         all tests (those that need a browser or Node are skipped where there is none)"
	@echo "make lint         ruff, mypy, import layers, generated documents"
	@echo "make format       let ruff format and mend what it can"
	@echo "make docs         write the generated documents anew"
	@echo "make bench        the benchmarks; they print their figures"
	@echo "make samples      record sample_logs/ anew"
	@echo "make wheel        build the wheel into dist/"
	@echo "make constraints  pin the dependencies anew (needs uv; UPGRADE=1 for newer ones)"

$(READY): constraints/dev.txt pyproject.toml tools/environment.sh
	@sh tools/environment.sh $(VENV)

demo: $(READY)
	@$(BIN)/auditor demo

test: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) -rs $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/docs.py --check

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY)
	$(BIN)/python tools/docs.py

bench: $(READY)
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

samples: $(READY)
	$(BIN)/python tools/samples.py

wheel: $(READY)
	$(BIN)/python -m hatchling build -t wheel

UV_COMPILE = uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header --python-version 3.11 $(if $(UPGRADE),--upgrade)
constraints:
	$(UV_COMPILE) pyproject.toml --group dev -o constraints/dev.txt
	$(UV_COMPILE) constraints/sdk1.in -o constraints/sdk1.txt
	$(UV_COMPILE) constraints/fastmcp3.in -o constraints/fastmcp3.txt
	$(UV_COMPILE) constraints/fastmcp.in -c constraints/dev.txt -o constraints/fastmcp.txt

clean:
	rm -rf $(VENV) build dist demo .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
