// Package chatgpt reads the conversations of a ChatGPT export. It is pure.
//
// Reading has two halves. The JSON library go-json-experiment/json/jsontext cuts the file into conversations, few in memory at a
// time, and finds out whether they are well-formed; chat.Cursor then walks over the bytes of one conversation and takes the few
// fields that matter, checking nothing twice. On a real export of 2.8 MB and one thread, that is 800 MB/s for the first half,
// where filling structs by reflection came to 57 MB/s (encoding/json), 155 (json v2), 260 to 450 (sonic) and 340 to 510
// (goccy/go-json) before anything was made of the structs. sonic and goccy were faster than the other two, but are bound to
// versions of Go and to unsafe memory, sonic also to two processors; jsontext is plain Go on its way into the standard library,
// tells where a message begins and ends, and refuses malformed input by its own rules rather than by accident. Building turns
// and hashes (SHA-256 of every message's JSON and text, 1.4 GB/s) is what takes longest now; it runs beside the cutting.
package chatgpt

import (
	"io"
	"iter"

	"lens/store/ingest/chat"
)

// Conversations yields the conversations of one JSON file of an export in the order of the file: an array of conversations, an
// object {"conversations": […]}, or a single conversation. A *chat.Skip in place of a conversation says why it could not be
// read, and what follows it still comes; any other error is a *store.Error and the last thing yielded.
//
// All that is known of the format since 2023 is read, and none of it is required: nodes with and without lists of children,
// messages without metadata, content without a type.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("chatgpt: read", r, decode)
}
