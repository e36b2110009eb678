package vault

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"lens/internal/errs"
)

func TestKeys_AfterZero(t *testing.T) {
	dir, c, _ := saved(t)
	v, err := Load(dir, cheap(c))
	must(t, err)
	keys, err := v.Unlock(phrase)
	must(t, err)
	box, err := keys.Seal("test", "a", []byte("text"))
	must(t, err)
	inside := keys.dek
	keys.Zero()
	keys.Zero()
	_, derived := keys.Derive("test")
	_, sealed := keys.Seal("test", "a", nil)
	_, opened := keys.Open("test", "a", box)
	for name, err := range map[string]error{"derive": derived, "seal": sealed, "open": opened, "wrap": v.SetRecovery(keys, words), "hold": v.Hold(keys, time.Second)} {
		if errs.CodeOf(err) != "locked" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(inside, make([]byte, keyBytes)) {
		t.Error("the key is still in memory")
	}
}

func TestSeal_BoundToPurposeAndName(t *testing.T) {
	keys := newKeys()
	plain := []byte("a secret")
	box, err := keys.Seal("desk", "a", plain)
	must(t, err)
	if bytes.Contains(box, plain) {
		t.Error("the content is not encrypted")
	}
	for _, c := range []struct {
		keys          *Keys
		purpose, name string
		opens         bool
	}{{keys, "desk", "a", true}, {keys, "desk", "b", false}, {keys, "chat", "a", false}, {newKeys(), "desk", "a", false}} {
		got, err := c.keys.Open(c.purpose, c.name, bytes.Clone(box))
		if c.opens && (err != nil || !bytes.Equal(got, plain)) || !c.opens && !errors.Is(err, ErrSealed) {
			t.Errorf("%s %s: %q, %v", c.purpose, c.name, got, err)
		}
	}
	for i := range box {
		changed := bytes.Clone(box)
		changed[i] ^= 1
		if _, err := keys.Open("desk", "a", changed); !errors.Is(err, ErrSealed) {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := keys.Open("desk", "a", bytes.Clone(box[:i])); !errors.Is(err, ErrSealed) {
			t.Fatalf("cut after %d: %v", i, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	keys := newKeys()
	box, err := keys.Seal("desk", "a", []byte("text"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(box)
	f.Add([]byte(sealMagic))
	f.Fuzz(func(t *testing.T, file []byte) {
		same := bytes.Equal(file, box)
		if _, err := keys.Open("desk", "a", bytes.Clone(file)); (err == nil) != same {
			t.Errorf("got %v", err)
		}
	})
}
