package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/errs"
)

func TestLoad_AnyByteChanged(t *testing.T) {
	dir, c, want := saved(t)
	path, backup := filepath.Join(dir, fileName), filepath.Join(dir, backupName)
	whole, err := os.ReadFile(path)
	must(t, err)
	for i := range whole {
		file := bytes.Clone(whole)
		file[i] ^= 1
		must(t, os.WriteFile(path, file, 0o600))
		v, err := Load(dir, cheap(c))
		if err != nil || v.file.revision != 1 {
			t.Fatalf("byte %d, with the other file whole: %v", i, err)
		}
		must(t, os.WriteFile(backup, file, 0o600))
		if _, err := Load(dir, cheap(c)); errs.CodeOf(err) != "unavailable" && errs.CodeOf(err) != "invalid" {
			t.Fatalf("byte %d: %v", i, err)
		}
		must(t, os.WriteFile(backup, whole, 0o600))
	}
	for n := range whole {
		if _, err := decode(whole[:n]); err == nil {
			t.Fatalf("a file cut after %d bytes was accepted", n)
		}
	}
	v, err := Load(dir, cheap(c))
	must(t, err)
	must(t, v.Repair())
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("not repaired: %v", err)
	}
	if got, err := unlock(dir, phrase, cheap(c)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("after repair: %v", err)
	}
}

// TestUnlock_AnyByteForged changes bytes of the file and corrects the hash.
func TestUnlock_AnyByteForged(t *testing.T) {
	dir, c, _ := saved(t)
	path := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(path)
	must(t, err)
	must(t, os.Remove(filepath.Join(dir, backupName)))
	v, err := Load(dir, cheap(c))
	must(t, err)
	for i := range sumAt {
		if i >= 16 && i < 24 {
			continue // the revision only says which file is newer
		}
		file := bytes.Clone(whole)
		file[i] ^= 1
		sum := sha256.Sum256(file[:sumAt])
		copy(file[sumAt:], sum[:])
		w, err := decode(file)
		if err != nil {
			continue
		}
		forged := *v
		forged.file = w
		_, one := forged.open(w.slots[pinSlot], []byte(phrase))
		_, other := forged.open(w.slots[recoverySlot], []byte(words))
		if inFirst := i >= slotsAt && i < slotsAt+slotBytes; one == nil && (inFirst || i < slotsAt) || other == nil && !inFirst {
			t.Fatalf("byte %d makes no difference", i)
		}
	}
}

func TestLoad_ParametersBeyondLimits(t *testing.T) {
	dir, c, _ := saved(t)
	whole, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	for name, change := range map[string]func(slot []byte){
		"memory":    func(s []byte) { binary.LittleEndian.PutUint32(s[4:], maxMemory+1) },
		"no memory": func(s []byte) { binary.LittleEndian.PutUint32(s[4:], 0) },
		"passes":    func(s []byte) { binary.LittleEndian.PutUint32(s[8:], maxTime+1) },
		"no pass":   func(s []byte) { binary.LittleEndian.PutUint32(s[8:], 0) },
		"lanes":     func(s []byte) { binary.LittleEndian.PutUint32(s[12:], 256+1) },
		"no lane":   func(s []byte) { binary.LittleEndian.PutUint32(s[12:], 0) },
	} {
		for at := range 2 {
			file := bytes.Clone(whole)
			change(file[slotsAt+at*slotBytes:])
			sum := sha256.Sum256(file[:sumAt])
			copy(file[sumAt:], sum[:])
			for _, file := range []string{fileName, backupName} {
				must(t, os.Remove(filepath.Join(dir, file)))
			}
			must(t, os.WriteFile(filepath.Join(dir, fileName), file, 0o600))
			must(t, os.WriteFile(filepath.Join(dir, backupName), file, 0o600))
			if _, err := Load(dir, cheap(c)); errs.CodeOf(err) != "invalid" || !errors.Is(err, errParams) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	v := &Vault{opts: Options{Params: Params{Memory: 64, Time: 1, Threads: 1}}.withDefaults()}
	_, err := v.rekey(Secrets{PIN: phrase, NoKeyring: true, Recovery: words})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(v.file.encode())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) == fileBytes { // or the hash would reject every input
			sum := sha256.Sum256(file[:sumAt])
			copy(file[sumAt:], sum[:])
		}
		w, err := decode(file)
		if err != nil {
			if !errors.Is(err, errDamaged) && !errors.Is(err, errNewer) && !errors.Is(err, errParams) {
				t.Errorf("got %v", err)
			}
			return
		}
		for _, s := range w.slots {
			if s.params.Memory > maxMemory || s.params.Time > maxTime || s.params.Threads > maxThreads {
				t.Errorf("accepted %+v", s.params)
			}
		}
		if !bytes.Equal(w.encode(), file) {
			t.Error("the file changes when it is encoded again")
		}
	})
}
