package pgtest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"lens/internal/testenv"
)

// serving runs a server until it is killed.
var serving = testenv.NewChild("serve", func([]string) (err error) {
	served, err = start()
	fmt.Println(served.URL, err)
	for { // select {} alone is a deadlock to the runtime, which ends the child
		time.Sleep(time.Hour)
	}
})

// served keeps the server of serving reachable: the collector would close the pipe to it, and so end it.
var served *Server

func TestMain(m *testing.M) {
	testenv.BeChild()
	goleak.VerifyTestMain(m)
}

func TestDatabase_IsFreshWithPgvector(t *testing.T) {
	first, second := Database(t), Database(t)
	if first == second {
		t.Fatal("two tests would share a database")
	}
	for _, address := range []string{first, second} {
		execute(t, address, "CREATE EXTENSION vector")
		execute(t, address, "CREATE TABLE t (v halfvec(3))")
	}
}

func TestSchema_IsFreshAndDropped(t *testing.T) {
	var first string
	t.Run("a test", func(t *testing.T) {
		first = Schema(t)
		for _, address := range []string{first, Schema(t)} {
			execute(t, address, "CREATE TABLE t (v halfvec(3))")
			execute(t, address, "SELECT 1 / (current_schema() LIKE 'lens_test_%')::int")
		}
	})
	if first != "" { // else the tests are skipped
		execute(t, first, "SELECT 1 / (current_schema() = 'public')::int") // the next in the path
	}
}

// again runs the first test in a process of its own.
func again(t *testing.T, environment ...string) (output string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), self, "-test.run=^TestDatabase_IsFreshWithPgvector$", "-test.v")
	child.Env = append(os.Environ(), environment...)
	said, err := child.CombinedOutput()
	return string(said), err
}

func TestDatabase_NoServerFailsTest(t *testing.T) {
	output, err := again(t, EnvVar+"=", "PATH=/nowhere")
	if err == nil || !strings.Contains(output, "NO POSTGRES TO TEST WITH") || !strings.Contains(output, EnvVar) {
		t.Errorf("got %v:\n%s", err, output)
	}
}

func TestDatabase_SkipIsReported(t *testing.T) {
	output, err := again(t, EnvVar+"=skip")
	if err != nil || !strings.Contains(output, "POSTGRES TESTS ARE SKIPPED") || !strings.Contains(output, "--- SKIP") {
		t.Errorf("got %v:\n%s", err, output)
	}
}

func TestDatabase_UsesGivenServer(t *testing.T) {
	skipIfAsked(t)
	server := NewServer(t)
	output, err := again(t, EnvVar+"="+server.URL, "PATH=/nowhere")
	if err != nil {
		t.Errorf("got %v:\n%s", err, output)
	}
}

func TestServer_StopsWithTheTest(t *testing.T) {
	skipIfAsked(t)
	child := serving.Command(t)
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(output)
	said.Scan()
	address, _, _ := strings.Cut(said.Text(), " ")
	for attempt := 1; ; attempt++ {
		if err := answers(t, address); err == nil {
			break
		} else if attempt == 5 {
			t.Fatalf("the server does not answer: %v (%q)", err, said.Text())
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	for range 1200 {
		if answers(t, address) != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the server still runs, long after its test was killed")
}

func answers(t *testing.T, address string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	return c.Close(ctx)
}
