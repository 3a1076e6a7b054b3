# For OpenBench: `make EXE=path` leaves the engine at that path, `EVALFILE=file` builds that network in.
# For anything else use cargo. A branch whose numbers are tuned says `FEATURES ?= tune`. Commands for the
# shell (the feature `cli`) are left out: the build takes less than half of the time.
EXE ?= koel
FEATURES ?=
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
export KOEL_NETWORK := $(abspath $(EVALFILE))

.PHONY: openbench
openbench:
	cargo build --release --package koel --bin koel --no-default-features --target-dir target $(FEATURES:%=--features %)
	cp target/release/koel$(SUFFIX) $(EXE:.exe=)$(SUFFIX)
