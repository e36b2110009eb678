package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/ingest/source/sourcetest"
)

// TestImport_Sources imports a file of each service that is not read from a folder of sessions, twice.
func TestImport_Sources(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"chat.html":     `<script>var jsonData = [{"id":"c1","mapping":{"q":{"message":{"author":{"role":"user"},"content":{"parts":["Why?"]}}}}}];</script>`,
		"Rust.md":       "# Rust\n\n#### You:\nWhy?\n\n#### ChatGPT:\nWater.\n",
		"Soap making":   `{"chunkedPrompt":{"chunks":[{"role":"user","text":"Lye?"},{"role":"model","text":"13.4 g."}]}}`,
		"savechat.json": `{"messages":[{"role":"user","content":"Brightest?"},{"role":"assistant","content":"Sirius."}]}`,
	})
	for path, want := range map[string]struct {
		source store.Source
		turns  int
	}{
		filepath.Join(dir, "chat.html"):                                         {store.ChatGPT, 1},
		filepath.Join(dir, "Rust.md"):                                           {store.ChatGPT, 1},
		filepath.Join(dir, "Soap making"):                                       {store.AIStudio, 1},
		filepath.Join(dir, "savechat.json"):                                     {store.Other, 1},
		"source/aider/testdata/.aider.chat.history.md":                          {store.Aider, 3},
		"source/amp/testdata/T-7c1e0000-aaaa-4bbb-8ccc-0000000000a1.json":       {store.Amp, 2},
		"source/cline/testdata/ui_messages.json":                                {store.Cline, 2},
		"source/cline/testdata/api_conversation_history.json":                   {store.Cline, 2},
		"source/goose/testdata/20260401_080000.jsonl":                           {store.Goose, 2},
		"source/aistudio/testdata/Candles.json":                                 {store.AIStudio, 3},
		"source/copilot/testdata/copilot-activity-history.csv":                  {store.Copilot, 4},
		"source/deepseek/testdata/conversations.json":                           {store.DeepSeek, 5},
		"source/grok/testdata/prod-grok-backend.json":                           {store.Grok, 7},
		"source/lechat/testdata/chat-7c1e0000-aaaa-4bbb-8ccc-0000000000b1.json": {store.LeChat, 2},
		"source/librechat/testdata/Bread.json":                                  {store.LibreChat, 2},
		"source/openwebui/testdata/chat-export-1746000000000.json":              {store.OpenWebUI, 7},
		"source/other/testdata/train.jsonl":                                     {store.Other, 3},
		"source/perplexity/testdata/thread.json":                                {store.Perplexity, 2},
	} {
		t.Run(string(want.source)+" "+filepath.Base(path), func(t *testing.T) {
			st := newArchive(t)
			r := importingFolder(t, st, path, ingest.Options{})
			if len(r.Files) != 1 || r.Files[0].Format != want.source || r.Turns.New != want.turns {
				t.Errorf("got %+v", r)
			}
			if again := importingFolder(t, st, path, ingest.Options{}); again.Changed() {
				t.Errorf("again: %+v", again)
			}
		})
	}
}

// TestImport_ChatsWithNamesOfDocuments imports chats whose names say that they are text or code: alone and in a folder
// with a note.
func TestImport_ChatsWithNamesOfDocuments(t *testing.T) {
	for from, want := range map[string]struct {
		source  store.Source
		turns   int
		generic bool
	}{
		"source/deepseek/testdata/conversations.json":                           {store.DeepSeek, 5, false},
		"source/grok/testdata/prod-grok-backend.json":                           {store.Grok, 7, false},
		"source/claudecode/testdata/9d1c3b1e-0000-4000-8000-00000000aaaa.jsonl": {store.ClaudeCode, 3, false},
		"source/other/testdata/train.jsonl":                                     {store.Other, 3, true},
		"source/aistudio/testdata/Candles.json":                                 {store.AIStudio, 3, false},
		"source/openwebui/testdata/chat-export-1746000000000.json":              {store.OpenWebUI, 7, false},
	} {
		data, err := os.ReadFile(from)
		testenv.Must(t, err)
		for _, name := range []string{"saved.json.txt", "saved.py", "saved.md", "saved.log"} {
			t.Run(string(want.source)+" "+name, func(t *testing.T) {
				dir := folderOf(t, map[string]string{name: string(data), "note.txt": "{ is a brace, and this is a note.\n"})
				r := importingFolder(t, newArchive(t), filepath.Join(dir, name), ingest.Options{})
				if len(r.Files) != 1 || r.Files[0].Format != want.source || r.Turns.New != want.turns {
					t.Errorf("named: got %+v", r)
				}
				r = importingFolder(t, newArchive(t), dir, ingest.Options{})
				isChat := len(r.Files) == 1 && r.Files[0].Format == want.source && r.Turns.New == want.turns
				if isChat == want.generic {
					t.Errorf("in a folder: got %+v", r)
				}
			})
		}
	}
}

// TestImport_Databases imports a database twice, and again when it has grown.
func TestImport_Databases(t *testing.T) {
	const first = "CREATE TABLE chat (id TEXT, user_id TEXT, title TEXT, chat JSON);" +
		`INSERT INTO chat VALUES ('a', 'u', 'x', '{"history":{"messages":{"m":{"role":"user","content":"Why?"}}}}');`
	st, path := newArchive(t), filepath.Join(t.TempDir(), "webui.db")
	for i, c := range []struct {
		content string
		turns   int
	}{
		{sourcetest.Database(t, first), 1},
		{sourcetest.Database(t, first), 0},
		{sourcetest.Database(t, first, strings.ReplaceAll(strings.ReplaceAll(first[strings.Index(first, "INSERT"):], "'a'", "'b'"), "Why", "How")), 1},
	} {
		testenv.Must(t, os.WriteFile(path, []byte(c.content), 0o600))
		r := importingFolder(t, st, path, ingest.Options{})
		if len(r.Files) != 1 || r.Files[0].Format != store.OpenWebUI || r.Turns.New != c.turns || r.Check() != nil {
			t.Errorf("import %d: got %+v", i, r)
		}
	}
}

// TestImport_NotesThatMentionChats are still documents.
func TestImport_NotesThatMentionChats(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.md":   "# Notes\n\nThe extension writes #### You: and #### ChatGPT: as headings.\n",
		"b.html": "<p>The page says <code>var jsonData</code>.</p>",
	} {
		path := filepath.Join(dir, name)
		testenv.Must(t, os.WriteFile(path, []byte(text), 0o600))
		if r := importingFolder(t, newArchive(t), path, ingest.Options{}); len(r.Files) != 1 || r.Files[0].Format != store.Documents {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
