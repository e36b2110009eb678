package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
)

// Receipt counts what an import did with everything that it read. `lens import --json` prints its JSON.
//
// It adds up, and Check proves it: every node of every file is in exactly one of messages.new, .updated, .unchanged and
// a reason of skipped; every entry of every file's array is in exactly one of conversations.new, .updated, .unchanged
// and a reason that begins with "conversation: ". A folder of documents is an array of documents, chunk JSONL an array
// of records; their nodes are the chunks and headings. The nodes of an unchanged document are not counted.
//
// What the archive has once is counted once, where it was read first; elsewhere it is skipped as repeated. What a
// service keeps beside the chats counts as derived documents alone.
type Receipt struct {
	Paths          []PathReceipt  `json:"paths"`
	Files          []FileReceipt  `json:"files"`
	Conversations  Changes        `json:"conversations"`
	Messages       Changes        `json:"messages"`
	Older          int            `json:"older_messages"` // of messages.new, those that an older version had alone
	Turns          TurnCounts     `json:"turns"`
	Skipped        map[string]int `json:"skipped"`               // by reason, over all files
	UnknownContent map[string]int `json:"unknown_content_types"` // messages kept without text, by content type
	MissingParts   []string       `json:"missing_shards"`
	Unread         []Unread       `json:"unread,omitempty"` // what could not be read, the first maxNamed
	// UnreadKinds counts the files that were passed over, by extension (".epub") or input.NoKind: of kinds that Lens does
	// not read, and what is beside an export in a folder or zip.
	UnreadKinds map[string]int `json:"unread_kinds,omitempty"`
	UnreadNames []string       `json:"unread_names,omitempty"` // of UnreadKinds, the first few
	// OwnFiles names what an export has beside its chats, with no others in it: user.json, chat.html.
	OwnFiles  []string `json:"own_files,omitempty"`
	Documents int      `json:"documents_beside,omitempty"` // of UnreadKinds: beside an export in a folder
	Packed    int      `json:"documents_packed,omitempty"` // of UnreadKinds: documents in a zip or tar archive
	// UnchangedFiles counts the files that have not changed since they were imported, and were not read again. The other
	// counts include what they hold.
	UnchangedFiles int                `json:"unchanged_files"`
	Vanished       []string           `json:"vanished,omitempty"`  // files of a folder that are not there any more
	Missing        []string           `json:"missing,omitempty"`   // followed paths that are not there: of a refresh
	Gone           []string           `json:"gone,omitempty"`      // paths of lost documents, the first maxNamed
	Vectors        *VectorCounts      `json:"vectors,omitempty"`   // of records
	Derived        map[store.Kind]int `json:"derived,omitempty"`   // documents that derive from chats, new or not
	Unapplied      int                `json:"unapplied,omitempty"` // changes of them that could not be made
	Forgotten      int                `json:"forgotten"`           // conversations and turns that stay forgotten
	Truncated      int                `json:"truncated"`           // texts that were cut
	Scrubbed       int                `json:"scrubbed,omitempty"`  // texts with NUL, lone surrogates or invalid UTF-8
	Duration       int64              `json:"duration_ms"`

	rewritten bool // documents that derive from chats changed
}

// Unread is a document, or a folder or file beside others, that could not be read, with the reason.
type Unread struct {
	Path string `json:"path"`
	Why  string `json:"why"` // "encrypted PDF"
	// Since is when an earlier import found that; this one did not try the same bytes again. nil: it tried.
	Since *time.Time `json:"since,omitempty"`
}

// VectorCounts counts the vectors that came with records.
type VectorCounts struct {
	Given   int            `json:"given"`
	Refused map[string]int `json:"refused"` // by reason: not finite, wrong dimensions …
}

// maxNamed limits how many documents a receipt names.
const maxNamed = 1000

