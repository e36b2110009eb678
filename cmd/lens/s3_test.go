package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lens/retrieval/embed/embedtest"
	"lens/store/shard/s3/s3test"
)

// s3Variables are the environment variables of the AWS SDK.
var s3Variables = []string{"AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_EC2_METADATA_DISABLED"}

func TestShard_InS3(t *testing.T) {
	bucket := s3test.New(t)
	model := embedtest.New(t, embedtest.Options{Key: "the-key"})
	dir := t.TempDir()
	env := environmentOf(dir, "LENS_EMBEDDING=openai", "OPENAI_BASE_URL="+model.URL, "OPENAI_API_KEY=the-key")
	for _, name := range s3Variables {
		env = append(env, name+"="+os.Getenv(name))
	}
	records := filepath.Join(dir, "records.jsonl")
	must(t, os.WriteFile(records, []byte(`{"id":"7","text":"A villain in a mask rules.","meta":{"entity":"character"}}
{"id":"8","text":"A hero without fear.","meta":{"entity":"story"}}
`), 0o600))
	runLens(t, env, "import", "--no-embed", records)
	runLens(t, env, "embed", "--yes")
	at := bucket.Address() + "/some/prefix"
	if out := runLens(t, env, "shard", "publish", at); !strings.HasPrefix(out, "2 records in 1 shard, ") {
		t.Errorf("published: %s", out)
	}
	if out := runLens(t, env, "shard", "verify", at); !strings.Contains(out, "generation 1: 2 records in 1 shard, ") {
		t.Errorf("verified: %s", out)
	}
	want := untimed(t, runLens(t, env, "retrieve", "villain", "--json"))
	for _, flags := range [][]string{{}, {"--data", filepath.Join(dir, "elsewhere")}, {"--offline"}} {
		if got := untimed(t, runLens(t, env, append([]string{"retrieve", "villain", "--json", "--shards", at}, flags...)...)); got != want {
			t.Errorf("%v: from S3\n%s\nfrom the archive\n%s", flags, got, want)
		}
	}
	s := serveLens(t, dir, env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0", "--shards", at))
	if status, got := s.get("/retrieve?q=villain"); status != 200 || untimed(t, got) != want {
		t.Errorf("served: %d\n%s\nwant\n%s", status, got, want)
	}
	s.terminate()

	for name, c := range map[string]struct {
		variable, at, message, hint string
	}{
		"a wrong secret":   {"AWS_SECRET_ACCESS_KEY=other", at, "S3 rejected the secret key", "check AWS_SECRET_ACCESS_KEY"},
		"an unknown key":   {"AWS_ACCESS_KEY_ID=other", at, "S3 does not know the access key", "check AWS_ACCESS_KEY_ID"},
		"a missing bucket": {"", bucket.Address() + "-not", "there is no bucket " + bucket.Name + "-not", "check its name"},
		"no profile":       {"AWS_PROFILE=nobody", at, "AWS_PROFILE names a profile that does not exist", "aws configure"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, args := range [][]string{{"shard", "publish", c.at}, {"shard", "verify", c.at}, {"retrieve", "villain", "--shards", c.at, "--data", t.TempDir()}} {
				code, said := failing(t, append(env, c.variable), args...)
				if code != failed || !strings.HasPrefix(said, "error: "+c.message+"\nhint: ") || !strings.Contains(said, c.hint) || strings.Count(said, "\n") != 2 {
					t.Errorf("%v: exit code %d\n%s", args, code, said)
				}
			}
		})
	}
}

// failing runs lens, which must fail, and returns its exit code and stderr.
func failing(t *testing.T, env []string, args ...string) (code int, said string) {
	t.Helper()
	cmd := exec.Command("lens", args...)
	cmd.Env = env
	_, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("lens %v: %v", args, err)
	}
	return exit.ExitCode(), string(exit.Stderr)
}
