package chatgpt

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"lens/store/ingest/chat"
)

// BenchmarkParse measures the parse alone: Parsed values with turns and hashes, thrown away.
func BenchmarkParse(b *testing.B) {
	data := scaled(export(b), 32<<20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range Conversations(bytes.NewReader(data)) {
			var skip *chat.Skip
			if err != nil && !errors.As(err, &skip) {
				b.Fatal(err)
			}
		}
	}
}

// export is the real one where it is at hand, else the test's own.
func export(b *testing.B) []byte {
	if data, err := os.ReadFile(sharedPath("real-2023/conversations.json")); err == nil {
		return data
	}
	return fixture(b)
}

// scaled repeats the conversations of an export until it has size bytes.
func scaled(export []byte, size int) []byte {
	inner := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(export), []byte("[")), []byte("]"))
	big := append([]byte{'['}, inner...)
	for len(big) < size {
		big = append(append(big, ','), inner...)
	}
	return append(big, ']')
}
