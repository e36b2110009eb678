package shard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/shard/shardtest"
	"lens/store/terms"
)

// The benchmarks measure the input of store/shard/plan: LENS_BENCH_RECORDS (5,000) synthetic records of 384 dimensions
// and about 120 words in LENS_BENCH_SHARDS (1).

const benchDims = 384

func benchSize() (records, shards int) {
	return benchNumber("LENS_BENCH_RECORDS", 5_000), benchNumber("LENS_BENCH_SHARDS", 1)
}

func benchNumber(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

// syntheticContents returns the contents of a shard of n records, numbered from first. Words follow Zipf's law over a
// vocabulary of 50,000.
func syntheticContents(first, n int) *contents {
	random := rand.New(rand.NewPCG(1, uint64(first)))
	zipf := rand.NewZipf(random, 1.1, 4, 50_000)
	var analyzer terms.Analyzer
	c := &contents{dims: benchDims}
	for i := first; i < first+n; i++ {
		at := shardtest.Day(0).Add(time.Duration(i) * (24 * time.Hour / 100))
		id := uuid.NewSHA1(uuid.Nil, fmt.Append(nil, i))
		words := make([]string, 80+random.IntN(80))
		for j := range words {
			words[j] = "w" + strconv.FormatUint(zipf.Uint64(), 36)
		}
		text := strings.Join(words, " ")
		document := &store.Document{Path: "/corpus.jsonl", Filename: "corpus.jsonl", Modified: at}
		chunk := &store.Chunk{Document: *document, ID: strconv.Itoa(i), Meta: fmt.Appendf(nil, `{"entity":%q,"id":%d}`, shardtest.Entities[i%5], i)}
		turn := store.Turn{
			ID: id, Conversation: id, UserMessage: id, Assistant: id, OnPath: true, Time: at, Embeddable: true, Source: store.Chunks,
			Chunk: chunk, AssistantText: text,
		}
		counts := analyzer.Turn(&turn)
		turn.Length = counts.Length()
		message := store.Message{ID: id, Turn: id, Role: store.Assistant, Text: text, Visible: true, OnPath: true, Time: turn.Time}
		c.conversations = append(c.conversations, store.Conversation{ID: id, Source: store.Chunks, Document: document, Messages: []store.Message{message}})
		c.turns, c.terms = append(c.turns, turn), append(c.terms, counts)
		c.vectors = append(c.vectors, store.Halves(syntheticVector(random)))
	}
	return c
}

func syntheticVector(random *rand.Rand) []float32 {
	v := make([]float32, benchDims)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	unit, err := store.Unit(v)
	if err != nil {
		panic(err)
	}
	return unit
}

// syntheticIndex publishes shards to a folder without an archive. It also returns their total size.
func syntheticIndex(b *testing.B, records, shards int) (folder *Folder, size int64) {
	b.Helper()
	folder = NewFolder(b.TempDir())
	g := collector{model: Model{Provider: "test", ID: "made-up", Dims: benchDims, Recipe: 1}, docFreqs: map[string]uint32{}}
	m := &Manifest{Format: Format, Generation: 1, Model: g.model, Terms: terms.Version, Records: records}
	put := func(c *contents, name string) Ref {
		path, ref, err := c.pack(b.Context(), b.TempDir(), name)
		must(b, err)
		defer os.Remove(path)
		f, err := os.Open(path)
		must(b, err)
		_, err = folder.Put(b.Context(), g.model.Root()+ref.Key, io.NewSectionReader(f, 0, ref.Size), PutOptions{})
		must(b, errors.Join(err, f.Close()))
		size += ref.Size
		return ref
	}
	for i := range shards {
		first, end := records*i/shards, records*(i+1)/shards
		c := syntheticContents(first, end-first)
		for j := range c.turns {
			m.Length += int64(c.turns[j].Length)
			for term := range c.terms[j].All() {
				if !store.IsFact(term) {
					g.docFreqs[term]++
				}
			}
		}
		m.Shards = append(m.Shards, Part{
			Ref: put(c, "shard"), Records: len(c.turns), Vectors: len(c.turns), First: store.Micros(c.turns[0].Time), Last: store.Micros(c.turns[len(c.turns)-1].Time),
			Facts: Facts{"entity": slices.Clone(shardtest.Entities), "id": nil},
		})
	}
	m.Statistics = put(g.statistics(), "statistics")
	text, err := m.Encode()
	must(b, err)
	_, err = folder.Put(b.Context(), g.model.Root()+ManifestName, io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text))), PutOptions{})
	must(b, err)
	return folder, size
}

