// Code generated from the formats of store/ingest/input. DO NOT EDIT.

package query

// sources are the kinds of files that turns come from: store.Source.
var sources = []string{
	"chatgpt",
	"claude",
	"gemini",
	"aistudio",
	"copilot",
	"deepseek",
	"grok",
	"lechat",
	"librechat",
	"openwebui",
	"perplexity",
	"aider",
	"amp",
	"claude-code",
	"cline",
	"codex",
	"copilot-cli",
	"cursor",
	"gemini-cli",
	"goose",
	"opencode",
	"pi",
	"vscode",
	"zed",
	"other",
	"documents",
	"chunks",
}
