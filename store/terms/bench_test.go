package terms_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/testenv"
	"lens/store/terms"
)

// english returns abstracts and chat turns in English, or skips.
func english(tb testing.TB) []string {
	tb.Helper()
	var texts []string
	for _, pattern := range []string{"cranfield/chunks.jsonl", "locomo-dev/*/turns.jsonl"} {
		files, _ := filepath.Glob(testenv.SharedPath(pattern))
		for _, name := range files {
			texts = append(texts, read(tb, name)...)
		}
	}
	if len(texts) == 0 {
		tb.Skip("SKIPPED: no English text under ../shared/data: the analyzer's speed is not measured")
	}
	return texts
}

func read(tb testing.TB, name string) []string {
	file, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var texts []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var doc struct{ Text, User, Assistant string }
		if err := json.Unmarshal(lines.Bytes(), &doc); err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, doc.Text+doc.User+"\n"+doc.Assistant)
	}
	return texts
}

func BenchmarkDocument_English(b *testing.B) {
	texts := english(b)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	var a terms.Analyzer
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			a.Document(text)
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		terms.Query("how do I cancel async rust with SendMessageW")
	}
}
