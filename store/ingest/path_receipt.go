package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
)

// PathReceipt says what came of a path. A path of which the archive has no turn, document or chunk, new or not, is an
// error, unless they are forgotten: an import that finds nothing must not look like one that has nothing new.
type PathReceipt struct {
	Path      string `json:"path"`
	Turns     int    `json:"turns"`              // turns and chunks in it
	Repeated  int    `json:"repeated,omitempty"` // turns that are counted with another conversation or file
	Forgotten int    `json:"forgotten"`          // conversations in it that stay forgotten
	Error     string `json:"error,omitempty"`    // why nothing of it, or not all, came
	Covered   bool   `json:"covered,omitempty"`  // the folder of another path has its files, which are counted there

	derived int // documents that derive from its conversations
}

func (p *PathReceipt) count(e entry) {
	switch {
	case e.skip != nil && e.skip.Reason == chat.Forgotten:
		p.Forgotten++
	case e.parsed != nil:
		again := len(e.repeats.turns)
		if e.repeats.conversation {
			again += len(e.parsed.Unread)
		}
		p.Turns += len(e.parsed.Turns) + len(e.parsed.Unread) - again
		p.Repeated += again
		p.derived += len(e.parsed.Derived)
	}
}

// isEmpty reports whether nothing came from the path that the archive has or has forgotten.
func (p *PathReceipt) isEmpty() bool { return p.Turns+p.Repeated+p.derived+p.Forgotten == 0 }

// addPaths adds the paths of an import, and what it passes over in them.
func (r *Receipt) addPaths(paths []inputPath) {
	for _, p := range paths {
		r.Paths = append(r.Paths, PathReceipt{Path: p.path, Error: p.failure(), Covered: len(p.covered) > 0})
		r.addUnread(&p.unread)
		for kind, n := range p.unread.Kinds {
			r.Documents += boolToInt(p.isExport && isNote("a"+kind)) * (n - p.unread.Packed[kind])
		}
		r.Packed += packedDocuments(&p.unread, isNote)
		for _, name := range p.unread.Closed {
			if len(r.Unread) < maxNamed {
				r.Unread = append(r.Unread, Unread{Path: pathOf(p.path, name), Why: "may not be opened"})
			}
		}
	}
}

// isNote reports whether files with such a name beside an export may be a person's documents. HTML is the export's own
// view.
func isNote(name string) bool { return path.Ext(name) != ".html" && documents.Known(name) }

// checkPaths gives each path from which nothing came an error, if none has said so before. Read everything first.
func (r *Receipt) checkPaths(paths []inputPath) {
	for i := range paths {
		p, at := &paths[i], &r.Paths[i]
		if len(p.broken) == 0 && at.isEmpty() && len(p.covered) == 0 {
			p.addBroken(p.path, r.nothingIn(i, &p.unread))
		}
		at.Error = p.failure()
	}
}

// nothingIn returns the error of a path from which nothing came: it says what is there instead.
func (r *Receipt) nothingIn(path int, unread *input.Unread) *errs.Error {
	var seen []string
	hint := "check the export; if the service sent an empty one, request it again"
	for i := range r.Files {
		f := &r.Files[i]
		if f.path != path {
			continue
		}
		if f.entries > 0 {
			hint = hintNothing(f.Format)
		}
		if f.Conversations > 0 && !f.Format.Chunked() {
			seen = append(seen, fmt.Sprintf("%s with %s, but no question",
				countEntries(f.Conversations, f.Format), counted(f.Messages, "message")))
		}
		seen = append(seen, f.skippedEntries()...)
		if f.untried > 0 {
			seen = append(seen, "found by an earlier import, and not tried again")
		}
	}
	const shown = 4
	if len(seen) > shown {
		seen = append(seen[:shown], "and more")
	}
	if len(seen) == 0 {
		seen = append(seen, "there is nothing in it to import")
	}
	if kinds := unread.String(); kinds != "" {
		seen = append(seen, kinds+" not read")
	}
	return &errs.Error{
		Code: errs.NotFound, Op: "import", Hint: hint,
		Message: "cannot import " + r.Paths[path].Path + ": " + strings.Join(seen, "; "),
	}
}

func hintNothing(format store.Source) string {
	switch format {
	case store.Chunks:
		return `give every line the form {"id":"…","text":"…"}`
	case store.Documents:
		return "choose documents with text: md, txt, html, pdf, docx, org or code files"
	}
	return "check that the export is whole; lens sources lists what Lens reads"
}

// skippedEntries lists why entries of the file's array were skipped, the most frequent reason first.
func (f *FileReceipt) skippedEntries() []string {
	var reasons []string
	for reason := range maps.Keys(f.Skipped) {
		why, isEntry := strings.CutPrefix(reason, skippedPrefix(f.Format))
		if isEntry && why != documents.Unsupported { // of which Unread knows the kinds
			reasons = append(reasons, reason)
		}
	}
	slices.SortFunc(reasons, func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Skipped[b], f.Skipped[a]), cmp.Compare(a, b))
	})
	for i, reason := range reasons {
		why := strings.TrimPrefix(reason, skippedPrefix(f.Format))
		reasons[i] = countEntries(f.Skipped[reason], f.Format) + " skipped (" + why + ")"
	}
	return reasons
}

// counted returns a number of things as words: "3 messages".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
