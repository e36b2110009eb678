package postgres_test

import (
	"testing"

	"lens/store"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

// harness creates each archive in its own schema.
var harness = storetest.Harness{New: func(tb testing.TB) storetest.Open {
	url := pgtest.Schema(tb)
	return func() (store.Store, error) { return postgres.Open(tb.Context(), postgres.Options{URL: url}) }
}}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, harness)
}

func BenchmarkStore(b *testing.B) { storetest.Bench(b, harness) }
