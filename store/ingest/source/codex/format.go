package codex

import (
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of the log of a session, one file each: sessions/YEAR/MONTH/DAY/rollout-TIME-ID.jsonl in
// ~/.codex, and archived_sessions.
var Format = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Codex, Name: "Codex", Matches: matches, Companion: isTitles,
	Read: source.ReadsLog("codex: read", start),
	Get:  "the sessions on this machine",
	Kept: []source.Place{
		{Folder: ".codex", Var: "CODEX_HOME", Files: []string{
			"sessions/**/*.jsonl", "sessions/**/*.jsonl.zst", "archived_sessions/**/*.jsonl", "archived_sessions/**/*.jsonl.zst",
		}},
	},
}

func matches(s *source.Sample) bool {
	return s.Any(func(line source.Value) bool {
		if line.Get("payload").IsObject() {
			switch line.Get("type").Text() {
			case "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state":
				return true
			}
			return false
		}
		return isBare(line)
	})
}

// isBare reports whether a line is one of the first generation, without an envelope.
func isBare(line source.Value) bool {
	isMessage := line.Get("type").Text() == "message" && line.Get("role").IsString()
	return isMessage && !line.Has("payload") && !line.Has("sessionId") && line.Get("content").Any(isBlock)
}

func isBlock(block source.Value) bool {
	kind := block.Get("type").Text()
	return kind == "input_text" || kind == "output_text"
}