// FileReceipt counts the contents of one file, or of one folder of documents.
type FileReceipt struct {
	Path          string         `json:"path"`
	Format        store.Source   `json:"format"`
	Conversations int            `json:"conversations"`
	Messages      int            `json:"messages"`
	Turns         int            `json:"turns"`
	OffPath       int            `json:"off_path,omitempty"` // of the turns, on abandoned branches
	Skipped       map[string]int `json:"skipped"`
	Derived       int            `json:"derived,omitempty"`         // documents that derive from its chats
	Unchanged     *time.Time     `json:"unchanged_since,omitempty"` // when it was imported; nil: it was read

	path    int // index into Receipt.Paths
	nodes   int // of all conversations, as counted by the parser
	entries int // of the file's array
	untried int // of them, documents that an earlier import could not read
}

// Changes counts conversations or messages by what the import did with them.
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

func (t *TurnCounts) add(o TurnCounts) {
	t.Total += o.Total
	t.New += o.New
	t.Embeddable += o.Embeddable
	t.OffPath += o.OffPath
	t.Undated += o.Undated
}

// Reasons for skipping an entry of a file's array begin with one of the prefixes. All others are reasons for skipping a
// node, such as skippedNode.
const (
	skippedEntry    = "conversation: "
	skippedDocument = "document: "
	skippedRecord   = "record: "
	repeatedEntry   = "also elsewhere, and counted there"
	skippedNode     = "node of a conversation that could not be read"
)

// Reasons of Skipped for what the archive has once and is counted where it was read first.
const (
	RepeatedMessage      = "repeated message, counted where it was read first"
	RepeatedConversation = skippedEntry + repeatedEntry
)

// Repeated counts the conversations, documents or records of the file that another one has, too, and that are counted
// there.
func (f *FileReceipt) Repeated() int { return f.Skipped[skippedPrefix(f.Format)+repeatedEntry] }

// skippedPrefix returns the prefix of the reasons for skipping entries of a format.
func skippedPrefix(format store.Source) string {
	switch format {
	case store.Documents:
		return skippedDocument
	case store.Chunks:
		return skippedRecord
	}
	return skippedEntry
}

// NewReceipt returns the receipt of an import that has read nothing.
func NewReceipt() *Receipt {
	return &Receipt{
		Paths: []PathReceipt{}, Files: []FileReceipt{},
		Skipped: map[string]int{}, UnknownContent: map[string]int{}, MissingParts: []string{},
	}
}

// clone returns a copy of r that can be changed without changing r.
func (r *Receipt) clone() *Receipt {
	c := *r
	c.Paths, c.Files = slices.Clone(r.Paths), slices.Clone(r.Files)
	for i := range c.Files {
		c.Files[i].Skipped = maps.Clone(c.Files[i].Skipped)
	}
	c.Unread, c.Gone = slices.Clip(r.Unread), slices.Clip(r.Gone)
	c.Derived = maps.Clone(r.Derived)
	c.Skipped, c.UnknownContent = maps.Clone(r.Skipped), maps.Clone(r.UnknownContent)
	return &c
}

// addFile adds a file of a path, with nothing counted yet.
func (r *Receipt) addFile(f inputFile) {
	r.Files = append(r.Files, FileReceipt{Path: f.path, Format: f.format, Skipped: map[string]int{}, path: f.of})
}

// record adds the entries of a batch and their outcome. It is called only for what is committed, so that the receipt of
// a failed import adds up too.
func (r *Receipt) record(read []entry, done outcome) {
	for _, e := range read {
		f := &r.Files[e.file]
		if e.known != nil {
			r.recordUnchanged(f, e.known)
			continue
		}
		f.entries += boolToInt(e.parsed == nil || !e.parsed.Beside)
		r.Paths[f.path].count(e)
		f.untried += boolToInt(e.verdict.foundBefore() != nil)
		if e.skip != nil {
			r.countSkipped(f, e.skip, e.verdict.foundBefore())
		} else {
			r.countParsed(f, &e)
		}
	}
	r.Conversations.add(done.conversations)
	r.Messages.add(done.messages)
	r.Older += done.olderMessages
	r.Turns.New += done.newTurns
	r.Forgotten += done.forgotten
	r.rewritten = r.rewritten || done.derived > 0
}

