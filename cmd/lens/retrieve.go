package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/retrieval"
)

// retrieving is the flags of lens retrieve.
type retrieving struct {
	window
	k         int
	threshold float64
	filters   []string
	mode      string
	shards    string
}

func (s *session) retrieveCommand() *cobra.Command {
	var f retrieving
	cmd := &cobra.Command{
		Use:   "retrieve QUERY",
		Short: "The chunks that answer best, of those with some metadata",
		Long: `Looks through the documents and records of the archive, or of an index that lens shard publish made, and lists the chunks that answer QUERY best. Filters act before anything is ranked: what they leave out costs no place in the list.

A filter is a key of the metadata and its value. A member of a member has the names of both with a dot between them; id, filename, path, mime and client_tag are known of every chunk that has them. Of several filters all must hold.`,
		Example: `  lens retrieve "who betrayed whom" --filter entity=character --k 10
  lens retrieve "notice period" --filter client_tag=acme --since 2024 --json
  lens retrieve "first appearance" --shards s3://bucket/prefix --mode dense --threshold 0.4`,
		Args: atLeastOne("a query"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.retrieve(cmd, strings.Join(args, " "), f) },
	}
	f.window.addTo(cmd)
	flags := cmd.Flags()
	flags.IntVarP(&f.k, "k", "k", retrieval.DefaultK, "how many chunks are listed, at most 50")
	flags.Float64Var(&f.threshold, "threshold", 0, "the least score of a chunk, 0 to 1")
	flags.StringArrayVar(&f.filters, "filter", nil, "only chunks whose metadata say so: KEY=VALUE, any number of times")
	flags.StringVar(&f.mode, "mode", string(retrieval.Hybrid), "way of ranking: hybrid or dense")
	flags.StringVar(&f.shards, "shards", "", "retrieve from the index published in this folder or at s3://bucket/prefix, not from the archive")
	return cmd
}

// read returns the options that are meant.
func (f *retrieving) read(now time.Time) (o retrieval.RetrieveOptions, err error) {
	f.bin = "auto"
	if o.Since, o.Until, err = f.window.read(now); err != nil {
		return o, err
	}
	o.K, o.Threshold, o.Mode = f.k, f.threshold, retrieval.Mode(f.mode)
	switch {
	case f.k < 1 || f.k > retrieval.MaxK:
		return o, usage("", "--k must be between 1 and %d", retrieval.MaxK)
	case !(f.threshold >= 0 && f.threshold <= 1):
		return o, usage("", "--threshold must be between 0 and 1")
	case o.Mode != retrieval.Hybrid && o.Mode != retrieval.Dense:
		return o, usage("use hybrid or dense", "--mode has no such way of ranking")
	}
	o.Meta, err = readFilters(f.filters)
	return o, err
}

// readFilters reads KEY=VALUE pairs; nil for none.
func readFilters(pairs []string) (map[string]string, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	meta := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		_, twice := meta[key]
		switch {
		case !found || key == "":
			return nil, usage("for instance: --filter entity=character", "--filter takes KEY=VALUE")
		case key == "since" || key == "until":
			return nil, usage("use --"+key, "--filter does not take times")
		case twice:
			return nil, usage("of several filters all must hold", "--filter has the key %s twice", key)
		}
		meta[key] = value
	}
	return meta, nil
}

func (s *session) retrieve(cmd *cobra.Command, query string, f retrieving) error {
	opts, err := f.read(time.Now())
	if err != nil {
		return err
	}
	found, err := s.retrieveFrom(cmd, f.shards, query, opts)
	if err != nil {
		return err
	}
	if s.globals.json {
		err = s.out.json(found)
	} else {
		s.showRetrieved(found)
	}
	if err == nil && len(found.Results) == 0 {
		err = errNothing
	}
	return err
}

// retrieveFrom asks the archive, or a published index.
func (s *session) retrieveFrom(cmd *cobra.Command, shards, query string, opts retrieval.RetrieveOptions) (*retrieval.Retrieved, error) {
	if shards == "" {
		_, engine, err := s.engine(cmd, opts.Mode)
		if err != nil {
			return nil, err
		}
		return engine.Retrieve(cmd.Context(), query, opts)
	}
	if err := checkPlace(shards); err != nil {
		return nil, err
	}
	l, err := s.open(cmd)
	if err != nil {
		return nil, err
	}
	shelf, err := l.Shelf(cmd.Context(), shards)
	if err != nil {
		return nil, err
	}
	defer shelf.Close() // what is only read, nothing can be lost of
	retriever, err := shelf.Retriever(cmd.Context())
	if err != nil {
		return nil, err
	}
	return retriever.Retrieve(cmd.Context(), query, opts)
}

func (s *session) showRetrieved(r *retrieval.Retrieved) {
	for i, c := range r.Results {
		left := fmt.Sprintf("%2d  %.3f  ", i+1, c.Score)
		id := s.out.line(c.ID, 40)
		meta := s.out.line(string(c.Meta), max(0, s.out.width-len(left)-len(id)-2))
		s.out.println(left + s.out.bold(id) + "  " + s.out.faint(meta))
		s.out.println("           " + s.out.line(c.Snippet, s.out.width-11))
	}
	if len(r.Results) == 0 {
		s.err.println("nothing found")
	}
	s.err.println(s.err.faint(fmt.Sprintf("%s, %d dims, %.0f ms", r.Model.ID, r.Model.Dims, r.Timing.Total)))
}
