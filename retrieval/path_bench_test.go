package retrieval_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/store/ingest"
	"lens/store/ingest/chat"
)

// BenchmarkPath reads the path of a conversation of 2,000 turns, and finds a text in it.
func BenchmarkPath(b *testing.B) {
	st := openSQLite(b)
	var nodes []string
	parent := ""
	add := func(id, role, text string) {
		nodes = append(nodes, fmt.Sprintf(`%q:{"id":%q,"parent":%q,"message":{"author":{"role":%q},"create_time":%d,"content":{"parts":[%q]}}}`,
			id, id, parent, role, 1700000000+len(nodes), text))
		parent = id
	}
	answer := strings.Repeat("Some words of an answer that goes on for a while. ", 30)
	for i := range 2000 {
		add(fmt.Sprint("q", i), "user", fmt.Sprint("Question ", i))
		add(fmt.Sprint("a", i), "assistant", fmt.Sprint(answer, i))
	}
	file := filepath.Join(b.TempDir(), "conversations.json")
	export := `[{"id":"c","current_node":"` + parent + `","mapping":{` + strings.Join(nodes, ",") + `}}]`
	testenv.Must(b, os.WriteFile(file, []byte(export), 0o600))
	if _, err := ingest.Import(b.Context(), st, []string{file}, ingest.Options{}); err != nil {
		b.Fatal(err)
	}
	e := retrieval.New(st, nil)
	b.Run("path", func(b *testing.B) {
		for b.Loop() {
			path, err := e.Path(b.Context(), asked("q1000"))
			if err != nil || len(path.Turns) != 2000 {
				b.Fatal(err)
			}
		}
	})
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			found, err := e.FindIn(b.Context(), uuid.NewSHA1(chat.Namespace, []byte("c")), regexp.MustCompile(`(?i)while\. 1999`))
			if err != nil || len(found) != 1 {
				b.Fatal(err, len(found))
			}
		}
	})
}
