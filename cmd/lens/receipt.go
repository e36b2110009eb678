package main

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"lens/cmd/internal/archive"
	"lens/internal/cleantext"
)

// maxListed is how many files of a kind a printed receipt lists.
const maxListed = 12

// printReceipt prints the receipt of an import and its verdict. It returns an error if the receipt does not add up.
func printReceipt(out *screen, r *archive.Receipt, verdict string) error {
	printFiles(out, r)
	printChanges(out, r)
	printCounts(out, "skipped", r.SkippedInside())
	printCounts(out, "kept, unreadable", r.UnknownContent)
	printUnread(out, r)
	printFollowed(out, r)
	printDocuments(out, r)
	for _, name := range r.MissingParts {
		out.printf("%s %s\n", out.warn("missing part:"), out.line(name, out.width-14))
	}
	if r.Truncated > 0 {
		out.printf("%s truncated at the limit\n", count(r.Truncated, "text"))
	}
	if r.Scrubbed > 0 {
		out.printf("%s with invalid characters, replaced\n", count(r.Scrubbed, "text"))
	}
	if r.Forgotten > 0 {
		out.printf("%-16s%10s  %s\n", "forgotten", grouped(r.Forgotten),
			"conversations and turns stay deleted; lens import --restore-forgotten brings them back")
	}
	if err := r.Check(); err != nil {
		return err
	}
	out.println(verdict)
	return nil
}

// printFiles lists the files; of several, not those that were not read again, and one that two paths led to once.
func printFiles(out *screen, r *archive.Receipt) {
	files := slices.Clone(r.Files)
	if len(files) > 1 {
		files = slices.DeleteFunc(files, func(f archive.FileReceipt) bool { return f.Unchanged != nil })
	}
	listed := map[string]bool{}
	files = slices.DeleteFunc(files, func(f archive.FileReceipt) bool {
		again := listed[f.Path] && f.Conversations+f.Derived == 0
		listed[f.Path] = true
		return again
	})
	for i, f := range files {
		if i == maxListed {
			out.printf("%s and %s\n", out.sign("…", "..."), count(len(files)-i, "more file"))
			break
		}
		facts := []string{
			string(f.Format),
			count(f.Conversations, "conversation"),
			count(f.Messages, "message"),
			turnsOf(f.Turns, f.OffPath, "turn"),
		}
		switch {
		case f.Format == "documents":
			facts = []string{count(f.Conversations, "document"), count(f.Turns, "chunk")}
		case f.Format == "chunks":
			facts = []string{count(f.Conversations, "record")}
		case f.Conversations == 0 && f.Repeated() > 0:
			facts = []string{string(f.Format), count(f.Repeated(), "conversation") + ", counted with another file"}
		case f.Conversations == 0 && f.Derived > 0:
			facts = []string{string(f.Format), count(f.Derived, "derived document")}
		}
		out.printf("%s\n  %s\n", out.bold(cleantext.Line(f.Path)), out.list(facts...))
	}
	out.println()
}

// turnsOf counts turns as all of Lens does, and names those that it counts apart: "645 turns (2 more on abandoned
// branches)".
func turnsOf(all, offPath int, noun string) string {
	counted := count(all-offPath, noun)
	if offPath > 0 {
		counted += fmt.Sprintf(" (%s more on abandoned branches)", grouped(offPath))
	}
	return counted
}

