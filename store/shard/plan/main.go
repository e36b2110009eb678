// Command plan reckons what retrieving from shards on AWS Lambda costs, and how quick it is. It reads the output of this repository's own
// benchmarks, so that what a query takes is measured where it runs (make shard-plan), and simulates a month of queries:
//
//   - Queries come at random (a Poisson process), all of them over everything, in hybrid mode, without a filter.
//   - An instance answers one at a time. When none is idle one begins: it fetches all its shards. It ends when it was idle for long.
//   - Once in a while an instance looks whether another generation was published; after a pause the query waits for that.
//   - Where there are several functions each has an equal part of the shards. Every query asks them all, and waits for the slowest.
//
// Embedding the query is not in it, nor what travels beyond the gateway. prices.go and assumptions.go have everything that is not measured.
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
