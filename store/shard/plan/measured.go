package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// measured is the single-core time of queries and openings, in seconds.
type measured struct {
	query, shard, record float64 // per query, per shard and per record searched
	openMB               float64 // to open a MB of shards: checksum, catalog
	bytes                float64 // per record in a shard
	spread               float64 // standard deviation of the logarithm of query times
}

// result maps the units of a go test -bench line to their values.
type result map[string]float64

// read derives the plan's figures from the benchmarks' output. It needs queries of two numbers of records in
// one shard, and of the larger number in several shards; and any opening.
func read(r io.Reader) (m measured, err error) {
	var queries, opens []result
	for lines := bufio.NewScanner(r); lines.Scan(); {
		name, metrics, ok := parse(lines.Text())
		switch {
		case !ok:
		case strings.HasPrefix(name, "BenchmarkQuery/everything"):
			queries = append(queries, metrics)
		case strings.HasPrefix(name, "BenchmarkOpen"):
			opens = append(opens, metrics)
		}
	}
	few, many, divided, err := selectResults(queries)
	if err != nil || len(opens) == 0 {
		return m, errors.Join(err, errIncomplete)
	}
	m.record = max(0, (many["cpu-ms"]-few["cpu-ms"])/(many["records"]-few["records"])/1000)
	m.shard = max(0, (divided["cpu-ms"]-many["cpu-ms"])/(divided["shards"]-1)/1000)
	m.query = max(0, few["cpu-ms"]/1000-m.record*few["records"]-m.shard)
	// 95 % of a normal distribution lie below 1.645 deviations.
	m.spread = math.Log(many["cpu-p95-ms"]/many["cpu-ms"]) / 1.645
	open := opens[len(opens)-1]
	m.bytes = open["bytes/record"]
	m.openMB = open["cpu-ms"] / 1000 / (open["bytes/record"] * open["records"] / 1e6)
	for _, x := range []float64{m.record, m.openMB, m.bytes, m.spread} {
		if !(x > 0 && x < 1e9) {
			return m, fmt.Errorf("implausible benchmarks: %+v", m)
		}
	}
	return m, nil
}

var errIncomplete = errors.New("incomplete benchmarks; run make shard-plan")

// selectResults returns three results that differ in one respect each.
func selectResults(queries []result) (few, many, divided result, err error) {
	for _, q := range queries {
		switch {
		case q["shards"] > 1:
			divided = q
		case few == nil || q["records"] < few["records"]:
			few = q
		}
	}
	for _, q := range queries {
		if divided != nil && q["shards"] == 1 && q["records"] == divided["records"] {
			many = q
		}
	}
	if many == nil || many["records"] <= few["records"] {
		return nil, nil, nil, errIncomplete
	}
	return few, many, divided, nil
}

// parse parses a line like "BenchmarkX-2  50  1.5 ms  3 records"; the second word is the number of
// iterations.
func parse(line string) (name string, metrics result, ok bool) {
	words := strings.Fields(line)
	if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
		return "", nil, false
	}
	metrics = result{}
	for i := 2; i+1 < len(words); i += 2 {
		x, err := strconv.ParseFloat(words[i], 64)
		if err != nil {
			return "", nil, false
		}
		metrics[words[i+1]] = x
	}
	return words[0], metrics, true
}
