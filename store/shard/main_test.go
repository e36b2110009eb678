package shard

import (
	"testing"

	"go.uber.org/goleak"

	"lens/internal/testenv"
	"lens/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// skipIfShort skips sequential tests with -short: under the race detector publishing takes minutes and finds nothing.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT with -short")
	}
}

var must = testenv.Must

func publish(t testing.TB, st store.Store, to Bucket, opts PublishOptions) *PublishReport {
	t.Helper()
	p, err := Publish(t.Context(), st, to, opts)
	must(t, err)
	return p
}
