package retrieval

import (
	"encoding/json"
	"time"

	"lens/store"
)

// Chunk is the additional data of a turn that comes from a document or a record, not from a chat.
type Chunk struct {
	ID        string          `json:"id,omitempty"` // of a record, as it was given
	Filename  string          `json:"filename"`
	Path      string          `json:"path"`
	ClientTag string          `json:"client_tag"`
	Modified  *time.Time      `json:"modified_time"` // null: unknown
	MIME      string          `json:"mime"`
	Seq       int             `json:"seq"`       // which piece of its document, from 0
	Pages     []int           `json:"page_span"` // first and last, from 1; null without pages
	Meta      json.RawMessage `json:"meta,omitempty"`
}

// chunkOf returns a turn's chunk data, nil for an exchange of a chat.
func chunkOf(t *store.Turn) *Chunk {
	if t.Chunk == nil {
		return nil
	}
	c, d := t.Chunk, &t.Chunk.Document
	shown := &Chunk{
		ID:        c.ID,
		Filename:  d.Filename,
		Path:      d.Path,
		ClientTag: d.ClientTag,
		MIME:      d.MIME,
		Seq:       c.Seq,
		Meta:      json.RawMessage(c.Meta),
	}
	if !d.Modified.IsZero() {
		shown.Modified = inUTC(d.Modified)
	}
	if c.Pages != (store.PageSpan{}) {
		shown.Pages = []int{c.Pages.First, c.Pages.Last}
	}
	return shown
}

// sources converts source names to the store's type.
func sources(names []string) (all []store.Source) {
	for _, name := range names {
		all = append(all, store.Source(name))
	}
	return all
}
