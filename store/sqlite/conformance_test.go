package sqlite_test

import (
	"os"
	"testing"

	"lens/internal/vault"
	"lens/store"
	"lens/store/sqlite"
	"lens/store/storetest"
)

// harness creates each archive in its own folder.
var harness = storetest.Harness{New: func(tb testing.TB) storetest.Open {
	dir := tb.TempDir()
	return func() (store.Store, error) { return sqlite.Open(tb.Context(), sqlite.Options{Dir: dir}) }
}}

// encrypted creates encrypted archives, each with its own key.
var encrypted = storetest.Harness{New: func(tb testing.TB) storetest.Open {
	dir := tb.TempDir()
	_, keys, err := vault.New(dir, vault.Secrets{PIN: "correct horse battery", NoKeyring: true, Recovery: vault.NewRecovery()},
		vault.Options{Params: vault.Params{Memory: 64, Time: 1, Threads: 1}})
	return func() (store.Store, error) {
		if err != nil {
			return nil, err
		}
		return sqlite.Open(tb.Context(), sqlite.Options{Dir: dir, Keys: keys})
	}
}}

func TestConformance(t *testing.T) { storetest.Run(t, harness) }

func TestConformance_Encrypted(t *testing.T) {
	if testing.Short() {
		t.Skip("the same code as unencrypted, but for the bytes on the disk")
	}
	storetest.Run(t, encrypted)
}

func BenchmarkStore(b *testing.B) { storetest.Bench(b, harness) }

func BenchmarkStore_Encrypted(b *testing.B) {
	if os.Getenv("LENS_BENCH") != "full" {
		b.Skip("LENS_BENCH=full compares an encrypted archive with a plain one")
	}
	storetest.Bench(b, encrypted)
}
