package offline

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Citation says where a statement comes from.
type Citation struct {
	File     string     `json:"file"`
	Modified *time.Time `json:"modified_time"` // null: unknown
	ChunkID  uuid.UUID  `json:"chunk_id"`
	Pages    []int      `json:"page_span"` // null without pages
}

func citationOf(h *Hit) Citation { return Citation{h.Filename, h.Modified, h.ChunkID, h.Pages} }

// String is how a citation reads: filename (modified YYYY-MM-DD), by UTC.
func (c Citation) String() string {
	if c.Modified == nil {
		return c.File + " (modified at an unknown time)"
	}
	return c.File + " (modified " + c.Modified.UTC().Format(time.DateOnly) + ")"
}

var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[^\pL\pN_])\[([0-9]{1,2})\]`) })

// named puts names in the place of numbers: [1] becomes [filename (modified YYYY-MM-DD)]. An index into a list, as in code, is left alone.
// source returns the citation of a number; false where there is none, and then the number stays.
func named(text string, source func(n int) (Citation, bool)) string {
	var b strings.Builder
	for text != "" {
		at := number().FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		n, _ := strconv.Atoi(text[at[4]:at[5]]) // two digits
		if c, ok := source(n); ok {
			b.WriteString(text[:at[3]] + "[" + c.String() + "]")
		} else {
			b.WriteString(text[:at[1]])
		}
		text = text[at[1]:]
	}
	return b.String() + text
}
