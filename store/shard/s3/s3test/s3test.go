// Package s3test provides tests with a real S3 server on loopback. It starts when the first test requests a
// bucket and stops when the test binary ends, in whatever way.
//
// LENS_TEST_S3=skip skips every test that needs the server. A missing server is built, which takes a minute
// and Go's module proxy. With -short, or if that fails, such tests are skipped with a note.
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

// Variable is the environment variable that can skip these tests.
const Variable = "LENS_TEST_S3"

// script runs the server. Embedding it makes it available from every package's folder.
//
//go:embed server.sh
var script string

// Bucket is an empty bucket.
type Bucket struct {
	Endpoint string // http://127.0.0.1:port
	Name     string
	Dir      string // folder of its objects, for tests that damage them
}

// Address returns the bucket's address, in the form that lens accepts.
func (b Bucket) Address() string { return "s3://" + b.Name }

// New creates a bucket and sets the test's environment so that the AWS SDK finds the server with valid
// credentials.
func New(t *testing.T) Bucket {
	t.Helper()
	if os.Getenv(Variable) == "skip" {
		skip(t, Variable+"=skip")
	}
	if testing.Short() && bash("installed").Run() != nil {
		skip(t, "the server is not built, and -short does not build it")
	}
	s, err := shared()
	var status *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.As(err, &status) && status.ExitCode() == 3:
		skip(t, "no server available: "+err.Error())
	case err != nil:
		t.Fatalf("NO S3 SERVER TO TEST WITH: %v\nSet %s=skip to skip these tests.", err, Variable)
	}
	b := Bucket{Endpoint: s.url, Name: "lens-" + strings.ToLower(rand.Text())}
	b.Dir = filepath.Join(s.dir, b.Name)
	if err := os.Mkdir(b.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	Environment(t, b.Endpoint)
	return b
}

// Environment points the AWS SDK to the server at endpoint until the test ends, hiding the user's own
// settings.
func Environment(t *testing.T, endpoint string) {
	t.Helper()
	nothing := filepath.Join(t.TempDir(), "nothing")
	for _, name := range []string{
		"AWS_PROFILE",
		"AWS_SESSION_TOKEN",
		"AWS_ENDPOINT_URL",
		"AWS_CA_BUNDLE",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI",
		"AWS_WEB_IDENTITY_TOKEN_FILE",
	} {
		t.Setenv(name, "")
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3":         endpoint,
		"AWS_ACCESS_KEY_ID":           "test-access",
		"AWS_SECRET_ACCESS_KEY":       "test-secret",
		"AWS_REGION":                  "us-east-1",
		"AWS_CONFIG_FILE":             nothing,
		"AWS_SHARED_CREDENTIALS_FILE": nothing,
		"AWS_EC2_METADATA_DISABLED":   "true",
	} {
		t.Setenv(name, value)
	}
}

// skip skips a test and prints a note to stderr, because go test hides skipped tests of a passing package.
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
	life     io.Closer // its standard input; the server stops when it closes
}

// shared is the server of this test binary. It stops when this process ends, which closes its standard input.
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
