package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/published"
	"lens/internal/cleantext"
)

func newShardCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shard",
		Short: "Publish documents and records as an index",
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newShardPublishCmd(env), newShardVerifyCmd(env))
	return cmd
}

// publishFlags holds the flags of lens shard publish.
type publishFlags struct {
	size  int
	prune bool
}

func newShardPublishCmd(env *Env) *cobra.Command {
	var f publishFlags
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
		RunE: func(cmd *cobra.Command, args []string) error { return runShardPublish(cmd, env, args, f) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.size, "shard-size", published.DefaultShardMB, "approximate size of a shard in MB, 25 to 200")
	flags.BoolVar(&f.prune, "prune", false, "afterwards, delete files of Lens that the index no longer needs")
	return cmd
}

func runShardPublish(cmd *cobra.Command, env *Env, args []string, f publishFlags) error {
	to, err := oneDestination(args)
	if err != nil {
		return err
	}
	if f.size < published.MinShardMB || f.size > published.MaxShardMB {
		return usage("", "--shard-size must be between %d and %d", published.MinShardMB, published.MaxShardMB)
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	bar := &progressBar{screen: env.Err, title: "publishing"}
	p, err := a.Indexes.Publish(cmd.Context(), to, f.size, f.prune, func(p published.Progress) {
		bar.show(archive.Progress{Done: int64(p.Done), Total: int64(p.Total)})
	})
	bar.erase()
	if err != nil {
		return err
	}
	return env.Print(p, func() { printPublished(env.Out, p) })
}

func printPublished(out *screen, p *published.Report) {
	out.printf("%s in %s, %s\n", count(p.Records, "record"), count(p.Shards, "shard"), bytesOf(p.Bytes))
	switch {
	case p.Changed:
		out.printf("generation %d: %s written, %s\n", p.Generation, count(p.Sent, "object"), bytesOf(p.SentBytes))
	case p.Sent > 0:
		out.printf("repaired: %s rewritten, %s\n", count(p.Sent, "missing or damaged object"), bytesOf(p.SentBytes))
	default:
		out.println("the index is up to date")
	}
	if p.Pruned > 0 {
		out.printf("%s deleted\n", count(p.Pruned, "unused object"))
	}
}

func newShardVerifyCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "verify DEST",
		Short: "Check a published index against its manifest",
		Long: unwrap(`Reads every file of the index in DEST and compares its checksum with the manifest's. Exits with 1 if a
file is missing or damaged.`),
		Example: "  lens shard verify /srv/index",
		Args:    atLeastOne("a destination"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runShardVerify(cmd, env, args) },
	}
}

func runShardVerify(cmd *cobra.Command, env *Env, args []string) error {
	at, err := oneDestination(args)
	if err != nil {
		return err
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	all, err := a.Indexes.Verify(cmd.Context(), at)
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
	err = env.Print(struct {
		OK      bool                 `json:"ok"`
		Indexes []published.Verified `json:"indexes"`
	}{faults == 0, all}, func() { printVerified(env.Out, all) })
	if err == nil && faults > 0 {
		err = failure(hint, "cannot use %s of the index", count(faults, "object"))
	}
	return err
}

func printVerified(out *screen, all []published.Verified) {
	for _, v := range all {
		out.printf("%s generation %d: %s in %s, %s read\n", cleantext.Line(v.Index), v.Generation,
			count(v.Records, "record"), count(v.Shards, "shard"), bytesOf(v.Bytes))
		for _, fault := range v.Faults {
			out.printf("  %s: %s\n", cleantext.Line(fault.Key), fault.What)
		}
		if v.Unused > 0 {
			out.printf("  %s; lens shard publish --prune deletes them\n", count(v.Unused, "unused object"))
		}
	}
}

func oneDestination(args []string) (string, error) {
	if len(args) > 1 {
		return "", usage("quote a path that contains spaces", "name one destination, not %s", strings.Join(args, " and "))
	}
	return args[0], checkLocation(args[0])
}

// checkLocation returns a usage error for a URL other than s3://.
func checkLocation(place string) error {
	if scheme, _, isURL := strings.Cut(place, "://"); isURL && scheme != "s3" {
		return usage("use a folder or s3://bucket/prefix", "unsupported index location %s://", scheme)
	}
	return nil
}
