package chatgpt

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"lens/internal/testenv"
	"lens/store/ingest/chat"
)

// BenchmarkConversations measures parsing alone, including turns and hashes.
func BenchmarkConversations(b *testing.B) {
	data := scaledExport(export(b), 32<<20)
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

// export returns the real export if it is available, else the one of the tests.
func export(b *testing.B) []byte {
	if data, err := os.ReadFile(testenv.SharedPath("exports/real-2023/conversations.json")); err == nil {
		return data
	}
	return fixture(b)
}

// scaledExport repeats the conversations of an export up to size bytes.
func scaledExport(export []byte, size int) []byte {
	inner := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(export), []byte("[")), []byte("]"))
	big := append([]byte{'['}, inner...)
	for len(big) < size {
		big = append(append(big, ','), inner...)
	}
	return append(big, ']')
}
