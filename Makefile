# The two commands of a fresh clone are `make demo` and `make test`; CMake does the work.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all deps build pgo fuzzers demo test check-format format bench coverage clean
all: build

deps:
	@scripts/install-deps.sh

build: deps
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS)

pgo: deps
	@scripts/pgo.sh build-pgo $(JOBS)

fuzzers: build
	@scripts/fuzzers.sh

demo: build
	@scripts/demo.sh build/uproof

test: build
	@ctest --preset release -j $(JOBS) --output-junit tests.xml

check-format:
	@scripts/check-format.sh

format:
	@scripts/check-format.sh --fix

bench: build
	@scripts/bench.sh build

coverage: deps
	@scripts/coverage.sh $(JOBS)

clean:
	rm -rf build build-*
