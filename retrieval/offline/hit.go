package offline

import (
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
)

// Hit is a chunk of a document, or a turn of a chat, that may answer a query. For a turn, the file is its
// conversation and the modified time is the turn's. Times in JSON are RFC 3339 UTC.
type Hit struct {
	ChunkID   uuid.UUID  `json:"chunk_id"`
	Filename  string     `json:"filename"`
	Path      string     `json:"path"`
	ClientTag string     `json:"client_tag"`
	Modified  *time.Time `json:"modified_time"` // null: unknown
	MIME      string     `json:"mime"`
	Chat      bool       `json:"chat,omitempty"` // a turn of a chat
	Pages     []int      `json:"page_span"`      // first and last, from 1; null without pages

	ANN     float64  `json:"ann_score"`     // cosine; 0 without a vector
	Keyword float64  `json:"keyword_score"` // BM25
	Final   *float64 `json:"final_score,omitempty"`
	Snippet string   `json:"snippet,omitempty"` // its sentence that answers best

	Parts *Parts `json:"explain,omitempty"`
}

// Parts are the parts of a hit's scores.
type Parts struct {
	AgeDays      *float64 `json:"age_days"` // null: unknown
	Recency      float64  `json:"recency"`  // exp(−age/τ); 0 when the age is unknown
	RecencyBoost float64  `json:"recency_boost"`
	Search       float64  `json:"search_score"` // what Search orders by: ann_score + recency_boost
	NoVector     bool     `json:"no_vector,omitempty"`

	ANNNorm     float64 `json:"ann_norm"` // these four are Rerank's
	KeywordNorm float64 `json:"keyword_norm"`
	RecencyNorm float64 `json:"recency_norm"`
	Final       float64 `json:"final_score"`
}

// describe fills in the name, the times and the place of a hit.
func (h *Hit) describe(t *retrieval.Turn) {
	h.Filename, h.Modified, h.Chat = t.Title, t.Time, t.Chunk == nil
	if c := t.Chunk; c != nil {
		h.Filename, h.Path, h.ClientTag, h.MIME, h.Pages = c.Filename, c.Path, c.ClientTag, c.MIME, c.Pages
		if c.Modified != nil {
			h.Modified = c.Modified
		}
	}
	if h.Filename == "" {
		h.Filename = "untitled"
	}
}
