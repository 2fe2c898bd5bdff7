# Two commands do everything, set-up included: `make demo` and `make test`.
# RocksDB takes a quarter of an hour to compile for each profile. So whatever needs it is built and
# tested in release; the other crates are tested with debug assertions and overflow checks.

CARGO ?= cargo
export PATH := $(PATH):$(HOME)/.cargo/bin

# Crates without RocksDB, tested in the dev profile. Those of the list below are tested in release.
CHECKED := andor answer cgt database files fit forge game graphs learning polyomino puzzles race record report shogi small spec sweep unit values varint
RELEASED := bench coordinator hostile page proto simulation store tests worker

.PHONY: demo test build package setup format lint docs checked checker unit python loom deny test-kubernetes test-slurm test-systemd test-browser chaos fuzz hostile bench clean

demo: build            ## a real search with its certificate, checked by a second pass
	@sh deploy/demo.sh "$${CARGO_TARGET_DIR:-target}/release/hasami"

test: setup format lint docs checked checker unit python loom   ## everything that must hold before a change lands

build: setup
	$(CARGO) build --release --package hasami

package: build         ## target/package: the stripped binary and the Debian package
	@sh deploy/package/build.sh "$${CARGO_TARGET_DIR:-target}/release/hasami" "$${CARGO_TARGET_DIR:-target}/package"

setup:
	@bash .ci/setup

format:                ## the small games are declared by a macro, which `cargo fmt` does not look into
	$(CARGO) fmt --all --check
	rustfmt --check --edition 2024 common/games/small/src/*.rs

lint: setup
	$(CARGO) clippy --release --workspace --all-targets -- -D warnings

docs: setup
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --workspace --no-deps --quiet

checked: setup         ## with debug assertions and overflow checks
	$(CARGO) test $(CHECKED:%=--package hasami-%)

checker: setup         ## the second checker of certificates, which shares no code with the first
	@for python in python3 /usr/bin/python3; do \
		if $$python -c 'import zstandard' 2>/dev/null; then \
			exec $$python -B -m unittest discover --start-directory tests/checker --quiet; \
		fi; \
	done; echo "no Python with the module zstandard: run .ci/setup" >&2; exit 1

unit: build
	$(CARGO) test --release --package hasami $(RELEASED:%=--package hasami-%)

python: build          ## the Python package with a real cluster; skipped where its environment cannot be made
	@sh python/test.sh "$${CARGO_TARGET_DIR:-target}/release/hasami"

loom:                  ## the table's protocol in every order in which threads may meet
	RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR="$${CARGO_TARGET_DIR:-target}/loom" \
		$(CARGO) test --release --package hasami-andor --test all every_order

deny:                  ## licenses and sources of everything that is linked in
	command -v cargo-deny >/dev/null || $(CARGO) install --locked cargo-deny
	$(CARGO) deny check licenses bans sources

test-kubernetes: build ## manifests against the schemas of Kubernetes, which are 140 MB
	@test -x "$$HOME/.cache/hasami/kubernetes/bin/kubernetes-validate" || { \
		python3 -m venv "$$HOME/.cache/hasami/kubernetes" && \
		"$$HOME/.cache/hasami/kubernetes/bin/pip" install --quiet kubernetes-validate; }
	$(CARGO) test --release --package hasami-tests manifests_fit -- --nocapture

test-slurm: build      ## with a real Slurm (packages slurm-wlm, munge), as root
	HASAMI_SLURM=1 $(CARGO) test --release --package hasami-tests deploy_slurm -- --nocapture

test-systemd: build    ## the units of the package under a real systemd, as root
	HASAMI_SYSTEMD=1 $(CARGO) test --release --package hasami-tests package_systemd -- --nocapture

chaos: build           ## a thousand faults at random; HASAMI_CHAOS_SEED repeats a run, HASAMI_CHAOS_JOURNAL=postgres: in PostgreSQL
	HASAMI_CHAOS_FAULTS="$${HASAMI_CHAOS_FAULTS:-1000}" \
		$(CARGO) test --release --package hasami-tests cluster_chaos -- --nocapture

FUZZ_SECONDS ?= 30
fuzz: setup            ## every parser and every message, for FUZZ_SECONDS each
	CARGO="$(CARGO)" tests/fuzz/run.sh $(FUZZ_SECONDS)

test-browser: build    ## the page in headless Chromium, which it installs; HASAMI_SCREENSHOTS=DIR keeps pictures
	command -v chromedriver >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium chromium-driver fonts-noto-cjk; }
	HASAMI_BROWSER=1 $(CARGO) test --release --package hasami-tests page_browser -- --nocapture

MESSAGES ?= 1000000
hostile: build         ## hostile messages, from HASAMI_HOSTILE_SEED, beside an honest worker
	HASAMI_HOSTILE_MESSAGES="$(MESSAGES)" \
		$(CARGO) test --release --package hasami-tests cluster_hostile -- --nocapture

bench: setup           ## the figures of docs/performance.md, on this machine
	$(CARGO) build --release --package hasami --package hasami-bench
	"$${CARGO_TARGET_DIR:-target}/release/hasami-bench"

clean:
	$(CARGO) clean
