package export_test

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"os"

	"lens/store"
	"lens/store/ingest/export"
)

// A format is a value. With a line in Formats, every front end offers it.
func ExampleFormat() {
	titles := export.Format{
		Name:        "titles",
		Extension:   ".txt",
		Description: "the titles of the turns",
		Encode: func(w *bufio.Writer, turns iter.Seq2[*store.Turn, error]) error {
			for t, err := range turns {
				if err != nil {
					return err
				}
				fmt.Fprintln(w, t.Title)
			}
			return nil
		},
	}
	turns := each(store.Turn{Title: "Rye at altitude"}, store.Turn{Title: "\x1b[2JHerons"})
	n, err := titles.Write(context.Background(), os.Stdout, turns, export.Options{})
	fmt.Println(n, err)
	// Output:
	// Rye at altitude
	// ␛[2JHerons
	// 2 <nil>
}
