package claude

import (
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/source"
)

// Format is the layout of the conversations of an export.
var Format = source.Format{
	Source: store.Claude, Name: "Claude", Matches: matches, Read: source.Reads(Conversations),
	Derive: deriveAll, FindTools: findTools,
	Get:      "Settings, Privacy, Export data; a zip",
	Download: lazyregexp.New(`(?i)^(?:data-\d{4}(?:-\d\d){5}(?:-batch-\d+)?|claude[-_ ].*)\.zip$`),
}

func matches(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool { return c.Has("chat_messages") })
}
