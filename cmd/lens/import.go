package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"lens/cmd/internal/archive"
)

type importFlags struct {
	embedFlags
	detect, dryRun, noEmbed, documents bool
	restore, tools                     bool
	tag, vectorsOf                     string
}

func newImportCmd(env *Env) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import PATH…",
		Short: "Import chat exports, documents and chunks",
		Long: unwrap(`Imports exports of ChatGPT, Claude, Gemini and other services as they come: a zip, a zip inside a
zip, a folder, the parts of a split export or a single file, also compressed (gzip, zstd, tar) or from a pipe; - is
standard input. The content of a file says what it is.

A folder without an export is imported as documents: md, txt, html, pdf, docx, org and code, cut into chunks that are
searched along with the chats. Importing it again replaces the files that changed and hides those that are gone from
searches. Hidden files, links and node_modules are skipped. Chunk JSONL has one record per line:
{"id","text","meta":{…},"modified"?,"vector"?}.

Importing again adds what is new, updates what changed and duplicates nothing. All branches are kept. With a built-in
model installed (see lens model), the import also makes turns searchable by meaning; with an embedding server, Lens asks
first.`),
		Example: `  lens import ~/Downloads/export.zip
  lens import --detect ~/Downloads/unknown.zip
  lens import export-2024/ export-2025.zip --dry-run
  ssh laptop cat export.zip | lens import -
  lens import ~/notes --tag home
  lens import corpus.jsonl --vectors-of local/bge-small-en-v1.5`,
		Args: atLeastOne("a path"),
		RunE: func(cmd *cobra.Command, paths []string) error { return runImport(cmd, env, paths, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.detect, "detect", false, "say what PATH is and what would come in; no archive is needed")
	flags.BoolVar(&f.dryRun, "dry-run", false, "count what would be imported, and write nothing")
	flags.BoolVar(&f.noEmbed, "no-embed", false, "do not embed, and do not ask")
	flags.BoolVar(&f.documents, "documents", false, "import folders as documents, even if they contain an export")
	flags.BoolVar(&f.restore, "restore-forgotten", false, "bring back what lens forget deleted")
	flags.BoolVar(&f.tools, "tools", false,
		"keep what tools returned, what subagents answered, and thoughts, 4 KB of each, which may have keys")
	flags.StringVar(&f.tag, "tag", "", "client tag of the documents or records (default: a document's top-level folder)")
	flags.StringVar(&f.vectorsOf, "vectors-of", "",
		"model, as PROVIDER/NAME, that made the vectors in the records (default: ignore those vectors)")
	f.embedFlags.addTo(cmd)
	return cmd
}

func runImport(cmd *cobra.Command, env *Env, paths []string, f importFlags) error {
	provider, model, named := strings.Cut(f.vectorsOf, "/")
	if f.vectorsOf != "" && (!named || provider == "" || model == "") {
		return usage("use, for example, --vectors-of local/bge-small-en-v1.5",
			"--vectors-of takes PROVIDER/NAME, not %q", f.vectorsOf)
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if f.detect {
		return runDetect(cmd, env, a, paths, f.documents)
	}
	bar := &progressBar{screen: env.Err, title: "importing", bytes: true}
	restore := limitMemory()
	receipt, err := a.Archive.Import(cmd.Context(), paths, archive.ImportOptions{
		DryRun:    f.dryRun,
		Documents: f.documents,
		Restore:   f.restore,
		Tools:     f.tools,
		Tag:       f.tag,
		Version:   version,
		VectorsOf: archive.VectorModel{Provider: provider, Name: model, Prefixes: a.Models.PrefixesOf(provider, model)},
		Progress:  bar.show,
	})
	restore()
	bar.erase()
	e := &embedder{env: env, app: a, flags: f.embedFlags}
	return endImport(cmd.Context(), e, receipt, f.dryRun, f.noEmbed, err)
}

// endImport prints the receipt of an import, and embeds what came in, also where another path failed. err is the
// import's error.
func endImport(ctx context.Context, e *embedder, receipt *archive.Receipt, dryRun, noEmbed bool, err error) error {
	env := e.env
	if ctx.Err() != nil {
		env.Err.println("Everything imported so far is kept; run the command again to import the rest.")
	}
	embeds := (err == nil || receipt.Changed()) && ctx.Err() == nil && !dryRun && !noEmbed
	if env.JSON {
		return printImported(ctx, e, receipt, embeds, err)
	}
	if !isEmpty(receipt) {
		if wrong := printReceipt(env.Out, receipt, describeImport(receipt, dryRun, err)); wrong != nil {
			return errors.Join(err, wrong)
		}
	}
	if embeds {
		done, failed := e.offer(ctx)
		if err = errors.Join(err, failed); done != nil {
			err = errors.Join(err, printEmbedded(env, done))
		}
	}
	if err == nil && !dryRun && receipt.Conversations.New > 0 && env.Err.terminal {
		env.Err.println("Run lens to explore it all.")
	}
	return err
}

// imported reports an import, as --json prints it: one document, which includes the embedding that followed, if any.
type imported struct {
	*archive.Receipt
	Embedding *embedded `json:"embedding,omitempty"`
}

// printImported ends an import with --json: it embeds first, because the document reports that too. err is the import's
// error.
func printImported(ctx context.Context, e *embedder, r *archive.Receipt, embeds bool, err error) error {
	out := imported{Receipt: r}
	wrong := r.Check()
	if err = errors.Join(err, wrong); wrong == nil && embeds {
		var failed error
		out.Embedding, failed = e.offer(ctx)
		err = errors.Join(err, failed)
	}
	return errors.Join(err, e.env.Out.json(out))
}

// isEmpty reports whether an import neither read nor skipped anything: there is no receipt to print.
func isEmpty(r *archive.Receipt) bool {
	c := r.Conversations
	return c.New+c.Updated+c.Unchanged == 0 && len(r.Skipped) == 0
}
