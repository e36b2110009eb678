// Package testenv is what tests of many packages stand on: data beside the repository, the synthetic export, and
// processes that a test starts and may kill.
//
// Rules: only tests and packages that support tests import it. It knows no package of the engine, so that every
// package can use it; an archive comes from store/archivetest. What a test needs and does not get fails or skips that
// test with a sentence, never silently.
package testenv

import (
	"iter"
	"testing"
)

// Must ends the test if there is an error.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Collect returns what a stream yields. An error in it ends the test.
func Collect[T any](tb testing.TB, stream iter.Seq2[T, error]) (all []T) {
	tb.Helper()
	for one, err := range stream {
		Must(tb, err)
		all = append(all, one)
	}
	return all
}