// recordUnchanged adds a file that was not read again.
func (r *Receipt) recordUnchanged(f *FileReceipt, known *knownFile) {
	was := &known.Receipt.Files[0]
	f.Conversations, f.Messages, f.Turns, f.OffPath = was.Conversations, was.Messages, was.Turns, was.OffPath
	f.Derived = was.Derived
	f.Skipped, f.nodes, f.entries, f.Unchanged = maps.Clone(was.Skipped), was.nodes, was.entries, &known.since
	if at := known.Receipt.Paths; len(at) == 1 {
		r.Paths[f.path].Turns += at[0].Turns
		r.Paths[f.path].Repeated += at[0].Repeated
		r.Paths[f.path].Forgotten += at[0].Forgotten
		r.Paths[f.path].derived += known.Derived
	}
	r.UnchangedFiles++
	r.add(known.Receipt)
}

// add adds all counts of o, but not its paths and files.
func (r *Receipt) add(o *Receipt) {
	r.Conversations.add(o.Conversations)
	r.Messages.add(o.Messages)
	r.Older += o.Older
	r.Turns.add(o.Turns)
	r.Skipped, r.UnknownContent = sum(r.Skipped, o.Skipped), sum(r.UnknownContent, o.UnknownContent)
	r.addUnread(o.NotImported())
	r.Derived = sum(r.Derived, o.Derived)
	r.MissingParts = append(r.MissingParts, o.MissingParts...)
	r.Unread = append(r.Unread, o.Unread[:min(len(o.Unread), maxNamed-len(r.Unread))]...)
	r.Gone = append(r.Gone, o.Gone[:min(len(o.Gone), maxNamed-len(r.Gone))]...)
	r.Vanished, r.Missing = append(r.Vanished, o.Vanished...), append(r.Missing, o.Missing...)
	if v := o.Vectors; v != nil {
		all := VectorCounts{Given: v.Given}
		if r.Vectors != nil {
			all.Given, all.Refused = all.Given+r.Vectors.Given, r.Vectors.Refused
		}
		all.Refused = sum(all.Refused, v.Refused)
		r.Vectors = &all
	}
	r.Documents += o.Documents
	r.Packed += o.Packed
	r.Unapplied += o.Unapplied
	r.UnchangedFiles += o.UnchangedFiles
	r.Forgotten += o.Forgotten
	r.Truncated += o.Truncated
	r.Scrubbed += o.Scrubbed
	r.Duration += o.Duration
	r.rewritten = r.rewritten || o.rewritten
}

// NotImported returns the files that the import passed over.
func (r *Receipt) NotImported() *input.Unread {
	return &input.Unread{Kinds: r.UnreadKinds, Names: r.UnreadNames, Own: r.OwnFiles}
}

func (r *Receipt) addUnread(u *input.Unread) {
	all := input.Unread{Kinds: maps.Clone(r.UnreadKinds), Names: slices.Clip(r.UnreadNames), Own: slices.Clip(r.OwnFiles)}
	all.Add(u)
	r.UnreadKinds, r.UnreadNames, r.OwnFiles = all.Kinds, all.Names, all.Own
}

// SkippedInside returns Skipped without the files that UnreadKinds counts, too.
func (r *Receipt) SkippedInside() map[string]int {
	inside := maps.Clone(r.Skipped)
	delete(inside, skippedDocument+documents.Unsupported)
	return inside
}

// sum returns the sums of two counts, and leaves both as they are.
func sum[K comparable](a, b map[K]int) map[K]int {
	if len(b) == 0 {
		return a
	}
	all := make(map[K]int, len(a)+len(b))
	maps.Copy(all, a)
	for key, n := range b {
		all[key] += n
	}
	return all
}

