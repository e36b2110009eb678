package retrieval

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// Chunk is the additional data of a turn that is a piece of a document, a record, or a piece of a document that derives
// from a chat.
type Chunk struct {
	Kind      string          `json:"kind,omitempty"` // what it is a piece of: query.Kinds
	ID        string          `json:"id,omitempty"`   // of a record, as it was given
	Filename  string          `json:"filename"`
	Path      string          `json:"path"`
	ClientTag string          `json:"client_tag"`
	Modified  *time.Time      `json:"modified_time"` // null: unknown
	MIME      string          `json:"mime"`
	Seq       int             `json:"seq"`       // which piece of its document, from 0
	Pages     []int           `json:"page_span"` // first and last, from 1; null without pages
	Meta      json.RawMessage `json:"meta,omitempty"`
	Origin    *Origin         `json:"origin,omitempty"` // of what derives from a chat
}

// Origin is where in a chat a piece comes from.
type Origin struct {
	Conversation uuid.UUID  `json:"conversation_id"`
	Turn         *uuid.UUID `json:"turn_id"` // null: of no turn
}

// Part names what a piece belongs to where its title does not say it: "artifact", "attachment". "" for an exchange, and
// for a piece of a file or a record.
func (c *Chunk) Part() string {
	if c == nil || c.Kind == string(store.File) || c.Kind == string(store.Record) {
		return ""
	}
	return c.Kind
}

// chunkOf returns a turn's chunk data, nil for an exchange of a chat.
func chunkOf(t *store.Turn) *Chunk {
	if t.Chunk == nil {
		return nil
	}
	c, d := t.Chunk, &t.Chunk.Document
	shown := &Chunk{
		Kind:      string(t.Source.Kind()),
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
	if origin, derived := d.Origin(); derived {
		shown.Origin = &Origin{origin.Conversation, optionalID(origin.Turn)}
		shown.Path = "" // a file has one
	}
	return shown
}

// sources returns the sources with these names, and those that derive from them.
func sources(names []string) (all []store.Source) {
	for _, name := range names {
		all = append(all, store.Source(name).Whole()...)
	}
	return all
}
