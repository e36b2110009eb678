// Package claude parses the conversations of a Claude export. It does no I/O of its own.
package claude

import (
	"io"
	"iter"

	"lens/store/ingest/chat"
)

// Conversations yields the conversations of one JSON file of an export, in order. For a conversation that cannot be
// read it yields a *chat.Skip with the reason and continues; any other error is a *errs.Error and the last value.
//
// Messages are in the order of the file, unless they name their parents. A time that cannot be parsed is unknown; it
// does not fail the conversation.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("claude: read", r, decode)
}
