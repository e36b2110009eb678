package sqlite

import (
	"bytes"
	"context"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store"
)

func TestAuditHead_SurvivesReopening(t *testing.T) {
	from, to := Options{Dir: t.TempDir()}, Options{Dir: t.TempDir(), Keys: keysFor(t)}
	s := openIn(t, from)
	if head, err := s.AuditHead(t.Context()); head != nil || err != nil {
		t.Errorf("before any: %q, %v", head, err)
	}
	for _, head := range []string{"first", "second"} {
		must(t, s.SetAuditHead(t.Context(), []byte(head)))
		if got, err := s.AuditHead(t.Context()); string(got) != head || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) }))
	must(t, s.Close())
	must(t, Copy(t.Context(), from, to))
	s = openIn(t, to)
	if got, err := s.AuditHead(t.Context()); !bytes.Equal(got, []byte("second")) || err != nil {
		t.Errorf("in an encrypted copy, everything forgotten: %q, %v", got, err)
	}
	must(t, s.SetAuditHead(t.Context(), nil))
	if got, err := s.AuditHead(t.Context()); got != nil || err != nil {
		t.Errorf("taken away: %q, %v", got, err)
	}
}

// An import must not delay a query.
func TestSetAuditHead_DoesNotWaitForWriter(t *testing.T) {
	opts := Options{Dir: t.TempDir()}
	s, other := openIn(t, opts), openIn(t, opts)
	began := time.Now()
	must(t, s.Update(t.Context(), func(store.Tx) error {
		for name, st := range map[string]*Store{"this process": s, "another": other} {
			if err := st.SetAuditHead(context.Background(), []byte("x")); errs.CodeOf(err) != errs.Unavailable {
				t.Errorf("while %s writes: %v", name, err)
			}
		}
		return nil
	}))
	if took := time.Since(began); took > busyTimeout/2 {
		t.Errorf("it waited %v", took)
	}
	must(t, s.SetAuditHead(t.Context(), []byte("x")))
	reading := openIn(t, Options{Dir: opts.Dir, ReadOnly: true})
	if err := reading.SetAuditHead(t.Context(), []byte("y")); errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("of an archive that is only read: %v", err)
	}
}
