package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/internal/cleantext"
)

func (s *session) shardCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shard",
		Short: "Publish documents and records as an index",
		Args:  none,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, verb := range []*cobra.Command{s.shardPublishCommand(), s.shardVerifyCommand()} {
		s.aside(verb)
		cmd.AddCommand(verb)
	}
	return cmd
}

// publishing holds the flags of lens shard publish.
type publishing struct {
	size  int
	prune bool
}

func (s *session) shardPublishCommand() *cobra.Command {
	var f publishing
	cmd := &cobra.Command{
		Use:   "publish DEST",
		Short: "Publish the index, or update it",
		Long: unwrap(`Writes the documents and records of the archive, with their vectors, to DEST, a folder or
s3://bucket/prefix, as files that never change and a manifest that lists them. Existing files are checked, and rewritten
only if they are damaged. Readers see either the old index or the new one, never a mix.

Anyone who can read DEST can read the published text of the chunks, their metadata, and the names and paths of their
files. Chats are never published.

For S3, set AWS_PROFILE, AWS_REGION and the other variables of the AWS SDK; AWS_ENDPOINT_URL_S3 names another server
with the same protocol.`),
		Example: `  lens shard publish /srv/index
  lens shard publish s3://bucket/prefix --prune`,
		Args: atLeastOne("a destination"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.shardPublish(cmd, args, f) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.size, "shard-size", app.DefaultShardMB, "approximate size of a shard in MB, 25 to 200")
	flags.BoolVar(&f.prune, "prune", false, "afterwards, delete files of Lens that the index no longer needs")
	return cmd
}

func (s *session) shardPublish(cmd *cobra.Command, args []string, f publishing) error {
	to, err := oneDestination(args)
	if err != nil {
		return err
	}
	if f.size < app.MinShardMB || f.size > app.MaxShardMB {
		return usage("", "--shard-size must be between %d and %d", app.MinShardMB, app.MaxShardMB)
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	g := &gauge{screen: s.err, title: "publishing"}
	p, err := l.Publish(cmd.Context(), to, f.size, f.prune, func(p app.ShardProgress) {
		g.tell(app.Progress{Done: int64(p.Done), Total: int64(p.Total)})
	})
	g.end()
	if err != nil {
		return err
	}
	if s.globals.json {
		return s.out.json(p)
	}
	s.showPublished(p)
	return nil
}

func (s *session) showPublished(p *app.Published) {
	s.out.printf("%s in %s, %s\n", count(p.Records, "record"), count(p.Shards, "shard"), bytesOf(p.Bytes))
	switch {
	case p.Changed:
		s.out.printf("generation %d: %s written, %s\n", p.Generation, count(p.Sent, "object"), bytesOf(p.SentBytes))
	case p.Sent > 0:
		s.out.printf("repaired: %s rewritten, %s\n", count(p.Sent, "missing or damaged object"), bytesOf(p.SentBytes))
	default:
		s.out.println("the index is up to date")
	}
	if p.Pruned > 0 {
		s.out.printf("%s deleted\n", count(p.Pruned, "unused object"))
	}
}

func (s *session) shardVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify DEST",
		Short: "Check a published index against its manifest",
		Long: unwrap(`Reads every file of the index in DEST and compares its checksum with the manifest's. Exits with 1 if a
file is missing or damaged.`),
		Example: "  lens shard verify /srv/index",
		Args:    atLeastOne("a destination"),
		RunE:    s.shardVerify,
	}
}

func (s *session) shardVerify(cmd *cobra.Command, args []string) error {
	at, err := oneDestination(args)
	if err != nil {
		return err
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	all, err := l.VerifyPublished(cmd.Context(), at)
	if err != nil {
		return err
	}
	faults, hint := 0, "run lens shard publish again"
	for _, v := range all {
		faults += len(v.Faults)
		for _, fault := range v.Faults {
			if fault.Newer {
				hint = "update Lens; a newer version published this index"
			}
		}
	}
	if s.globals.json {
		err = s.out.json(struct {
			OK      bool           `json:"ok"`
			Indexes []app.Verified `json:"indexes"`
		}{faults == 0, all})
	} else {
		s.showVerified(all)
	}
	if err == nil && faults > 0 {
		err = &refusal{code: failed, message: "cannot use " + count(faults, "object") + " of the index", hint: hint}
	}
	return err
}

func (s *session) showVerified(all []app.Verified) {
	for _, v := range all {
		s.out.printf("%s generation %d: %s in %s, %s read\n", cleantext.Line(v.Index), v.Generation,
			count(v.Records, "record"), count(v.Shards, "shard"), bytesOf(v.Bytes))
		for _, fault := range v.Faults {
			s.out.printf("  %s: %s\n", cleantext.Line(fault.Key), fault.What)
		}
		if v.Unused > 0 {
			s.out.printf("  %s; lens shard publish --prune deletes them\n", count(v.Unused, "unused object"))
		}
	}
}

func oneDestination(args []string) (string, error) {
	if len(args) > 1 {
		return "", usage("quote a path that contains spaces", "name one destination, not %s", strings.Join(args, " and "))
	}
	return args[0], checkPlace(args[0])
}

// checkPlace returns a usage error for a URL other than s3://.
func checkPlace(place string) error {
	if scheme, _, isURL := strings.Cut(place, "://"); isURL && scheme != "s3" {
		return usage("use a folder or s3://bucket/prefix", "unsupported index location %s://", scheme)
	}
	return nil
}
