package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/cleantext"
)

func (s *session) shardCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shard",
		Short: "Publish documents and records as an index to be asked from elsewhere",
		Args:  none,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, verb := range []*cobra.Command{s.shardPublishCommand(), s.shardVerifyCommand()} {
		s.aside(verb)
		cmd.AddCommand(verb)
	}
	return cmd
}

// publishing is the flags of lens shard publish.
type publishing struct {
	size  int
	prune bool
}

func (s *session) shardPublishCommand() *cobra.Command {
	var f publishing
	cmd := &cobra.Command{
		Use:   "publish DEST",
		Short: "Write the index, or what of it has changed",
		Long: `Writes the documents and records of the archive, with their vectors, to DEST, a folder or s3://bucket/prefix, as files that never change and a manifest that names them. What is there already is read, and not written again unless it is damaged; who reads meanwhile reads the old index or the new one, whole.

What is published can be read by whoever can read DEST: the text of the chunks, their metadata, and the names and paths of their files. Chats are never published.

S3 is used as the AWS SDK is told to by AWS_PROFILE, AWS_REGION and the like; AWS_ENDPOINT_URL_S3 names another server that speaks its protocol.`,
		Example: `  lens shard publish /srv/index
  lens shard publish s3://bucket/prefix --prune`,
		Args: atLeastOne("a destination"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.shardPublish(cmd, args, f) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.size, "shard-size", boot.DefaultShardMB, "about how many MB a shard has, 25 to 200")
	flags.BoolVar(&f.prune, "prune", false, "then delete what Lens wrote there and no longer belongs to the index")
	return cmd
}

func (s *session) shardPublish(cmd *cobra.Command, args []string, f publishing) error {
	to, err := oneDestination(args)
	if err != nil {
		return err
	}
	if f.size < boot.MinShardMB || f.size > boot.MaxShardMB {
		return usage("", "--shard-size must be between %d and %d", boot.MinShardMB, boot.MaxShardMB)
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	g := &gauge{screen: s.err, title: "publishing"}
	p, err := l.Publish(cmd.Context(), to, f.size, f.prune, func(p boot.ShardProgress) {
		g.tell(boot.Progress{Done: int64(p.Done), Total: int64(p.Total)})
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

func (s *session) showPublished(p *boot.Published) {
	s.out.printf("%s in %s, %s\n", count(p.Records, "record"), count(p.Shards, "shard"), bytesOf(p.Bytes))
	switch {
	case p.Changed:
		s.out.printf("generation %d: %s written, %s\n", p.Generation, count(p.Sent, "object"), bytesOf(p.SentBytes))
	case p.Sent > 0:
		s.out.printf("mended: %s that was missing or damaged written again, %s\n", count(p.Sent, "object"), bytesOf(p.SentBytes))
	default:
		s.out.println("nothing has changed since it was published")
	}
	if p.Pruned > 0 {
		s.out.printf("%s deleted that no longer belonged to it\n", count(p.Pruned, "object"))
	}
}

func (s *session) shardVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "verify DEST",
		Short:   "Check that an index is as it was published",
		Long:    "Reads every file of the index in DEST and compares its checksum with the manifest's. It ends with 1 when something is missing or damaged.",
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
	faults, hint := 0, "publish it again: lens shard publish"
	for _, v := range all {
		faults += len(v.Faults)
		for _, fault := range v.Faults {
			if fault.Newer {
				hint = "update this program: a newer Lens published there"
			}
		}
	}
	if s.globals.json {
		err = s.out.json(struct {
			OK      bool            `json:"ok"`
			Indexes []boot.Verified `json:"indexes"`
		}{faults == 0, all})
	} else {
		s.showVerified(all)
	}
	if err == nil && faults > 0 {
		err = &refusal{code: failed, message: count(faults, "object") + " of the index cannot be used", hint: hint}
	}
	return err
}

func (s *session) showVerified(all []boot.Verified) {
	for _, v := range all {
		s.out.printf("%s generation %d: %s in %s, %s read\n", cleantext.Line(v.Index), v.Generation, count(v.Records, "record"), count(v.Shards, "shard"), bytesOf(v.Bytes))
		for _, fault := range v.Faults {
			s.out.printf("  %s: %s\n", cleantext.Line(fault.Key), fault.What)
		}
		if v.Unused > 0 {
			s.out.printf("  %s besides; lens shard publish --prune deletes what the index no longer needs\n", count(v.Unused, "object"))
		}
	}
}

func oneDestination(args []string) (string, error) {
	if len(args) > 1 {
		return "", usage("put quotation marks around a path with spaces", "only one destination can be named, not %s", strings.Join(args, " and "))
	}
	return args[0], checkPlace(args[0])
}

// checkPlace refuses what is the place of no index.
func checkPlace(place string) error {
	if scheme, _, isURL := strings.Cut(place, "://"); isURL && scheme != "s3" {
		return usage("name a folder, or s3://bucket/prefix", "an index cannot lie at %s://", scheme)
	}
	return nil
}
