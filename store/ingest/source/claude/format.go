package claude

import (
	"lens/store"
	"lens/store/ingest/source"
)

// Format is the layout of the conversations of an export.
var Format = source.Format{
	Source: store.Claude, Name: "Claude", Matches: matches, Read: source.Reads(Conversations),
}

func matches(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool { return c.Has("chat_messages") })
}
