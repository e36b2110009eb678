package sqlite

import (
	"math/rand/v2"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/store"
	"lens/store/storetest"
)

func TestRecoverPanic_ValueTooLarge(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, put(t.Context(), s, storetest.Chat(3, "kept")))
	must(t, s.writer.Exec("PRAGMA hard_heap_limit = 25000000"))
	huge := storetest.Chat(1, "huge")
	huge.Messages[0].Raw = make([]byte, 30_000_000)
	rand.NewChaCha8([32]byte{}).Read(huge.Messages[0].Raw) // random bytes, which do not compress
	failed := make(chan error)
	go func() { failed <- put(t.Context(), s, huge) }()
	wantError(t, <-failed, errs.TooLarge, "too large")
	must(t, put(t.Context(), s, storetest.Chat(2, "afterwards")))
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	if catalog.Len() != 5 {
		t.Errorf("%d turns, want the 5 of what was not too large", catalog.Len())
	}
	must(t, s.checkIntegrity())
}

func TestRecoverPanic_DriverPanic(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	err := s.explain(t.Context(), "test", func() (err error) {
		defer recoverPanic(&err)
		panic("out of bounds")
	}())
	if wantError(t, err, errs.Internal, "engine failed"); !strings.Contains(err.Error(), "out of bounds") {
		t.Errorf("%v does not say what happened", err)
	}
}

func TestRecoverPanic_CallerPanicPassesThrough(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	must(t, put(t.Context(), s, storetest.Chat(3, "word")))
	defer func() {
		if p := recover(); p != "the caller's" {
			t.Errorf("recovered %v", p)
		}
	}()
	for range s.EachTurn(t.Context(), store.Filter{}) {
		panic("the caller's")
	}
}
