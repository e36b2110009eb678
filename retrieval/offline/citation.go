package offline

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"lens/internal/lazyregexp"
)

// Citation says where a statement comes from.
type Citation struct {
	File     string     `json:"file"`
	Modified *time.Time `json:"modified_time"` // null: unknown
	ChunkID  uuid.UUID  `json:"chunk_id"`
	Pages    []int      `json:"page_span"`      // null without pages
	Chat     bool       `json:"chat,omitempty"` // a turn of a chat, which the time is that of
}

// Citation returns the citation of a hit.
func (h *Hit) Citation() Citation {
	return Citation{h.Filename, h.Modified, h.ChunkID, h.Pages, h.Chat}
}

// String formats a citation, in UTC: filename (modified YYYY-MM-DD), or the title of a chat (YYYY-MM-DD).
func (c Citation) String() string {
	when := "at an unknown time"
	if c.Modified != nil {
		when = c.Modified.UTC().Format(time.DateOnly)
	}
	if !c.Chat {
		when = "modified " + when
	}
	return c.File + " (" + when + ")"
}

var (
	number  = lazyregexp.New(`\[[0-9]{1,2}\]`)
	numbers = lazyregexp.New(`(?:^|[^\pL\pN_\]])(?:\[[0-9]{1,2}\])+`)
)

// nameCitations replaces numbers by names: [1] becomes [filename (modified YYYY-MM-DD)]. Indices into a list, as in
// code, stay. source returns the citation of a number; where it returns false, the number stays too.
func nameCitations(text string, source func(n int) (Citation, bool)) string {
	return numbers().ReplaceAllStringFunc(text, func(several string) string {
		return number().ReplaceAllStringFunc(several, func(one string) string {
			n, _ := strconv.Atoi(one[1 : len(one)-1]) // two digits
			if c, ok := source(n); ok {
				return "[" + c.String() + "]"
			}
			return one
		})
	})
}
