package storetest_test

import (
	"testing"

	"lens/store"
	"lens/store/sqlite"
	"lens/store/storetest"
)

func ExampleRun() {
	var t *testing.T // the test's own
	storetest.Run(t, storetest.Harness{New: func(tb testing.TB) storetest.Open {
		dir := tb.TempDir()
		return func() (store.Store, error) { return sqlite.Open(tb.Context(), sqlite.Options{Dir: dir}) }
	}})
}
