package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"lens/cmd/internal/app"
	"lens/internal/cleantext"
)

// mostFiles is how many files a printed receipt lists.
const mostFiles = 12

// showReceipt prints the receipt of an import and its verdict. It returns an error if the receipt does not add up.
func (s *session) showReceipt(r *app.Receipt, verdict string) error {
	if s.globals.json {
		return errors.Join(r.Check(), s.out.json(r))
	}
	s.showFiles(r)
	s.showChanges(r)
	s.showCounts("skipped", r.Skipped)
	s.showCounts("kept, unreadable", r.UnknownContent)
	s.showDocuments(r)
	for _, name := range r.MissingParts {
		s.out.printf("%s %s\n", s.out.warn("missing part:"), s.out.line(name, s.out.width-14))
	}
	if r.Truncated > 0 {
		s.out.printf("%s truncated at the limit\n", count(r.Truncated, "text"))
	}
	if r.Scrubbed > 0 {
		s.out.printf("%s with invalid characters, replaced\n", count(r.Scrubbed, "text"))
	}
	if err := r.Check(); err != nil {
		return err
	}
	s.out.println(verdict)
	return nil
}

func (s *session) showFiles(r *app.Receipt) {
	for i, f := range r.Files {
		if i == mostFiles {
			s.out.printf("%s and %s\n", s.out.sign("…", "..."), count(len(r.Files)-i, "more file"))
			break
		}
		facts := []string{
			string(f.Format),
			count(f.Conversations, "conversation"),
			count(f.Messages, "message"),
			count(f.Turns, "turn"),
		}
		switch f.Format {
		case "documents":
			facts = []string{count(f.Conversations, "document"), count(f.Turns, "chunk")}
		case "chunks":
			facts = []string{count(f.Conversations, "record")}
		}
		s.out.printf("%s\n  %s\n", s.out.bold(cleantext.Line(f.Path)), strings.Join(facts, s.out.sign(" · ", ", ")))
	}
	s.out.println()
}

func (s *session) showChanges(r *app.Receipt) {
	s.out.println(s.out.faint(fmt.Sprintf("%-16s%10s%10s%12s%10s", "", "new", "updated", "unchanged", "total")))
	c, m := r.Conversations, r.Messages
	for _, row := range []struct {
		name                      string
		added, updated, unchanged int
	}{
		{"conversations", c.New, c.Updated, c.Unchanged},
		{"messages", m.New, m.Updated, m.Unchanged},
	} {
		s.out.printf("%-16s%10s%10s%12s%10s\n", row.name, grouped(row.added), grouped(row.updated),
			grouped(row.unchanged), grouped(row.added+row.updated+row.unchanged))
	}
	t := r.Turns
	s.out.printf("%-16s%10s%10s%12s%10s\n", "turns", grouped(t.New), "", "", grouped(t.Total))
	s.out.printf("%s can be embedded, %s on abandoned branches, %s undated\n",
		grouped(t.Embeddable), grouped(t.OffPath), grouped(t.Undated))
}

// showCounts lists counts, the largest first.
func (s *session) showCounts(title string, counts map[string]int) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		s.out.printf("%-16s%10s  %s\n", title, grouped(counts[name]), s.out.line(name, s.out.width-28))
		title = ""
	}
}

// showDocuments lists the documents that could not be read and those that are gone, and counts the vectors of records.
func (s *session) showDocuments(r *app.Receipt) {
	for i, u := range r.Unread {
		if i == mostFiles {
			s.out.printf("%s and %s that could not be read\n", s.out.sign("…", "..."), count(len(r.Unread)-i, "more document"))
			break
		}
		s.out.printf("%s %s\n", s.out.warn("not read:"), s.document(u.Path, " ("+u.Why+")", 10))
	}
	for i, at := range r.Gone {
		if i == mostFiles {
			more := count(len(r.Gone)-i, "more document")
			s.out.printf("%s and %s deleted since the last import\n", s.out.sign("…", "..."), more)
			break
		}
		s.out.printf("%s %s\n", s.out.warn("deleted since the last import, no longer searched:"), s.document(at, "", 51))
	}
	if v := r.Vectors; v != nil {
		s.out.printf("%s came with records\n", count(v.Given, "vector"))
		s.showCounts("vectors refused", v.Refused)
	}
}

// document prints a file's name, what to say about it, and as much of its folder as fits after the first columns.
func (s *session) document(at, what string, behind int) string {
	name := cleantext.Line(path.Base(at)) + what
	return name + " " + s.out.faint(s.out.line("in "+path.Dir(at), s.out.width-behind-len(name)-1))
}

// verdict summarizes a receipt in words. broken is why not everything could be read.
func verdict(r *app.Receipt, dryRun bool, broken error) string {
	took := (time.Duration(r.Duration) * time.Millisecond).Round(10 * time.Millisecond)
	adds := fmt.Sprintf("It adds up: every node of every file is counted exactly once (%s).", took)
	switch {
	case broken != nil:
		return "The part that was read adds up."
	case dryRun:
		return "Nothing was written. " + adds
	case !r.Changed():
		return "Nothing changed: everything was already in the archive. " + adds
	}
	return adds
}
