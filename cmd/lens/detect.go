package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/internal/cleantext"
)

// detected is what lens import --detect prints as JSON.
type detected struct {
	Paths []archive.Detected `json:"paths"`
}

// runDetect says what paths are and what an import would bring in, and writes nothing.
func runDetect(cmd *cobra.Command, env *Env, a *app.App, paths []string, documents bool) error {
	bar := &progressBar{screen: env.Err, title: "reading", bytes: true}
	found, err := a.Archive.Detect(cmd.Context(), paths, archive.ImportOptions{Documents: documents, Progress: bar.show})
	bar.erase()
	if found == nil {
		return err
	}
	if failed := env.Print(detected{found}, func() { printDetected(env.Out, found) }); failed != nil {
		return failed
	}
	return err
}

// printDetected prints what each path is. The errors of paths are printed at the end of the run.
func printDetected(out *screen, found []archive.Detected) {
	for i := range found {
		d := &found[i]
		if len(d.Formats) == 0 && len(d.UnreadKinds) == 0 {
			continue
		}
		out.printf("%s\n", out.bold(cleantext.Line(d.Path)))
		for j := range d.Formats {
			printFormat(out, &d.Formats[j])
		}
		printNotImported(out, d.NotImported(), "  ")
		if d.Documents > 0 {
			beside := count(d.Documents, "document")
			out.printf("  %s beside an export; --documents imports a folder's documents instead\n", beside)
		}
		if d.Packed > 0 {
			out.println("  " + packedLine(d.Packed))
		}
		for _, u := range d.Unread {
			out.printf("  %s %s\n", out.warn("not read:"), documentLine(out, u.Path, " ("+u.Why+")"))
		}
		for _, name := range d.MissingParts {
			out.printf("  %s %s\n", out.warn("missing part:"), out.line(name, out.width-16))
		}
	}
}

func printFormat(out *screen, f *archive.DetectedFormat) {
	entries, turns := "conversation", "turn"
	switch f.Source {
	case "documents":
		entries, turns = "document", "chunk"
	case "chunks":
		entries, turns = "record", "chunk"
	}
	facts := []string{
		count(f.Files, "file"), bytesOf(f.Bytes), count(f.Entries, entries), turnsOf(f.Turns, f.OffPath, turns),
	}
	if f.First != nil {
		first, last := f.First.Format(time.DateOnly), f.Last.Format(time.DateOnly)
		if first != last {
			first += " to " + last
		}
		facts = append(facts, first)
	}
	out.printf("  %s: %s\n", f.Name, out.list(facts...))
	if f.Again > 0 {
		out.printf("    %s already counted with an earlier file\n", count(f.Again, entries))
	}
	reasons := slices.SortedFunc(maps.Keys(f.Skipped), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Skipped[b], f.Skipped[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		out.printf("    %s %s\n", out.warn("skipped:"),
			out.line(fmt.Sprintf("%s (%s)", count(f.Skipped[reason], entries), reason), out.width-14))
	}
}
