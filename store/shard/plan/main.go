// Command plan estimates the cost and latency of retrieval from shards on AWS Lambda. It reads the output of
// this repository's benchmarks (make shard-plan) and simulates a month of queries:
//
//   - Queries arrive at random (a Poisson process). All search everything, in hybrid mode, without a filter.
//   - An instance answers one query at a time. If none is idle, a new one starts and fetches all its shards.
//     It stops after a long idle time.
//   - An instance regularly checks for a new generation; after a pause the query waits for that.
//   - Several functions each hold an equal part of the shards. Every query asks all of them and waits for the
//     slowest.
//
// Embedding the query and the network beyond the gateway are not included. prices.go and assumptions.go list
// everything that is not measured.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plan:", err)
		os.Exit(1)
	}
}

func run(benchmarks io.Reader, to io.Writer) error {
	m, err := read(benchmarks)
	if err != nil {
		return err
	}
	return write(to, m)
}
