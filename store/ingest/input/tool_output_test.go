package input

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"lens/internal/testenv"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// TestFormats_LeaveOutputsOfTools has, for each program that writes both into one record, an answer in words beside a
// file that a tool read.
func TestFormats_LeaveOutputsOfTools(t *testing.T) {
	file := strings.Repeat(`AWS_SECRET_ACCESS_KEY=abc\n`, 12_000)
	for name, c := range map[string]struct{ file, format string }{
		"Claude Code": {"a.jsonl", `{"type":"user","uuid":"1","message":{"content":"q"}}
{"type":"assistant","uuid":"2","parentUuid":"1","message":{"content":[{"type":"text","text":"Done."},{"type":"tool_use","input":{"content":"%s"}}]}}`},
		"Cursor": {"a.jsonl", `{"role":"user","message":{"content":"q"}}
{"role":"assistant","message":{"content":[{"type":"text","text":"Done."},{"type":"tool_use","name":"Write","input":{"x":"%s"}}]}}`},
		"Gemini CLI": {"a.jsonl", `{"sessionId":"s","projectHash":"p"}
{"id":"1","type":"user","content":"q"}
{"id":"2","type":"gemini","content":"Done.","toolCalls":[{"name":"read_file","result":[{"output":"%s"}]}]}`},
		"GitHub Copilot CLI": {"a.jsonl", `{"type":"user.message","id":"1","data":{"content":"q"}}
{"type":"assistant.message","id":"2","data":{"content":"Done.","toolRequests":[{"arguments":"%s"}]}}`},
		"Pi": {"a.jsonl", `{"type":"session","id":"s"}
{"type":"message","id":"1","message":{"role":"user","content":"q"}}
{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":[{"type":"text","text":"Done."},{"type":"toolCall","name":"write","arguments":"%s"}]}}`},
		"Visual Studio Code": {"a.json", `{"sessionId":"s","requests":[{"requestId":"r","message":{"text":"q"},
"response":[{"value":"Done."},{"kind":"toolInvocationSerialized","resultDetails":"%s"}]}]}`},
	} {
		content := fmt.Sprintf(c.format, file)
		sample, err := source.NewSample(c.file, int64(len(content)), strings.NewReader(content))
		testenv.Must(t, err)
		format := formatOf(sample, true)
		if format == nil || format.Name != name {
			t.Errorf("%s: matches %v", name, format)
			continue
		}
		all := testenv.Collect(t, format.Read(&source.File{Reader: strings.NewReader(content), Name: c.file}))
		if len(all) != 1 || len(all[0].Turns) != 1 || all[0].Turns[0].AssistantText != "Done." {
			t.Errorf("%s: got %+v", name, all)
			continue
		}
		for _, m := range all[0].Messages {
			if len(m.Text)+len(m.Raw) > chat.MaxAside || bytes.Contains(m.Raw, []byte("SECRET")) {
				t.Errorf("%s: kept %d bytes: %.300s", name, len(m.Raw), m.Raw)
			}
		}
	}
}
