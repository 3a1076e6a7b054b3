# For OpenBench: `make EXE=path` leaves the engine at that path. For anything else use cargo.
EXE ?= koel
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
$(if $(EVALFILE),$(warning EVALFILE is ignored: this version of Koel has no network))

.PHONY: openbench
openbench:
	cargo build --release --package koel --bin koel --target-dir target
	cp target/release/koel$(SUFFIX) $(EXE:.exe=)$(SUFFIX)
