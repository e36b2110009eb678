package ingest_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest"
)

// packers compress as the programs do whose files Lens unpacks.
var packers = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	".zst": func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err)
		}
		return z
	},
}

func packed(t testing.TB, suffix, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := packers[suffix](&b)
	_, err := io.WriteString(w, data)
	testenv.Must(t, err)
	testenv.Must(t, w.Close())
	return b.String()
}

// noise returns n random letters, which hardly compress.
func noise(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(r.IntN(26))
	}
	return string(b)
}

// cutSession is a session of Claude Code with n questions of 2 KB.
func cutSession(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		for _, role := range []string{"user", "assistant"} {
			fmt.Fprintf(&b, `{"type":%q,"uuid":"%s-%d","sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":%[1]q,"content":%[4]q}}`+"\n",
				role, role, i, noise(r, 2000))
		}
	}
	return b.String()
}

// cutLists is JSON Lines of n chats that any program could have written.
func cutLists(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, `{"messages":[{"role":"user","content":%q},{"role":"assistant","content":%q}]}`+"\n", noise(r, 2000), noise(r, 2000))
	}
	return b.String()
}

// TestImport_CutCompressed imports compressed files that break off in the middle: what is whole before that comes in,
// the cut is named, and the whole file adds the rest.
func TestImport_CutCompressed(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(1, 2))
	chats := manyChats(n)
	for i := range chats {
		chats[i].messages[1].text = noise(r, 4000)
	}
	export, err := json.Marshal(chats)
	testenv.Must(t, err)
	for name, c := range map[string]struct{ name, data string }{
		"an export":           {"conversations.json", string(export)},
		"a session":           {"s.jsonl", cutSession(r, n)},
		"chats of other tool": {"chats.jsonl", cutLists(r, n)},
	} {
		for suffix := range packers {
			t.Run(name+suffix, func(t *testing.T) {
				st, want, path := newArchive(t), newArchive(t), filepath.Join(t.TempDir(), c.name+suffix)
				whole := packed(t, suffix, c.data)
				writeFile(t, path, whole[:len(whole)/2])
				got, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
				var failure *errs.Error
				if !errors.As(err, &failure) || failure.Code != errs.Invalid || failure.Hint == "" {
					t.Fatalf("got %v", err)
				}
				const cut = "the compressed file is incomplete or damaged; "
				if !strings.Contains(got.Paths[0].Error, cut) || got.Check() != nil {
					t.Errorf("the receipt says %q, %v", got.Paths[0].Error, got.Check())
				}
				if n := got.Turns.New; n < 60 || n > 110 {
					t.Errorf("%d turns of the first half", n)
				}
				writeFile(t, path, whole)
				imports(t, st, path, 0, ingest.Options{})
				imports(t, want, path, 0, ingest.Options{})
				if exportAll(t, st) != exportAll(t, want) {
					t.Error("the whole file, after the half: another archive")
				}
			})
		}
	}
}
