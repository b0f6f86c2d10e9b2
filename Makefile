# SPDX-License-Identifier: Apache-2.0
# Front door: every target is a few calls of CMake and of the scripts in tools/. `make help` lists them.
.DEFAULT_GOAL := build
.NOTPARALLEL:

JOBS    ?= $(shell nproc)
PREFIX  ?= /usr/local
DESTDIR ?=
export JOBS

# what `make demo` shows
DEMO     ?= rollup-release-2.3
DEMO_OUT ?= out/$(DEMO).h5
DEMO_RUN ?= build/elver run @$(DEMO) -o $(DEMO_OUT) --plot

# build/elver and the libraries are links into build/release
LINK_BUILT = cd build && for file in elver libelver.so libelver.a; do \
    if [ -e release/$$file ]; then ln -sfn release/$$file $$file; fi; done

PACKAGES       := tools/debian-packages.txt
CHECK_PACKAGES := tools/debian-packages-check.txt

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

.PHONY: build
build: ## build the release: build/elver, build/libelver.so, build/libelver.a
	@tools/install_deps.sh --check $(PACKAGES)
	@$(MAKE) --no-print-directory release

# configure once; afterwards Ninja sees by itself when CMake must run again
build/release/build.ninja:
	cmake --preset release

.PHONY: release
release: build/release/build.ninja
	cmake --build --preset release -j $(JOBS)
	@$(LINK_BUILT)

.PHONY: deps
deps: ## install the Debian packages that are missing
	@tools/install_deps.sh $(PACKAGES)

.PHONY: deps-check
deps-check: deps ## the same, and those of check-all
	@tools/install_deps.sh $(CHECK_PACKAGES)

# what a demonstration needs, without the tests
.PHONY: program
program: build/release/build.ninja
	cmake --build --preset release -j $(JOBS) --target elver elver_lib elver_static
	@$(LINK_BUILT)

.PHONY: demo
demo: deps program ## install what is missing, build, simulate one example and plot it
	@mkdir -p $(dir $(DEMO_OUT))
	$(DEMO_RUN)
	build/elver view $(DEMO_OUT) -o $(basename $(DEMO_OUT)).html -q
	@echo "results:"; ls -1d $(basename $(DEMO_OUT))* | sed 's/^/  /'

.PHONY: test
test: deps ## install what is missing, build and test: release, then with sanitizers
	@tools/run_tests.sh release:-DELVER_WERROR=ON debug

.PHONY: check-all
check-all: test check-more ## everything: both compilers, analysers, format, fuzzing, coverage

# what check-all adds to test, the quick checks first
.PHONY: check-more
check-more: deps-check check-format check-layers check-paper-map check-slow check-clang check-headers check-tidy \
    check-cppcheck check-browser check-docs check-python check-long coverage check-fuzz

.PHONY: check-long
check-long: ## the tests that `make test` leaves out under sanitizers
	@cmake --preset debug >/dev/null
	cmake --build --preset debug -j $(JOBS)
	ctest --test-dir build/debug -L '^long$$' -j $(JOBS) --output-on-failure

.PHONY: check-slow
check-slow: release ## the tests that take minutes
	ctest --test-dir build/release -L '^slow$$' -j $(JOBS) --output-on-failure

.PHONY: check-clang
check-clang: ## build and test with clang
	@tools/run_tests.sh clang:-DELVER_WERROR=ON

.PHONY: check-format
check-format: ## every C file has the form of .clang-format
	tools/check_format.sh

.PHONY: check-layers
check-layers: ## includes follow the order of the layers
	tools/check_layers.py

.PHONY: check-headers
check-headers: build/release/build.ninja ## public headers stand alone, in C17 and C++17, with gcc and clang
	tools/check_headers.py --cc gcc --cxx g++ --include build/release/include
	tools/check_headers.py --cc clang --cxx clang++ --include build/release/include

.PHONY: check-paper-map
check-paper-map: ## docs/paper_map.md and the equations cited in the code agree
	tools/check_paper_map.py

.PHONY: check-tidy
check-tidy: ## clang-tidy
	@cmake --preset clang >/dev/null
	tools/run_tidy.sh build/clang

.PHONY: check-cppcheck
check-cppcheck: build/release/build.ninja ## cppcheck
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    -j $(JOBS) -I include -I src -I build/release/include src cli

.PHONY: web
web: ## build the viewer's page, web/dist/viewer.html (needs Node.js and npm)
	tools/check_browser.sh --build

.PHONY: check-browser
check-browser: program ## the viewer's page: built from its sources, and at work in Chromium
	tools/check_browser.sh

.PHONY: check-python
check-python: program ## the Python package by pip, with strict types, tests and Pinocchio (needs PyPI)
	tools/check_python.sh

.PHONY: check-fuzz
check-fuzz: ## run each fuzz target for a minute
	tools/run_fuzz.sh 60

# gcov (12) counts some branches below zero where processes run side by side: gcovr leaves such lines out
.PHONY: coverage
coverage: ## test with gcov; report in build/coverage/report
	@tools/run_tests.sh coverage
	@mkdir -p build/coverage/report
	gcovr --root . --gcov-ignore-parse-errors --filter src/ --filter cli/ --filter include/ --object-directory build/coverage \
	    --html-details build/coverage/report/index.html --print-summary --txt build/coverage/report/coverage.txt

.PHONY: bench
bench: deps release ## run the benchmarks
	@for program in build/release/bench/bench_*; do \
	    if [ -x $$program ]; then echo "== $$program"; $$program || exit 1; fi; done

# the extension lies beside the package in build/release/python; warnings of the site are errors
.PHONY: docs
docs: deps-check check-docs ## build the documentation site: build/docs/html
	build/elver reproduce all -o build/docs/html/figures
	@echo "build/docs/html/index.html"

.PHONY: check-docs
check-docs: release ## the site builds without a warning
	@mkdir -p build/docs
	doxygen docs/Doxyfile
	PYTHONPATH=build/release/python /usr/bin/python3 -m sphinx -q -E -W --keep-going -b html docs build/docs/html

.PHONY: install
install: ## install under PREFIX (DESTDIR is honoured)
	cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@$(MAKE) --no-print-directory release
	DESTDIR=$(DESTDIR) cmake --install build/release
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi

.PHONY: format
format: ## give every C file the form of .clang-format
	tools/check_format.sh --fix

.PHONY: clean
clean: ## remove build/
	rm -rf build
