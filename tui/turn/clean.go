package turn

import (
	"encoding/json"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/tui/ui"
)

// Clean cleans all texts of a turn for the terminal; single lines stay single.
func Clean(t *retrieval.Turn) {
	t.Title, t.Model, t.Source = ui.Line(t.Title), ui.Line(t.Model), ui.Line(t.Source)
	t.Chunk = CleanChunk(t.Chunk)
	t.User, t.Assistant, t.Summary = cleantext.Text(t.User), cleantext.Text(t.Assistant), cleantext.Text(t.Summary)
}

// CleanChunk returns a clean copy of a chunk, nil for nil.
func CleanChunk(chunk *retrieval.Chunk) *retrieval.Chunk {
	if chunk == nil {
		return nil
	}
	c := *chunk
	for _, text := range []*string{&c.ID, &c.Filename, &c.Path, &c.ClientTag, &c.MIME} {
		*text = ui.Line(*text)
	}
	c.Meta = json.RawMessage(ui.Line(string(c.Meta)))
	return &c
}
