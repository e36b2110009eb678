package claudecode

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of the log of a session, one file each: projects/FOLDER/SESSION.jsonl in ~/.claude, and those of
// subagents beside it.
var Format = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.ClaudeCode, Name: "Claude Code", Matches: matches,
	Read: source.ReadsLog("claude code: read", start),
	Get:  "the sessions on this machine",
	Kept: []source.Place{
		{Folder: ".claude", Var: "CLAUDE_CONFIG_DIR", Files: []string{"projects/**/*.jsonl"}},
		{Base: source.Config, Folder: "claude", Files: []string{"projects/**/*.jsonl"}},
	},
}

// matches looks at all sampled lines: the first ones are often titles and snapshots. Logs of the program that shortens
// a session repeat that session.
func matches(s *source.Sample) bool {
	if strings.HasPrefix(s.Name, "agent-acompact-") {
		return false
	}
	return s.Any(func(line source.Value) bool {
		kind, content := line.Get("type").Text(), line.Get("message", "content")
		return (kind == "user" || kind == "assistant") && (content.IsString() || content.IsArray()) && !line.Has("payload")
	})
}