func printChanges(out *screen, r *archive.Receipt) {
	out.println(out.faint(fmt.Sprintf("%-16s%10s%10s%12s%10s", "", "new", "updated", "unchanged", "total")))
	entries, turns, chats := nounsOf(r)
	c, m, t := r.Conversations, r.Messages, r.Turns
	row := func(name string, n archive.Changes) {
		out.printf("%-16s%10s%10s%12s%10s\n", name, grouped(n.New), grouped(n.Updated), grouped(n.Unchanged),
			grouped(n.New+n.Updated+n.Unchanged))
	}
	row(entries, c)
	if chats {
		row("messages", m)
	}
	if r.Older > 0 {
		verb, they := "were", "they are"
		if r.Older == 1 {
			verb, they = "was", "it is"
		}
		out.printf("%s %s only in an older version of a conversation; %s kept off its active path\n",
			count(r.Older, "new message"), verb, they)
	}
	if chats && t.OffPath > 0 {
		turns = "all " + turns
	}
	out.printf("%-16s%10s%10s%12s%10s\n", turns, grouped(t.New), "", "", grouped(t.Total))
	embeddable := grouped(t.Embeddable) + " can be embedded"
	if rest := t.Total - t.Embeddable; rest > 0 && chats {
		embeddable += fmt.Sprintf("; %s %s no answer, or a regenerated one", grouped(rest), have(rest))
	}
	out.println(embeddable)
	if chats {
		out.printf("%s on active paths, %s more on abandoned branches, %s undated\n",
			grouped(t.Total-t.OffPath), grouped(t.OffPath), grouped(t.Undated))
	}
	if len(r.Derived) > 0 {
		out.println(derivedLine(r.Derived) + "; their texts can be embedded, too")
	}
	if r.Unapplied > 0 {
		out.printf("%s of them could not be made; what they would have written is at the end of the text\n",
			count(r.Unapplied, "change"))
	}
}

// nounsOf returns what a receipt counts: documents or records and their chunks if nothing else was read, else chats.
func nounsOf(r *archive.Receipt) (entries, turns string, chats bool) {
	entries, turns = "records", "chunks"
	if len(r.Files) == 0 {
		return "conversations", "turns", true
	}
	for i := range r.Files {
		switch r.Files[i].Format {
		case "chunks":
		case "documents":
			entries = "documents"
		default:
			return "conversations", "turns", true
		}
	}
	return entries, turns, false
}

// derivedLine counts the derived documents: "3 derived documents: 2 artifacts, 1 attachment".
func derivedLine(counts map[archive.TurnKind]int) string {
	total := 0
	var each []string
	for _, kind := range archive.DerivedKinds {
		if n := counts[kind]; n > 0 {
			total += n
			each = append(each, derivedCount(n, string(kind)))
		}
	}
	return count(total, "derived document") + ": " + strings.Join(each, ", ")
}

// derivedCount is count for the kinds, some of which have a plural of their own.
func derivedCount(n int, kind string) string {
	plural := map[string]string{"canvas": "canvases", "memory": "memories", "instructions": "instructions"}[kind]
	switch {
	case kind == "project":
		kind = "project document"
	case kind == "tool":
		kind = "tool result"
	}
	if plural != "" && n != 1 {
		return grouped(n) + " " + plural
	}
	return count(n, kind)
}

// inWords explains reasons that look like a loss and are none, of one and of several.
var inWords = map[string][2]string{
	"no message": {"empty node, the root of the chat", "empty nodes, such as the root of each chat"},
	archive.RepeatedMessage: {
		"message counted with another chat or file", "messages counted with another chat or file",
	},
	archive.RepeatedConversation: {"conversation counted with another file", "conversations counted with another file"},
}

// printCounts lists counts, the largest first.
func printCounts(out *screen, title string, counts map[string]int) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		said := inWords[name][min(counts[name], 2)-1]
		said = cmp.Or(said, name)
		out.printf("%-16s%10s  %s\n", title, grouped(counts[name]), out.line(said, out.width-28))
		title = ""
	}
}

// printUnread lists what could not be read, and counts by kind the files that were not imported.
func printUnread(out *screen, r *archive.Receipt) {
	for i, u := range r.Unread {
		if i == maxListed {
			out.printf("%s and %s that could not be read\n", out.sign("…", "..."), count(len(r.Unread)-i, "more file"))
			break
		}
		why := u.Why
		if u.Since != nil {
			why += "; found on " + date(*u.Since) + ", not tried again"
		}
		out.printf("%s %s\n", out.warn("not read:"), documentLine(out, u.Path, " ("+why+")"))
	}
	printNotImported(out, r.NotImported(), "")
	if r.Documents > 0 {
		out.printf("%s beside an export; --documents imports a folder's documents instead\n", count(r.Documents, "document"))
	}
	if r.Packed > 0 {
		out.println(packedLine(r.Packed))
	}
}

