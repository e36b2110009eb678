package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
)

// retrieveFlags holds the flags of lens retrieve.
type retrieveFlags struct {
	window    filterFlags
	k         int
	threshold float64
	filters   []string
	mode      string
	shards    string
}

func newRetrieveCmd(env *Env) *cobra.Command {
	var f retrieveFlags
	cmd := &cobra.Command{
		Use:   "retrieve QUERY",
		Short: "Find chunks of documents, filtered by metadata",
		Long: unwrap(`Searches the documents and records of the archive, or of an index published by lens shard publish, and
lists the chunks that best match QUERY. Filters and the threshold apply before ranking: excluded chunks take up no
places in the list.

dense ranks by the score, the cosine similarity of meanings. hybrid also ranks by words, keyword by words alone; neither
needs an embedding model, and hybrid says when it does without.

As everywhere on the command line, --until names a time that is not included. The parameter filter.until of GET
/retrieve includes it; so does filters.until of --json, which is the last time that passes.

A filter is a metadata key and its value. Use dots for nested keys. You can also filter by id, filename, path, mime and
client_tag. A chunk must match all filters.`),
		Example: `  lens retrieve "who betrayed whom" --filter entity=character --k 10
  lens retrieve "notice period" --filter client_tag=acme --since 2024 --json
  lens retrieve "ERR_4042" --mode keyword
  lens retrieve "first appearance" --shards s3://bucket/prefix --mode hybrid --threshold 0.4`,
		Args: atLeastOne("a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRetrieve(cmd, env, strings.Join(args, " "), f)
		},
	}
	f.window.addTo(cmd, query.WindowFilters())
	flags := cmd.Flags()
	flags.IntVarP(&f.k, "k", "k", retrieval.DefaultK, "how many chunks to list, at most 50")
	flags.Float64Var(&f.threshold, "threshold", 0, "minimum score of a chunk, a cosine similarity from 0 to 1")
	flags.StringArrayVar(&f.filters, "filter", nil, "only chunks with this metadata: KEY=VALUE (repeatable)")
	flags.StringVar(&f.mode, "mode", string(query.Dense),
		"ranking mode: dense (by meaning), hybrid (by meaning and words) or keyword (by words)")
	flags.StringVar(&f.shards, "shards", "",
		"search the index published in this folder or at s3://bucket/prefix instead of the archive")
	return cmd
}

// read returns the query of the flags, without words, and its options. Its error is a usage error.
func (f *retrieveFlags) read(now time.Time) (q query.Query, o retrieval.RetrieveOptions, err error) {
	if err = f.window.apply(&q.Filter, now); err == nil {
		err = usageOf(q.Filter.Validate(q))
	}
	if err != nil {
		return q, o, err
	}
	o.K, o.Threshold, q.Mode = f.k, f.threshold, query.Mode(f.mode)
	switch {
	case f.k < 1 || f.k > retrieval.MaxK:
		return q, o, usage("", "--k must be between 1 and %d, not %d", retrieval.MaxK, f.k)
	case !(f.threshold >= 0 && f.threshold <= 1):
		return q, o, usage("", "--threshold must be between 0 and 1, not %v", f.threshold)
	case !slices.Contains(retrieval.RetrieveModes, q.Mode):
		return q, o, usage("use dense, hybrid or keyword", "unknown mode %q", f.mode)
	case q.Mode == query.Keyword && f.threshold > 0:
		return q, o, usage("use --mode dense or hybrid, or no --threshold",
			"--threshold is a cosine similarity, which --mode keyword does not have")
	}
	q.Filter.Meta.In, err = readFilters(f.filters)
	return q, o, err
}

// readFilters parses KEY=VALUE pairs.
func readFilters(pairs []string) (meta []query.Pair, err error) {
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		twice := slices.ContainsFunc(meta, func(p query.Pair) bool { return p.Key == key })
		switch {
		case !found || key == "":
			return nil, usage("use, for example, --filter entity=character", "--filter takes KEY=VALUE, not %q", pair)
		case key == "since" || key == "until":
			return nil, usage("use --"+key, "--filter does not take dates")
		case twice:
			return nil, usage("use each key once; a chunk must match all filters", "--filter has the key %q twice", key)
		}
		meta = append(meta, query.Pair{Key: key, Value: value})
	}
	return meta, nil
}

func runRetrieve(cmd *cobra.Command, env *Env, text string, f retrieveFlags) error {
	q, opts, err := f.read(time.Now())
	if err != nil {
		return err
	}
	q.Text = text
	found, err := retrieveFrom(cmd, env, f.shards, q, opts)
	if err != nil {
		return err
	}
	return env.PrintFound(len(found.Results), found, func() { printRetrieved(env.Out, env.Err, found) })
}

// retrieveFrom searches the archive, or a published index.
func retrieveFrom(
	cmd *cobra.Command, env *Env, shards string, q query.Query, opts retrieval.RetrieveOptions,
) (*retrieval.Retrieved, error) {
	if shards == "" {
		mode := q.Mode
		if mode == query.Hybrid && opts.Threshold == 0 { // does without a model
			mode = query.Auto
		}
		_, engine, err := env.Engine(cmd, mode)
		if err != nil {
			return nil, err
		}
		found, err := engine.Retrieve(cmd.Context(), q, opts)
		if err == nil && len(found.Results) == 0 {
			err = hintAtPeek(cmd.Context(), env, engine)
		}
		return found, err
	}
	if err := checkLocation(shards); err != nil {
		return nil, err
	}
	a, err := env.Open(cmd)
	if err != nil {
		return nil, err
	}
	index, err := a.Indexes.Open(cmd.Context(), shards)
	if err != nil {
		return nil, err
	}
	defer index.Close() // read-only: a failed close loses nothing
	return index.Retrieve(cmd.Context(), q, opts)
}

// hintAtPeek says why nothing can be found in an archive of chats.
func hintAtPeek(ctx context.Context, env *Env, engine *retrieval.Engine) error {
	has, err := engine.HasChunks(ctx)
	if err == nil && !has {
		env.Err.println("No documents or records were imported. Use lens peek to search chats and what derives from them.")
	}
	return err
}

func printRetrieved(out, stderr *screen, r *retrieval.Retrieved) {
	if r.Notice != "" {
		stderr.println(stderr.warn(cleantext.Line(r.Notice)))
	}
	for i, c := range r.Results {
		left := fmt.Sprintf("%2d  %s  ", i+1, shownScore(c.Score))
		id := out.line(c.ID, 40)
		meta := out.line(string(c.Meta), max(0, out.width-len(left)-len(id)-2))
		out.println(left + out.bold(id) + "  " + out.faint(meta))
		out.println("           " + out.line(c.Snippet, out.width-11))
	}
	if len(r.Results) == 0 {
		stderr.println("No matches.")
	}
	if r.Model.ID != "" {
		stderr.println(stderr.faint(fmt.Sprintf("%s, %d dims, %.0f ms", r.Model.ID, r.Model.Dims, r.Timing.Total)))
	}
}

// shownScore returns a score in five columns.
func shownScore(score *float64) string {
	if score == nil {
		return "    -"
	}
	return fmt.Sprintf("%.3f", *score)
}
