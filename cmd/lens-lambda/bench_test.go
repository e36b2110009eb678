package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/store/shard"
	"lens/store/shard/s3"
	"lens/store/shard/s3/s3test"
	"lens/store/vecindex/vectest"
)

// The benchmark has 100,000 records of 384 dimensions. The length of their texts gives three shards of about 50 MB.
const (
	benchRecords = 100_000
	benchDims    = 384
	benchWords   = 28
	benchModel   = "made-up"
	benchQueries = 1000
)

// TestColdAndWarm reports how long the function takes to start and to answer, and its memory. It is a test, not a
// benchmark, because it measures another process.
func TestColdAndWarm(t *testing.T) {
	if os.Getenv("LENS_BENCH") != "full" {
		t.Skip("LENS_BENCH=full is not set: make lambda-bench")
	}
	bucket := s3test.New(t)
	program := filepath.Join(t.TempDir(), "bootstrap")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	vectors := newBenchVectors(t)
	index := benchIndex(t, vectors)
	objects, size := upload(t, index, bucket)
	t.Logf("%d records in %d objects, %.0f MB", benchRecords, objects, float64(size)/1e6)
	env := []string{"LENS_SHARDS=" + bucket.Address(), "OPENAI_BASE_URL=" + vectors.url, "LENS_EMBEDDING_MODEL=" + benchModel}
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		env = append(env, name+"="+os.Getenv(name))
	}
	measureCold(t, program, bucket, env)
	measureWarm(t, program, env, size)
}

// measureCold starts the function several times: with an empty cache, where it includes the transfer, and with a full
// one.
func measureCold(t *testing.T, program string, bucket s3test.Bucket, env []string) {
	for range 3 {
		kept := "LENS_DATA_DIR=" + t.TempDir()
		transfer := transferAll(t, bucket)
		var took [2]time.Duration
		for i := range took {
			begun := time.Now()
			p := startProgram(t, exec.Command(program), append(env, kept)...)
			if _, r := p.ask(httpPayload("/retrieve", "q=w1+w2+w3")); r.StatusCode != 200 {
				t.Fatalf("got %+v", r)
			}
			took[i] = time.Since(begun)
			t.Logf("cold %.0f ms, %.0f ms of CPU time; memory in MB: %s", milliseconds(took[i]), milliseconds(processorOf(t, p)), memoryOf(t, p))
			p.terminate()
		}
		t.Logf("cold, empty cache: %.0f ms, of which %.0f ms for a transfer of the same objects; full cache: %.0f ms",
			milliseconds(took[0]), milliseconds(transfer), milliseconds(took[1]))
	}
}

// openBench returns the bucket as the test uses it.
func openBench(t *testing.T, bucket s3test.Bucket) shard.Bucket {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	b, err := s3.New(t.Context(), transport, bucket.Address(), s3.Options{})
	must(t, err)
	return b
}

// transferAll fetches every object of the bucket as the cache does, without storing it.
func transferAll(t *testing.T, bucket s3test.Bucket) time.Duration {
	b := openBench(t, bucket)
	const part = 8 << 20
	var parts errgroup.Group
	parts.SetLimit(8)
	begun := time.Now()
	for info, err := range b.List(t.Context(), "") {
		must(t, err)
		for offset := int64(0); offset < info.Size; offset += part {
			parts.Go(func() error {
				object, err := b.Get(t.Context(), info.Key, shard.GetOptions{Offset: offset, Length: part})
				if err != nil {
					return err
				}
				defer object.Body.Close()
				_, err = io.Copy(io.Discard, object.Body)
				return err
			})
		}
	}
	must(t, parts.Wait())
	return time.Since(begun)
}

func measureWarm(t *testing.T, program string, env []string, size int64) {
	p := startProgram(t, exec.Command(program), append(env, "LENS_DATA_DIR="+t.TempDir())...)
	random := rand.New(rand.NewPCG(5, 6))
	words := newWordList(random)
	for _, mode := range []string{"hybrid", "dense"} {
		took, worked := make([]time.Duration, benchQueries), make([]time.Duration, benchQueries)
		for i := range took {
			query := "q=" + url.QueryEscape(words.text(3+random.IntN(6))) + "&mode=" + mode
			before, begun := processorOf(t, p), time.Now()
			if _, r := p.ask(httpPayload("/retrieve", query)); r.StatusCode != 200 {
				t.Fatalf("got %+v", r)
			}
			took[i], worked[i] = time.Since(begun), processorOf(t, p)-before
		}
		t.Logf("warm, %s: %s; CPU time: %s", mode, quantiles(took[1:]), quantiles(worked[1:])) // the first was cold
	}
	t.Logf("memory in MB, in addition to %.0f of shards: %s", float64(size)/1e6, memoryOf(t, p))
	p.terminate()
}

