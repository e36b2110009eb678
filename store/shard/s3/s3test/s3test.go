// Package s3test gives tests a real S3 server: a private one on loopback that starts when the first test asks for a bucket, and stops
// when the test binary ends, however it ends.
//
// In the environment, LENS_TEST_S3=skip leaves out every test that needs it. Where the server is not there yet it is built, which takes a
// minute and Go's module proxy; with -short, and where that is not possible, such tests say so and are skipped.
package s3test

import (
	"bufio"
	"crypto/rand"
	_ "embed" // for the script
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Variable is the name of the environment variable that can leave such tests out.
const Variable = "LENS_TEST_S3"

// script runs servers. It is run from memory, so that it is found from every package's folder.
//
//go:embed server.sh
var script string

// Bucket is one with nothing in it.
type Bucket struct {
	Endpoint string // http://127.0.0.1:port
	Name     string
	Dir      string // where its objects are files, for tests that damage them
}

// Address returns the bucket's, as lens takes it.
func (b Bucket) Address() string { return "s3://" + b.Name }

// New makes a bucket, and sets the environment of the test so that the AWS SDK finds the server and may use it.
func New(t *testing.T) Bucket {
	t.Helper()
	if os.Getenv(Variable) == "skip" {
		skip(t, Variable+"=skip")
	}
	if testing.Short() && bash("installed").Run() != nil {
		skip(t, "no server is built yet, and -short builds none")
	}
	s, err := shared()
	var status *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.As(err, &status) && status.ExitCode() == 3:
		skip(t, "no server could be had: "+err.Error())
	case err != nil:
		t.Fatalf("NO S3 SERVER TO TEST WITH: %v\nSet %s=skip to do without these tests.", err, Variable)
	}
	b := Bucket{Endpoint: s.url, Name: "lens-" + strings.ToLower(rand.Text())}
	b.Dir = filepath.Join(s.dir, b.Name)
	if err := os.Mkdir(b.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	Environment(t, b.Endpoint)
	return b
}

// Environment makes the AWS SDK use a server at endpoint until the test ends, and nothing that this machine's user has set.
func Environment(t *testing.T, endpoint string) {
	t.Helper()
	nothing := filepath.Join(t.TempDir(), "nothing")
	for _, name := range []string{"AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_CA_BUNDLE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_WEB_IDENTITY_TOKEN_FILE"} {
		t.Setenv(name, "")
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": endpoint, "AWS_ACCESS_KEY_ID": "test-access", "AWS_SECRET_ACCESS_KEY": "test-secret", "AWS_REGION": "us-east-1",
		"AWS_CONFIG_FILE": nothing, "AWS_SHARED_CREDENTIALS_FILE": nothing, "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
}

// skip leaves a test out, and says so on stderr, for a skipped test of a package that passes is never seen.
func skip(t *testing.T, why string) {
	t.Helper()
	printSkip(why)
	t.Skip("S3 TESTS ARE SKIPPED: " + why)
}

var skipNote sync.Once

func printSkip(why string) {
	skipNote.Do(func() { fmt.Fprintln(os.Stderr, "S3 TESTS ARE SKIPPED: "+why) })
}

type server struct {
	url, dir string
	life     io.Closer // its standard input, held so that it stays open
}

// shared is the server of this test binary. Nobody stops it: it stops when this process is gone, for then its standard input ends.
var shared = sync.OnceValues(start)

func start() (*server, error) {
	process := bash("session")
	process.Stderr = os.Stderr
	life, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	var lines []string
	for answers := bufio.NewScanner(output); len(lines) < 2 && answers.Scan(); {
		lines = append(lines, answers.Text())
	}
	if len(lines) < 2 {
		return nil, errors.Join(process.Wait(), errors.New("the server did not start"))
	}
	return &server{lines[0], lines[1], life}, nil
}

func bash(word string) *exec.Cmd { return exec.Command("bash", "-c", script, "server.sh", word) }
