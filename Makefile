# `make` leaves the fastest build of the engine here as `koel`.
#
# For OpenBench: `make EXE=path` leaves the engine at that path, `EVALFILE=file` builds that network in.
# A branch whose numbers are tuned says `FEATURES ?= tune`. With `EXE` the commands for the shell (the
# feature `cli`) are left out: the build takes less than half of the time.
#
# Where rustup's component llvm-tools is installed the engine is built twice: the first build runs the
# bench and counts, the second is optimised by the counts (profile-guided optimisation, PGO).
SHELL_COMMANDS := $(if $(filter command,$(firstword $(origin EXE))),--no-default-features)
EXE ?= koel
FEATURES ?=
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
export KOEL_NETWORK := $(abspath $(EVALFILE))

BUILD = cargo build --release --package koel --bin koel $(SHELL_COMMANDS) $(FEATURES:%=--features %)
PROFDATA := $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata))
PROFILE := $(CURDIR)/target/profile

.PHONY: openbench
openbench:
ifneq ($(PROFDATA),)
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-generate=$(PROFILE)" $(BUILD) --target-dir target/instrumented
	rm -rf $(PROFILE)
	target/instrumented/release/koel bench > /dev/null
	$(PROFDATA) merge -o $(PROFILE)/koel.profdata $(PROFILE)
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-use=$(PROFILE)/koel.profdata" $(BUILD) --target-dir target
else
	$(BUILD) --target-dir target
endif
	cp target/release/koel$(SUFFIX) $(EXE:.exe=)$(SUFFIX)