func (r *Receipt) countParsed(f *FileReceipt, e *entry) {
	p, again := e.parsed, &e.repeats
	f.nodes += p.Count.Nodes
	switch {
	case p.Beside:
		f.nodes -= p.Count.Messages
	case again.conversation:
		r.skip(f, skippedPrefix(f.Format)+repeatedEntry, 1)
	default:
		f.Conversations++
	}
	if !p.Beside {
		f.Messages += p.Count.Messages - again.messages
		r.skip(f, RepeatedMessage, again.messages)
	}
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
	r.countDerived(f, e)
	r.Truncated += p.Count.Truncated
	r.Scrubbed += p.Count.Scrubbed
	for _, flags := range p.Unread {
		if !again.conversation {
			f.Turns++
			r.Turns.Total++
			r.Turns.Embeddable += boolToInt(flags&store.FlagEmbeddable != 0)
		}
	}
	for i := range p.Turns {
		t := &p.Turns[i]
		if again.turns[t.ID] {
			continue
		}
		f.Turns++
		r.Turns.Total++
		r.Turns.Embeddable += boolToInt(t.Embeddable)
		f.OffPath += boolToInt(!t.OnPath)
		r.Turns.OffPath += boolToInt(!t.OnPath)
		r.Turns.Undated += boolToInt(t.TimeSource == store.Undated)
	}
}

func (r *Receipt) countDerived(f *FileReceipt, e *entry) {
	all := e.parsed.Derived
	for i := range all {
		if all[i].Earlier || all[i].IsBlank() || e.repeats.derived != nil && e.repeats.derived[i] {
			continue // belongs to another, or is not stored
		}
		f.Derived++
		if r.Derived == nil {
			r.Derived = map[store.Kind]int{}
		}
		r.Derived[all[i].Kind]++
		r.Unapplied += all[i].Unapplied
		r.Truncated += boolToInt(all[i].Cut)
	}
}

// plus returns the sum of v and c, nil for no vectors. It leaves v unchanged, because receipts share it.
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

// countSkipped counts an entry that was skipped; since is when an earlier import found that, nil for this one.
func (r *Receipt) countSkipped(f *FileReceipt, s *chat.Skip, since *time.Time) {
	f.nodes += s.Nodes
	r.skip(f, skippedPrefix(f.Format)+s.Reason, 1)
	if s.Reason == chat.Forgotten {
		r.skip(f, chat.Forgotten, s.Nodes)
	} else {
		r.skip(f, skippedNode, s.Nodes)
	}
	if s.File != "" && len(r.Unread) < maxNamed {
		r.Unread = append(r.Unread, Unread{s.File, s.Reason, since})
	}
}

func (r *Receipt) skip(f *FileReceipt, reason string, n int) {
	if n > 0 {
		f.Skipped[reason] += n
		r.Skipped[reason] += n
	}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Changed reports whether the import changed anything, or would change it in a dry run.
func (r *Receipt) Changed() bool {
	return r.Conversations.New+r.Conversations.Updated > 0 || r.rewritten
}

// IsWhole reports whether everything that Lens keeps of the files was read, and is in the archive unless it is
// forgotten.
func (r *Receipt) IsWhole() bool {
	for i := range r.Files {
		f := &r.Files[i]
		_, missing := f.skips()
		for _, reason := range []string{chat.Forgotten, chat.Supplied, chat.Empty, chat.NotKept, repeatedEntry} {
			missing -= f.Skipped[skippedPrefix(f.Format)+reason]
		}
		if missing > 0 {
			return false
		}
	}
	return len(r.Unread) == 0 && len(r.MissingParts) == 0
}

// Check returns an error that names the first sum that is wrong, nil when the receipt adds up. It works on the Receipt
// that Import returned: the JSON lacks the parsers' counts.
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
		return fmt.Errorf("receipt: the files skipped %v, the total says %v", skipped, r.Skipped)
	}
	return firstOf(
		checkEqual("conversations", sum.Conversations, r.Conversations.total()),
		checkEqual("messages", sum.Messages, r.Messages.total()),
		checkWithin("messages of older versions", r.Older, r.Messages.New),
		checkEqual("turns", sum.Turns, r.Turns.Total),
		checkWithin("new turns", r.Turns.New, r.Turns.Total),
		checkWithin("embeddable turns", r.Turns.Embeddable, r.Turns.Total),
		checkWithin("turns off the path", r.Turns.OffPath, r.Turns.Total),
		checkWithin("undated turns", r.Turns.Undated, r.Turns.Total),
	)
}

// skips returns how many nodes and how many entries the file skipped.
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
		return fmt.Errorf("receipt: %s: %d read, %d accounted for", what, read, counted)
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
