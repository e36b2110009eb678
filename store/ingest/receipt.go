package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// Receipt says what became of everything that was read. Its JSON is what `lens import --json` prints.
//
// It adds up: every node of every file is in exactly one of messages.new, .updated, .unchanged and a reason of skipped; every
// entry of every file's array is in exactly one of conversations.new, .updated, .unchanged and a reason that begins with
// "conversation: ". Check proves it. A folder of documents is an array of documents, chunk JSONL one of records; the nodes of
// either are their chunks and what stands above them, and a document that did not change is not looked into.
type Receipt struct {
	Files          []FileReceipt  `json:"files"`
	Conversations  Changes        `json:"conversations"`
	Messages       Changes        `json:"messages"`
	Turns          TurnCounts     `json:"turns"`
	Skipped        map[string]int `json:"skipped"`               // by reason, over all files
	UnknownContent map[string]int `json:"unknown_content_types"` // messages that are kept, with no text that Lens knows how to read
	MissingShards  []string       `json:"missing_shards"`
	Unread         []Unread       `json:"unread,omitempty"`   // documents that were to be read and could not be, the first maxNamed
	Gone           []string       `json:"gone,omitempty"`     // paths of documents that are no longer there, the first maxNamed
	Vectors        *VectorCounts  `json:"vectors,omitempty"`  // that came with records
	Truncated      int            `json:"truncated"`          // texts that were cut
	Scrubbed       int            `json:"scrubbed,omitempty"` // texts in which NUL bytes, lone surrogates or invalid UTF-8 were replaced
	Duration       int64          `json:"duration_ms"`
}

// Unread is a document that could not be read, and why.
type Unread struct {
	Path string `json:"path"`
	Why  string `json:"why"` // "encrypted PDF"
}

// VectorCounts counts the vectors that came with records.
type VectorCounts struct {
	Given   int            `json:"given"`
	Refused map[string]int `json:"refused"` // by reason: not finite, of other dimensions …
}

// maxNamed is how many documents a receipt names.
const maxNamed = 1000

// FileReceipt says what was found in one file, or in one folder of documents.
type FileReceipt struct {
	Path          string         `json:"path"`
	Format        store.Source   `json:"format"`
	Conversations int            `json:"conversations"`
	Messages      int            `json:"messages"`
	Turns         int            `json:"turns"`
	Skipped       map[string]int `json:"skipped"`

	nodes   int // of all its conversations, as the parser counted them
	entries int // of its array
}

