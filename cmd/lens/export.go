package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
)

type exportFlags struct {
	queryFlags
	format, query, output string
	raw, force, noDates   bool
	sessions, bookmarks   bool
}

func newExportCmd(env *Env) *cobra.Command {
	f := exportFlags{queryFlags: queryFlags{topK: query.MaxTopK}}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export turns, chats or bookmarks as " + archive.ExportFormats.Names(),
		Long: unwrap(`Writes turns in time order; the same archive always gives the same bytes. With --query, only the turns
that match, up to --top-k; if there are more, Lens says so. Where none is a clear match, nothing is written, unless
--mode dense asks for the nearest. With --sessions, the saved chats with their citations;
with --bookmarks, those of the explorer; both as jsonl or md.

Exports show control characters as symbols: ESC as ␛. In csv, a cell that a spreadsheet would take for a formula begins
with an apostrophe, and so does one that began with an apostrophe before. --raw keeps the texts as they are; jsonl
always does.`),
		Example: `  lens export > everything.jsonl
  lens export --query sourdough -o sourdough.html
  lens export --sessions -o chats.md`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runExport(cmd, env, f) },
	}
	f.queryFlags.addTo(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "output format: "+archive.ExportFormats.Help()+
		" (default: by the extension of --output; "+archive.ExportFormats[0].Name+" without one)")
	flags.StringVar(&f.query, "query", "", "only turns of this query: the best --top-k, or with filters alone, all")
	flags.BoolVar(&f.noDates, "no-dates", false, "search for the words of a query that names only a time")
	flags.BoolVar(&f.sessions, "sessions", false, "the saved chats instead of turns")
	flags.BoolVar(&f.bookmarks, "bookmarks", false, "the explorer's bookmarks instead of turns")
	flags.BoolVar(&f.raw, "raw", false, "keep texts as they are, except on a terminal")
	flags.StringVarP(&f.output, "output", "o", "", "file to write; - is standard output (default)")
	flags.BoolVar(&f.force, "force", false, "replace the file of --output if it exists")
	var formats []cobra.Completion
	for _, each := range archive.ExportFormats {
		formats = append(formats, cobra.CompletionWithDesc(each.Name, each.Description))
	}
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// exportFormat returns the format that --format names, or else the one that the file's extension stands for.
func exportFormat(f exportFlags) (archive.ExportFormat, error) {
	if f.format == "" {
		extension := filepath.Ext(f.output)
		if extension == "" {
			return archive.ExportFormats[0], nil
		}
		format, ok := archive.ExportFormats.OfFile(f.output)
		if !ok {
			return format, usage("add --format: "+archive.ExportFormats.Names(),
				"%s is not the extension of a format", extension)
		}
		return format, nil
	}
	format, ok := archive.ExportFormats.Named(f.format)
	if !ok {
		return format, usage("use "+archive.ExportFormats.Names(), "unknown format %q", f.format)
	}
	return format, nil
}

