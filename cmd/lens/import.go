package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"lens/internal/boot"
)

type importFlags struct {
	embedding
	dryRun, noEmbed, documents bool
	tag, vectorsOf             string
}

func (s *session) importCommand() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import PATH…",
		Short: "Bring exports, documents and chunks in",
		Long: `Reads ChatGPT, Claude and Gemini exports as they come: a zip, a zip in a zip, a folder, shards or a single file.

A folder without an export is read as documents: md, txt, html, pdf, docx, org and code, cut into chunks that are searched beside the chats. Imported again, it is followed: what changed is replaced, and what is no longer there is kept off the search. Hidden files, links and node_modules are left out. Chunk JSONL holds a record a line: {"id","text","meta":{…},"modified"?,"vector"?}.

Importing again adds what is new, updates what changed and doubles nothing. All branches are kept. With a built-in model on this machine (lens model), what came in is made searchable by meaning at once; with a server you are asked.`,
		Example: `  lens import ~/Downloads/export.zip
  lens import export-2024/ export-2025.zip --dry-run
  lens import ~/notes --tag home
  lens import corpus.jsonl --vectors-of local/bge-small-en-v1.5`,
		Args: atLeastOne("a path"),
		RunE: func(cmd *cobra.Command, paths []string) error { return s.importPaths(cmd, paths, f) },
	}
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "count what would come in, and write nothing")
	cmd.Flags().BoolVar(&f.noEmbed, "no-embed", false, "no vectors, and no question about them")
	cmd.Flags().BoolVar(&f.documents, "documents", false, "read folders as documents, though there is an export in them")
	cmd.Flags().StringVar(&f.tag, "tag", "", "whose the documents or records are (default: the name of the first folder that a document lies in)")
	cmd.Flags().StringVar(&f.vectorsOf, "vectors-of", "", "the model, as PROVIDER/NAME, that made the vectors which records come with; without it they are left out")
	f.embedding.addTo(cmd)
	return cmd
}

func (s *session) importPaths(cmd *cobra.Command, paths []string, f importFlags) error {
	provider, model, named := strings.Cut(f.vectorsOf, "/")
	if f.vectorsOf != "" && (!named || provider == "" || model == "") {
		return usage("for instance: --vectors-of local/bge-small-en-v1.5", "--vectors-of takes a provider and a model")
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	g := &gauge{screen: s.err, title: "importing", bytes: true}
	receipt, err := l.Import(cmd.Context(), paths, boot.ImportOptions{
		DryRun: f.dryRun, Documents: f.documents, Tag: f.tag, VectorsOf: boot.VectorModel{Provider: provider, Name: model}, Progress: g.tell,
	})
	g.end()
	if err == nil && isEmpty(receipt) {
		return &refusal{
			code: failed, message: "there is nothing to read in " + strings.Join(paths, ", "),
			hint: "open the export and look; if the service sent it empty, ask for it again",
		}
	}
	if cmd.Context().Err() != nil {
		s.err.println("What came in stays; importing the same again adds the rest.")
	}
	goOn := err == nil && !f.dryRun && !f.noEmbed
	if s.globals.json {
		return s.importedJSON(cmd, l, receipt, f.embedding, goOn, err)
	}
	if !isEmpty(receipt) {
		err = errors.Join(err, s.showReceipt(receipt, verdict(receipt, f.dryRun, err)))
	}
	if err != nil || !goOn {
		return err
	}
	done, err := s.offerEmbedding(cmd, l, f.embedding)
	if done != nil {
		err = errors.Join(err, s.showEmbedded(done))
	}
	return err
}

// imported is an import as --json prints it: one document, with the embedding that followed where one did.
type imported struct {
	*boot.Receipt
	Embedding *embedded `json:"embedding,omitempty"`
}

// importedJSON ends an import whose document comes last, because embedding is part of it. err is how the reading ended.
func (s *session) importedJSON(cmd *cobra.Command, l *boot.Lens, r *boot.Receipt, f embedding, goOn bool, err error) error {
	if isEmpty(r) {
		return err
	}
	out := imported{Receipt: r}
	if err = errors.Join(err, r.Check()); err == nil && goOn {
		out.Embedding, err = s.offerEmbedding(cmd, l, f)
	}
	return errors.Join(err, s.out.json(out))
}

// isEmpty reports whether nothing at all was read or left out.
func isEmpty(r *boot.Receipt) bool {
	c := r.Conversations
	return c.New+c.Updated+c.Unchanged == 0 && len(r.Skipped) == 0
}

// offerEmbedding goes on to embedding where a model is set up and somebody says yes, and says how to where not. What it did is nil
// when it did nothing.
func (s *session) offerEmbedding(cmd *cobra.Command, l *boot.Lens, f embedding) (*embedded, error) {
	if done, kept, err := s.keepUp(cmd, l, f); kept || err != nil {
		return done, err
	}
	model, err := l.EmbeddingModel()
	if err != nil || model == nil {
		if hint := l.MeaningHint(0); hint != "" {
			s.wordsOnly(upperFirst(strings.TrimSuffix(hint, ".")))
		}
		return nil, nil // an import does not fail for what it need not do
	}
	const later = "To search by meaning, run lens embed"
	if !f.yes && (s.globals.json || !s.canAsk()) {
		if now, err := l.Standing(cmd.Context(), f.branches); err != nil || !now.Settled() {
			s.wordsOnly(later)
		}
		return nil, nil
	}
	done, err := s.embed(cmd, l, f)
	if errors.Is(err, errDeclined) { // the import is done
		s.wordsOnly(later)
		return nil, nil
	}
	return done, err
}

// keepUp embeds what came in with the built-in model that the archive is searched by, and reports whether there is one. Where everything has
// a vector already it does nothing, and says nothing.
func (s *session) keepUp(cmd *cobra.Command, l *boot.Lens, f embedding) (done *embedded, kept bool, err error) {
	model, err := l.KeepUp(cmd.Context())
	if err != nil || model == nil {
		return nil, false, err
	}
	before, err := l.Standing(cmd.Context(), f.branches)
	if err != nil || before.Settled() && !s.globals.json {
		return nil, true, err
	}
	done, err = s.embed(cmd, l, f)
	return done, true, err
}

func (s *session) wordsOnly(next string) {
	s.err.println(s.err.faint("Words can be searched now. " + next + "."))
}