// Changes counts things by what the import did to them.
type Changes struct {
	New       int `json:"new"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
}

func (c *Changes) add(d Changes) {
	c.New += d.New
	c.Updated += d.Updated
	c.Unchanged += d.Unchanged
}

func (c Changes) total() int { return c.New + c.Updated + c.Unchanged }

// TurnCounts counts the turns of all files.
type TurnCounts struct {
	Total      int `json:"total"`
	New        int `json:"new"`
	Embeddable int `json:"embeddable"`
	OffPath    int `json:"off_path"`
	Undated    int `json:"undated"`
}

// Reasons to skip whole entries of a file's array begin like one of these; the others are reasons to skip nodes.
const (
	skippedEntry    = "conversation: "
	skippedDocument = "document: "
	skippedRecord   = "record: "
	skippedNode     = "node of a conversation that could not be read"
)

// skippedPrefix is how reasons to skip entries of a format begin.
func skippedPrefix(format store.Source) string {
	switch format {
	case store.Documents:
		return skippedDocument
	case store.Chunks:
		return skippedRecord
	}
	return skippedEntry
}

func newReceipt() *Receipt {
	return &Receipt{
		Files: []FileReceipt{}, Skipped: map[string]int{}, UnknownContent: map[string]int{}, MissingShards: []string{},
	}
}

// clone returns a receipt that can be added to without changing r.
func (r *Receipt) clone() *Receipt {
	c := *r
	c.Files = slices.Clone(r.Files)
	for i := range c.Files {
		c.Files[i].Skipped = maps.Clone(c.Files[i].Skipped)
	}
	c.Unread, c.Gone = slices.Clip(r.Unread), slices.Clip(r.Gone)
	c.Skipped, c.UnknownContent = maps.Clone(r.Skipped), maps.Clone(r.UnknownContent)
	return &c
}

// addFile opens the account of a file.
func (r *Receipt) addFile(path string, format store.Source) {
	r.Files = append(r.Files, FileReceipt{Path: path, Format: format, Skipped: map[string]int{}})
}

// record books what was read of the files and what became of it. It is called for what is committed, so that the receipt of an
// import that fails adds up too.
func (r *Receipt) record(read []entry, done outcome) {
	for _, e := range read {
		f := &r.Files[e.file]
		f.entries++
		if e.skip != nil {
			r.countSkipped(f, e.skip)
		} else {
			r.countParsed(f, e.parsed)
		}
	}
	r.Conversations.add(done.conversations)
	r.Messages.add(done.messages)
	r.Turns.New += done.newTurns
}

func (r *Receipt) countParsed(f *FileReceipt, p *chat.Parsed) {
	f.nodes += p.Count.Nodes
	f.Conversations++
	f.Messages += p.Count.Messages
	f.Turns += len(p.Turns)
	for reason, n := range p.Count.Skipped {
		r.skip(f, reason, n)
	}
	for kind, n := range p.Count.UnknownContent {
		r.UnknownContent[kind] += n
	}
	if p.Document != nil && p.Document.Gone && len(r.Gone) < maxNamed {
		r.Gone = append(r.Gone, p.Document.Path)
	}
	r.Vectors = r.Vectors.plus(&p.Count)
	r.Truncated += p.Count.Truncated
	r.Scrubbed += p.Count.Scrubbed
	r.Turns.Total += len(p.Turns)
	for i := range p.Turns {
		t := &p.Turns[i]
		r.Turns.Embeddable += toInt(t.Embeddable)
		r.Turns.OffPath += toInt(!t.OnPath)
		r.Turns.Undated += toInt(t.TimeSource == store.Undated)
	}
}

// plus returns v and what c counts; nil where there is nothing. v stays as it is: a receipt that is not committed shares it.
func (v *VectorCounts) plus(c *chat.Count) *VectorCounts {
	if c.Vectors == 0 {
		return v
	}
	sum := &VectorCounts{Given: c.Vectors, Refused: map[string]int{}}
	if v != nil {
		sum.Given += v.Given
		maps.Copy(sum.Refused, v.Refused)
	}
	for reason, n := range c.RefusedVectors {
		sum.Refused[reason] += n
	}
	return sum
}

func (r *Receipt) countSkipped(f *FileReceipt, s *chat.Skip) {
	f.nodes += s.Nodes
	r.skip(f, skippedPrefix(f.Format)+s.Reason, 1)
	r.skip(f, skippedNode, s.Nodes)
	if s.File != "" && len(r.Unread) < maxNamed {
		r.Unread = append(r.Unread, Unread{s.File, s.Reason})
	}
}

func (r *Receipt) skip(f *FileReceipt, reason string, n int) {
	if n > 0 {
		f.Skipped[reason] += n
		r.Skipped[reason] += n
	}
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Changed reports whether the import changed anything, or would have.
func (r *Receipt) Changed() bool { return r.Conversations.New+r.Conversations.Updated > 0 }

// Check returns an error that names the first sum that does not come out right, nil when the receipt adds up. It needs the Receipt that
// Import returned: what it proves against is not in the JSON.
func (r *Receipt) Check() error {
	var sum FileReceipt
	skipped := map[string]int{}
	for _, f := range r.Files {
		nodes, entries := f.skips()
		if err := firstOf(
			checkEqual("nodes of "+f.Path, f.nodes, f.Messages+nodes),
			checkEqual("entries of "+f.Path, f.entries, f.Conversations+entries),
		); err != nil {
			return err
		}
		sum.Conversations += f.Conversations
		sum.Messages += f.Messages
		sum.Turns += f.Turns
		for reason, n := range f.Skipped {
			skipped[reason] += n
		}
	}
	if !maps.Equal(skipped, r.Skipped) {
		return fmt.Errorf("receipt: the files skipped %v, in all %v", skipped, r.Skipped)
	}
	return firstOf(
		checkEqual("conversations", sum.Conversations, r.Conversations.total()),
		checkEqual("messages", sum.Messages, r.Messages.total()),
		checkEqual("turns", sum.Turns, r.Turns.Total),
		checkWithin("new turns", r.Turns.New, r.Turns.Total),
		checkWithin("embeddable turns", r.Turns.Embeddable, r.Turns.Total),
		checkWithin("turns off the path", r.Turns.OffPath, r.Turns.Total),
		checkWithin("undated turns", r.Turns.Undated, r.Turns.Total),
	)
}

// skips sums the reasons that count nodes, and those that count entries.
func (f *FileReceipt) skips() (nodes, entries int) {
	for reason, n := range f.Skipped {
		if strings.HasPrefix(reason, skippedPrefix(f.Format)) {
			entries += n
		} else {
			nodes += n
		}
	}
	return nodes, entries
}

func checkEqual(what string, read, counted int) error {
	if read != counted {
		return fmt.Errorf("receipt: %s: %d were read, %d are accounted for", what, read, counted)
	}
	return nil
}

func checkWithin(what string, part, whole int) error {
	if part < 0 || part > whole {
		return fmt.Errorf("receipt: %s: %d of %d", what, part, whole)
	}
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
