package sqlite_test

import (
	"testing"

	"lens/store"
	"lens/store/sqlite"
	"lens/store/storetest"
)

// harness makes archives in folders of their own.
var harness = storetest.Harness{New: func(tb testing.TB) storetest.Open {
	dir := tb.TempDir()
	return func() (store.Store, error) { return sqlite.Open(tb.Context(), sqlite.Options{Dir: dir}) }
}}

func TestConformance(t *testing.T) { storetest.Run(t, harness) }

func BenchmarkStore(b *testing.B) { storetest.Bench(b, harness) }