func BenchmarkPack(b *testing.B) {
	n, _ := benchSize()
	c := syntheticContents(0, n)
	for b.Loop() {
		_, ref, err := c.pack(b.Context(), b.TempDir(), "shard")
		must(b, err)
		b.ReportMetric(float64(ref.Size)/float64(n), "bytes/record")
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkOpen measures a cold start without the transfer: checksum, opening, catalog.
func BenchmarkOpen(b *testing.B) {
	records, shards := benchSize()
	folder, size := syntheticIndex(b, records, shards)
	b.SetBytes(size)
	var worked time.Duration
	for b.Loop() {
		before := cpuTime()
		x := NewIndex(folder, folder, Options{})
		_, release, err := x.View(b.Context(), store.Filter{})
		must(b, err)
		worked += cpuTime() - before
		release()
		must(b, x.Close())
	}
	reportSize(b, records, shards)
	b.ReportMetric(float64(size)/float64(records), "bytes/record")
	b.ReportMetric(inMilliseconds(worked)/float64(b.N), "cpu-ms")
}

func reportSize(b *testing.B, records, shards int) {
	b.ReportMetric(float64(records), "records")
	b.ReportMetric(float64(shards), "shards")
}

func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// BenchmarkQuery measures a query on an open shard: 200 nearest, the postings of eight words, statistics, similarities, five records.
func BenchmarkQuery(b *testing.B) {
	records, shards := benchSize()
	folder, _ := syntheticIndex(b, records, shards)
	x := NewIndex(folder, folder, Options{})
	defer x.Close()
	for name, f := range map[string]store.Filter{"everything": {}, "entity": {Meta: map[string]string{"entity": "comic"}}, "month": {Since: shardtest.Day(10), Until: shardtest.Day(40)}} {
		b.Run(name, func(b *testing.B) {
			benchQuery(b, x, f)
			reportSize(b, records, shards)
		})
	}
}

func benchQuery(b *testing.B, x *Index, f store.Filter) {
	random := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(random, 1.1, 4, 50_000)
	var took, worked []time.Duration
	for b.Loop() {
		b.StopTimer()
		q := syntheticVector(random)
		words := make([]string, 8)
		for i := range words {
			words[i] = "w" + strconv.FormatUint(zipf.Uint64(), 36)
		}
		b.StartTimer()
		before, began := cpuTime(), time.Now()
		v, release, err := x.View(b.Context(), f)
		must(b, err)
		near, err := v.Nearest(b.Context(), q, f, 200)
		must(b, err)
		_, err = v.Postings(b.Context(), words)
		must(b, err)
		_, err = v.Statistics(b.Context(), words)
		must(b, err)
		ords := make([]store.Ord, len(near))
		for i, n := range near {
			ords[i] = n.Ord
		}
		_, err = v.Similarities(b.Context(), q, ords)
		must(b, err)
		_, err = v.Records(b.Context(), ords[:min(5, len(ords))])
		must(b, err)
		release()
		took = append(took, time.Since(began))
		worked = append(worked, cpuTime()-before)
	}
	slices.Sort(took)
	slices.Sort(worked)
	b.ReportMetric(inMilliseconds(took[len(took)/2]), "p50-ms")
	b.ReportMetric(inMilliseconds(took[len(took)*95/100]), "p95-ms")
	b.ReportMetric(inMilliseconds(worked[len(worked)/2]), "cpu-ms")
	b.ReportMetric(inMilliseconds(worked[len(worked)*95/100]), "cpu-p95-ms")
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "heap-MB")
}
