package codex

import (
	"strings"

	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// injected are the beginnings of texts in the person's name that the program wrote.
var injected = []source.Envelope{
	{Start: "# AGENTS.md"},
	{Start: "<INSTRUCTIONS>"},
	{Start: "<user_instructions>"},
	{Start: "<environment_context>"},
	{Start: "<recommended_plugins>", End: "</recommended_plugins>"},
	{Start: "<skill"},
	{Start: "<turn_aborted>"},
	{Start: "<subagent_notification>"},
	{Start: "<goal_context>"},
	{Start: `<codex_internal_context source="goal">`},
	{Start: "<user_shell_command>"},
	{Start: "<permissions instructions>"},
	{Start: "<collaboration_mode>"},
	{Start: "<personality_spec>"},
	{Start: "<warning>"},
	{Start: "<image name=", End: ">"},
	{Start: "</image", End: ">"},
}

// ownWords returns what the person wrote in the blocks of a message.
func ownWords(blocks []string) string {
	var own []string
	for _, text := range blocks {
		own = append(own, source.OwnWords(text, injected))
	}
	return chat.Paragraphs(own)
}

// isAborted reports whether a message says that the person stopped an answer.
func isAborted(blocks []string) bool {
	return len(blocks) > 0 && strings.HasPrefix(strings.TrimSpace(blocks[0]), "<turn_aborted>")
}

// sameWords is a text for comparing: two streams break its lines in different places.
func sameWords(text string) string { return strings.Join(strings.Fields(text), " ") }
