// Package claude reads the conversations of a Claude export. It is pure.
package claude

import (
	"io"
	"iter"

	"lens/store/ingest/chat"
)

// Conversations yields the conversations of one JSON file of an export in the order of the file. A *chat.Skip in place of a
// conversation says why it could not be read, and what follows it still comes; any other error is a *store.Error and the last
// thing yielded.
//
// Messages follow one another as the file lists them, unless they name their parents. A time that cannot be read is an unknown
// time, no reason to give up.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("claude: read", r, decode)
}