func runExport(cmd *cobra.Command, env *Env, f exportFlags) error {
	if f.output == "-" {
		f.output = ""
	}
	q, err := f.read(env, f.query, time.Now())
	if err != nil {
		return err
	}
	if f.noDates {
		q.Dates = query.DatesOff
	}
	format, err := exportFormat(f)
	switch {
	case err != nil:
		return err
	case env.JSON && f.output == "":
		return usage("omit --json: lens export writes JSON Lines anyway", "--json needs -o FILE")
	case f.output != "":
		if err := mayWrite(f.output, f.force); err != nil {
			return err
		}
	}
	if f.output == "" && format.Name == archive.JSONLines {
		env.Report.stdout = allLines
	}
	all := f.query == "" && q.Filter.IsZero()
	switch saved, err := f.saved(); {
	case err != nil:
		return err
	case saved != nil && !all:
		return usage("omit the query and the filters", "%s exports all of them", saved.flag)
	case saved != nil:
		return saved.export(cmd, env, f, format)
	}
	if !all {
		if err := usageOf(q.Validate()); err != nil {
			return err
		}
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	out := archive.ExportOptions{Format: format}
	out.Raw = f.raw
	if all {
		return exportTo(cmd.Context(), env, a, f, out)
	}
	found, err := selectedTurns(cmd.Context(), env, a, q)
	if err != nil {
		return err
	}
	return exportFound(cmd.Context(), env, a, f, out, found)
}

// exportFound writes the turns that were found, and says if others are left.
func exportFound(
	ctx context.Context, env *Env, a *app.App, f exportFlags, out archive.ExportOptions, found retrieval.Selection,
) error {
	out.IDs = found.IDs
	if err := exportTo(ctx, env, a, f, out); err != nil {
		return err
	}
	if left := leftUnwritten(len(found.IDs), found.Coverage); left != "" {
		env.Err.println(env.Err.warn(left))
	}
	return nil
}

// leftUnwritten says that an export of the best n matches has not all of them, and how to get more, or that nothing
// matches and the n nearest turns were written, as --mode dense does; "" if it has all matches.
func leftUnwritten(n int, c retrieval.Coverage) string {
	written := upperFirst(bestOf(n, c)) + " were written"
	if n == 1 {
		written = upperFirst(bestOf(n, c)) + " was written"
	}
	switch {
	case c.Faint:
		return "No clear match. " + written + "."
	case !c.Truncated:
		return ""
	case n == query.MaxTopK:
		return written + ", which is the most; filters such as --since select others."
	case c.Uncounted || c.Matching > query.MaxTopK:
		return fmt.Sprintf("%s; --top-k %d writes more.", written, query.MaxTopK)
	default:
		return fmt.Sprintf("%s; --top-k %d writes all.", written, c.Matching)
	}
}

// nothingSelected returns the error of an export of which no turn is a match. dated: the window of q is in its words.
func nothingSelected(
	ctx context.Context, env *Env, engine *retrieval.Engine, q query.Query, dated bool, c retrieval.Coverage,
) error {
	if c.Candidates == 0 {
		says, err := engine.Unreached(ctx, windowOf(q))
		if err != nil {
			return err
		}
		env.printLeftOut(says)
	}
	filtered := !q.Filter.IsZero()
	switch {
	case c.Faint:
		return nothingToExport(env, "change the query, or write the nearest turns with --mode dense",
			"no turn is a clear match for the query")
	case c.Candidates == 0 && !filtered && len(q.Phrases)+len(q.Without) == 0:
		return emptyExport(env, importFirst, "turns")
	case !filtered, dated:
		return nothingToExport(env, "change the query", "no turns to export")
	case q.HasWords():
		return nothingToExport(env, "change the query, or widen the filters", "no turns to export")
	}
	return nothingToExport(env, "widen the filters", "no turns to export")
}

// selectedTurns returns the turns that a peek counts. The nearest turns to a query that the archive has nothing about
// may be all of them: only --mode dense selects them. Errors: not_found without a turn.
func selectedTurns(ctx context.Context, env *Env, a *app.App, q query.Query) (retrieval.Selection, error) {
	engine, err := a.Archive.Engine(ctx)
	if err == nil {
		err = env.indexFacts(ctx, a, q)
	}
	if err != nil {
		return retrieval.Selection{}, err
	}
	q, dated, err := engine.ListDate(ctx, q, time.Now())
	if err != nil {
		return retrieval.Selection{}, err
	}
	found, err := engine.Selected(ctx, q)
	if err == nil {
		if dated {
			named := namesOnlyATime(q, len(found.IDs))
			found.Notice = strings.TrimSpace(found.Notice + " " + named)
			found.LeftOut = strings.TrimSpace(found.LeftOut + " " + named)
		}
		n := noticed{found.Notice, found.LeftOut, len(found.IDs), found.Coverage.Embedded}
		printNotice(env, a, n, q.Mode)
	}
	if err == nil && (len(found.IDs) == 0 || found.Coverage.Faint && q.Mode != query.Dense) {
		err = nothingSelected(ctx, env, engine, q, dated, found.Coverage)
	}
	return found, err
}

func exportTo(
	ctx context.Context, env *Env, a *app.App, f exportFlags, opts archive.ExportOptions,
) error {
	n := 0
	write := func(w io.Writer) (err error) {
		if n, err = a.Archive.Export(ctx, w, opts); err == nil && n == 0 {
			err = emptyExport(env, importFirst, "turns")
		}
		return err
	}
	if f.output == "" {
		opts.Terminal = env.Out.terminal
		return write(env.Out)
	}
	if err := writeAtomically(f.output, f.force, write); err != nil { // which leaves no empty file
		return err
	}
	return env.PrintLine(map[string]any{"turns": n, "format": opts.Format.Name, "path": f.output},
		count(n, "turn")+" written to "+cleantext.Line(f.output))
}

const importFirst = "run lens import PATH first"

// emptyExport returns the error of an export of something that the archive has none of.
func emptyExport(env *Env, hint, what string) error {
	return nothingToExport(env, hint, "no "+what+" to export")
}

// nothingToExport returns the error of an export that has none of what it should hold. Lines that end without one for
// the error are whole, so none follows.
func nothingToExport(env *Env, hint, message string) error {
	if env.Report.stdout == allLines {
		env.Report.stdout = aText
	}
	return notFound(hint, "%s", message)
}

// mayWrite returns an error if path is taken. With replace, another file may be there.
func mayWrite(path string, replace bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cannotWrite(path, err)
	case !info.Mode().IsRegular():
		return failure("name a file to write", "%s is not a file", path)
	case !replace:
		return failure("name another file, or replace it with --force", "%s already exists", path)
	}
	return nil
}

// writeAtomically writes a file that only its owner can read and that appears once it is complete. It takes the place
// of another file only if replace is set.
func writeAtomically(path string, replace bool, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".lens-*.tmp")
	if err != nil {
		return cannotWrite(path, err)
	}
	defer os.Remove(file.Name()) // fails harmlessly after the rename
	if err := write(file); err != nil {
		_ = file.Close()
		if pathErr := new(os.PathError); errors.As(err, &pathErr) {
			return cannotWrite(path, err)
		}
		return err
	}
	if err := file.Close(); err != nil {
		return cannotWrite(path, err)
	}
	if err := mayWrite(path, replace); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

func cannotWrite(path string, err error) error {
	return failure("name another file with -o", "cannot write %s: %s", path, cause(err))
}
