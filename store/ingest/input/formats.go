package input

import (
	"slices"

	"lens/store"
	"lens/store/ingest/source"
	"lens/store/ingest/source/aider"
	"lens/store/ingest/source/aistudio"
	"lens/store/ingest/source/amp"
	"lens/store/ingest/source/chatgpt"
	"lens/store/ingest/source/claude"
	"lens/store/ingest/source/claudecode"
	"lens/store/ingest/source/cline"
	"lens/store/ingest/source/codex"
	"lens/store/ingest/source/copilot"
	"lens/store/ingest/source/copilotcli"
	"lens/store/ingest/source/cursor"
	"lens/store/ingest/source/deepseek"
	"lens/store/ingest/source/gemini"
	"lens/store/ingest/source/geminicli"
	"lens/store/ingest/source/goose"
	"lens/store/ingest/source/grok"
	"lens/store/ingest/source/lechat"
	"lens/store/ingest/source/librechat"
	"lens/store/ingest/source/opencode"
	"lens/store/ingest/source/openwebui"
	"lens/store/ingest/source/other"
	"lens/store/ingest/source/perplexity"
	"lens/store/ingest/source/pi"
	"lens/store/ingest/source/vscode"
	"lens/store/ingest/source/zed"
)

// formats are all layouts of files with conversations that Lens reads: services, coding tools, and layouts of many
// programs, of which generic ones come last. Filters and lists of sources have this order.
var formats = []*source.Format{
	&chatgpt.Format,
	&chatgpt.Page,
	&chatgpt.Markdown,
	&claude.Format,
	&claude.Projects,
	&claude.Memories,
	&claude.Design,
	&gemini.Format,
	&aistudio.Format,
	&copilot.Format,
	&deepseek.Format,
	&grok.Format,
	&lechat.Format,
	&librechat.Format,
	&librechat.CSV,
	&openwebui.Format,
	&openwebui.Database,
	&perplexity.Format,
	&aider.Format,
	&amp.Format,
	&claudecode.Format,
	&cline.Task,
	&cline.History,
	&codex.Format,
	&copilotcli.Format,
	&cursor.Transcript,
	&cursor.Database,
	&geminicli.Session,
	&geminicli.Log,
	&goose.Log,
	&goose.Database,
	&opencode.Storage,
	&opencode.Database,
	&pi.Format,
	&vscode.Session,
	&vscode.Log,
	&zed.Format,
	&other.ChatbotUI,
	&other.TypingMind,
	&other.BetterChatGPT,
	&other.Generic,
}

// formatOf returns the format of a file, nil for none. Generic formats count only if the user named the file.
func formatOf(s *source.Sample, named bool) *source.Format {
	for _, f := range formats {
		if (named || !f.Generic) && f.Matches(s) {
			return f
		}
	}
	return nil
}

// isDownload reports whether a file is called as exports are that people download.
func isDownload(name string) bool {
	return slices.ContainsFunc(formats, func(f *source.Format) bool {
		return f.Download != nil && f.Download().MatchString(name)
	})
}

// WithDerived returns the format of a source that finds derived documents in conversations; nil: there are none.
func WithDerived(s store.Source) *source.Format {
	for _, f := range formats {
		if f.Source == s && f.Derive != nil {
			return f
		}
	}
	return nil
}
