// Package chatgpt parses the conversations of a ChatGPT export. It does no I/O of its own.
//
// Parsing has two steps. The library go-json-experiment/json/jsontext splits the file into conversations, with few in
// memory at a time, and checks that they are well-formed. chat.Cursor then reads one conversation and picks the few
// fields that matter, without checking again. On a real export of 2.8 MB and one thread the first step runs at 800
// MB/s. Only filling structs by reflection ran at 57 MB/s (encoding/json), 155 (json v2), 260 to 450 (sonic) and 340 to
// 510 (goccy/go-json). sonic and goccy are tied to versions of Go and to unsafe memory, sonic also to two processor
// families. jsontext is plain Go that is on its way into the standard library, reports where a value begins and ends,
// and rejects malformed input by clear rules. Building turns and hashes (SHA-256 of every message's JSON and text, 1.4
// GB/s) now takes longest; it runs in parallel.
package chatgpt

import (
	"io"
	"iter"

	"lens/store/ingest/chat"
)

// Conversations yields the conversations of one JSON file of an export, in order: an array of conversations, an object
// {"conversations": […]}, or a single conversation. For a conversation that cannot be read it yields a
// *chat.Skip with the reason and continues; any other error is a *errs.Error and the last value. After those of the
// file it yields a conversation, without a turn, for each text that ChatGPT handed to chats: custom instructions, and
// what it remembers.
//
// It reads all known variants of the format since 2023 and requires none of their fields: nodes may have no lists of
// children, messages no metadata, content no type.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return conversations(r, nil)
}

func conversations(r io.Reader, beside *textdocs) iter.Seq2[*chat.Parsed, error] {
	return withContexts(chat.Stream("chatgpt: read", r, func(raw []byte) (*chat.Parsed, *chat.Skip) {
		return decode(raw, beside)
	}))
}