// printNotImported lists what is beside chats and documents, and an export's own files. indent comes before.
func printNotImported(out *screen, u *archive.Unread, indent string) {
	if named := u.Named(); named != "" {
		out.printf("%s%s %s\n", indent, out.warn("not imported:"), out.line(named, out.width-14-len(indent)))
	}
	if u.Kinds[".zip"] > 0 {
		const why = "A zip in or beside an export may be another person's; to import it, name the zip itself."
		out.println(indent + why)
	}
	if len(u.Own) > 0 {
		const title = "nothing more to import in"
		out.printf("%s%s %s\n", indent, title, out.line(strings.Join(u.Own, ", "), out.width-len(indent+title)-1))
	}
}

// packedLine counts the documents in archives, and says how to import them.
func packedLine(n int) string {
	return count(n, "document") + " in a zip or tar; unpack it and import the folder with --documents"
}

// printFollowed counts the files that were not read again, and lists those that are not there any more.
func printFollowed(out *screen, r *archive.Receipt) {
	switch n := r.UnchangedFiles; {
	case n == 1:
		out.println("1 file has not changed since it was imported and was not read again; what it held is counted")
	case n > 1:
		out.printf("%s have not changed since they were imported and were not read again; what they held is counted\n",
			count(n, "file"))
	}
	for i, at := range r.Vanished {
		if i == maxListed {
			out.printf("%s and %s\n", out.sign("…", "..."), count(len(r.Vanished)-i, "more file"))
			break
		}
		out.printf("%s %s\n", out.warn("deleted, but still in the archive:"), documentLine(out, at, ""))
	}
	for _, at := range r.Missing {
		out.printf("%s %s\n", out.warn("not there any more:"), out.line(at, out.width-20))
	}
	if len(r.Missing) > 0 {
		out.println("What came from it stays in the archive; lens refresh --unfollow PATH stops looking for it.")
	}
}

// printDocuments lists the documents that are gone, and counts the vectors of records.
func printDocuments(out *screen, r *archive.Receipt) {
	for i, at := range r.Gone {
		if i == maxListed {
			more := count(len(r.Gone)-i, "more document")
			out.printf("%s and %s deleted since the last import\n", out.sign("…", "..."), more)
			break
		}
		out.printf("%s %s\n", out.warn("deleted since the last import, no longer searched:"), documentLine(out, at, ""))
	}
	if v := r.Vectors; v != nil {
		out.printf("%s came with records\n", count(v.Given, "vector"))
		printCounts(out, "vectors refused", v.Refused)
	}
}

// documentLine prints a file's name, what to say about it, and its whole folder: people have to find the file.
func documentLine(out *screen, at, what string) string {
	return cleantext.Line(path.Base(at)) + what + " " + out.faint(cleantext.Line("in "+path.Dir(at)))
}

// describeImport says in words what a receipt shows. broken is why not everything could be read.
func describeImport(r *archive.Receipt, dryRun bool, broken error) string {
	took := (time.Duration(r.Duration) * time.Millisecond).Round(10 * time.Millisecond)
	adds := fmt.Sprintf("It adds up: every node of every file is counted exactly once (%s).", took)
	switch {
	case broken != nil:
		return "What could be read adds up: every node of it is counted exactly once."
	case dryRun:
		return "Nothing was written. " + adds
	case r.Changed():
		return adds
	case r.Conversations.Unchanged == 0 && r.Forgotten > 0:
		return "Nothing was imported: it was all forgotten. " + adds
	}
	what := "everything"
	if !r.IsWhole() {
		what = "everything that can be read"
	}
	if r.Forgotten > 0 {
		what += ", except for what is forgotten,"
	}
	return "Nothing changed: " + what + " was already in the archive. " + adds
}