func quantiles(took []time.Duration) string {
	slices.Sort(took)
	at := func(share float64) float64 { return milliseconds(took[int(share*float64(len(took)))]) }
	return fmt.Sprintf("p50 %.1f, p95 %.1f, p99 %.1f ms", at(.5), at(.95), at(.99))
}

// processorOf returns the CPU time of a process. Unlike elapsed time, it does not depend on other processes.
func processorOf(t *testing.T, p *lambdaProcess) (total time.Duration) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	must(t, err)
	for _, path := range threads {
		text, err := os.ReadFile(path)
		must(t, err)
		ran, _, _ := strings.Cut(string(text), " ")
		ns, err := strconv.ParseInt(ran, 10, 64)
		must(t, err)
		total += time.Duration(ns)
	}
	return total
}

var memoryLine = regexp.MustCompile(`(?m)^(VmHWM|VmRSS|RssAnon|RssFile):\s+(\d+) kB`)

// memoryOf describes the memory of a process: the maximum, the current size, and its anonymous and file-backed parts.
func memoryOf(t *testing.T, p *lambdaProcess) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	must(t, err)
	var all []string
	for _, m := range memoryLine.FindAllStringSubmatch(string(status), -1) {
		kb, err := strconv.Atoi(m[2])
		must(t, err)
		all = append(all, fmt.Sprintf("%s %.0f", m[1], float64(kb)*1024/1e6))
	}
	return strings.Join(all, ", ")
}

// benchVectors makes vectors. It is also a server that embeds queries.
type benchVectors struct {
	url    string
	source *vectest.Generator
}

func newBenchVectors(t *testing.T) *benchVectors {
	v := &benchVectors{source: vectest.New(1, benchDims)}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(object{"model": benchModel, "data": []any{object{"index": 0, "embedding": v.source.Query()}}})
	}))
	t.Cleanup(server.Close)
	v.url = server.URL + "/v1"
	return v
}

// wordList draws from 50,000 words with Zipf's frequencies.
type wordList struct{ zipf *rand.Zipf }

func newWordList(random *rand.Rand) wordList {
	return wordList{rand.NewZipf(random, 1.1, 4, 50_000)}
}

func (w wordList) text(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = "w" + strconv.FormatUint(w.zipf.Uint64(), 36)
	}
	return strings.Join(all, " ")
}

// upload copies an index to the bucket.
func upload(t *testing.T, from *shard.Folder, bucket s3test.Bucket) (objects int, size int64) {
	to := openBench(t, bucket)
	for info, err := range from.List(t.Context(), "") {
		must(t, err)
		object, err := from.Get(t.Context(), info.Key, shard.GetOptions{})
		must(t, err)
		text, err := io.ReadAll(object.Body)
		must(t, errors.Join(err, object.Body.Close()))
		_, err = to.Put(t.Context(), info.Key, io.NewSectionReader(bytes.NewReader(text), 0, info.Size), shard.PutOptions{})
		must(t, err)
		objects, size = objects+1, size+info.Size
	}
	return objects, size
}

// benchIndex returns an index of synthetic records. It is kept for later runs, because making it takes a minute.
func benchIndex(t *testing.T, vectors *benchVectors) *shard.Folder {
	dir := filepath.Join("..", "..", ".cache", "lambda", fmt.Sprintf("%dx%dx%d", benchRecords, benchDims, benchWords))
	if _, err := os.Stat(dir); err == nil {
		return shard.NewFolder(dir)
	}
	must(t, os.MkdirAll(filepath.Dir(dir), 0o755))
	draft := dir + ".draft"
	must(t, os.RemoveAll(draft))
	publishBench(t, draft, vectors)
	must(t, os.Rename(draft, dir))
	return shard.NewFolder(dir)
}

// publishBench publishes synthetic records to a folder.
func publishBench(t *testing.T, at string, vectors *benchVectors) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.jsonl")
	f, err := os.Create(path)
	must(t, err)
	out := bufio.NewWriter(f)
	lines := json.NewEncoder(out)
	random := rand.New(rand.NewPCG(1, 2))
	words := newWordList(random)
	for i := range benchRecords {
		must(t, lines.Encode(object{
			"id": strconv.Itoa(i), "text": words.text(benchWords/2 + random.IntN(benchWords)), "vector": vectors.source.Next(nil),
			"meta": object{"entity": []string{"character", "comic", "story"}[i%3]}, "modified": time.Unix(int64(1.5e9)+int64(i)*900, 0).UTC(),
		}))
	}
	must(t, out.Flush())
	must(t, f.Close())
	a := app.New(config.Config{DataDir: filepath.Join(t.TempDir(), "lens"), Embedding: config.Embedding{Kind: config.None}}, "bench")
	defer a.Close()
	_, err = a.Archive.Import(t.Context(), []string{path}, archive.ImportOptions{VectorsOf: archive.VectorModel{Provider: "openai", Name: benchModel}})
	must(t, err)
	_, err = a.Indexes.Publish(t.Context(), at, 50, false, nil)
	must(t, err)
}
