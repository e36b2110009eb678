package chat

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lens/agent"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.BeChild()
	os.Exit(m.Run())
}

// sessionsOf returns the sessions in a folder for a child process.
func sessionsOf(dir string) *Sessions {
	return NewSessions(datadir.New(keys.New(keys.Options{Dir: dir})), datadir.StateFile)
}

// adding adds 30 exchanges to a session.
var adding = testenv.NewChild("add", func(args []string) error {
	s := sessionsOf(args[0])
	for n := range 30 {
		if _, err := s.Change(context.Background(), chatID, func(one *agent.Session) {
			one.Exchanges = append(one.Exchanges, agent.Exchange{Question: fmt.Sprint(args[1], n), Asked: time.Now()})
		}); err != nil {
			return err
		}
	}
	return nil
})

func TestSessions_TwoProcessesWrite(t *testing.T) {
	dir := t.TempDir()
	s := sessionsIn(t, dir)
	must(t, s.Save(t.Context(), agent.Session{ID: chatID}))
	var both sync.WaitGroup
	for _, name := range []string{"one", "two"} {
		both.Go(func() {
			if said, err := adding.Command(t, dir, name).CombinedOutput(); err != nil {
				t.Errorf("%s: %v", said, err)
			}
		})
	}
	both.Wait()
	one, err := s.Session(t.Context(), chatID)
	must(t, err)
	asked := map[string]bool{}
	for _, e := range one.Exchanges {
		asked[e.Question] = true
	}
	if len(one.Exchanges) != 60 || len(asked) != 60 {
		t.Errorf("got %d exchanges, %d of them different, of 60", len(one.Exchanges), len(asked))
	}
}

// answering stores a question, says so, and never answers it.
var answering = testenv.NewChild("answer", func(args []string) error {
	if err := sessionsOf(args[0]).Save(context.Background(), agent.Session{
		ID: chatID, Exchanges: []agent.Exchange{{Question: "?", Asked: asked, Answering: true}},
	}); err != nil {
		return err
	}
	fmt.Println("stored")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // the test never writes one
	return nil
})

var asked = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

func TestSessions_AnsweringProcessEnds(t *testing.T) {
	dir := t.TempDir()
	s := sessionsIn(t, dir)
	child := answering.Command(t, dir)
	wait, err := child.StdinPipe()
	must(t, err)
	defer wait.Close()
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "stored\n" {
		t.Fatalf("%q, %v", line, err)
	}
	exchange := func() agent.Exchange {
		t.Helper()
		one, err := s.Session(t.Context(), chatID)
		must(t, err)
		return one.Exchanges[0]
	}
	if e := exchange(); e.Broken != "" || !e.Answering {
		t.Errorf("while it is answered: got %+v", e)
	}
	_, err = s.Change(t.Context(), chatID, func(one *agent.Session) { one.Name = "bread" })
	must(t, err)
	if e := exchange(); e.Broken != "" || !e.Answering {
		t.Errorf("after a change by another process: got %+v", e)
	}
	must(t, child.Process.Kill())
	_ = child.Wait()
	if e := exchange(); e.Broken != agent.BrokenByExit || e.Answering {
		t.Errorf("after the process was killed: got %+v", e)
	}
	_, err = s.Change(t.Context(), chatID, func(one *agent.Session) {
		one.Exchanges = append(one.Exchanges, agent.Exchange{Question: "again?", Asked: asked.Add(1), Answering: true})
	})
	must(t, err)
	one, err := s.Session(t.Context(), chatID)
	must(t, err)
	if was, is := one.Exchanges[0], one.Exchanges[1]; was.Broken != agent.BrokenByExit || !is.Answering || is.Broken != "" {
		t.Errorf("asked again: got %+v", one.Exchanges)
	}
}

// takingOver takes over what an older Lens saved.
var takingOver = testenv.NewChild("take over", func(args []string) error {
	fmt.Println("begun")
	_, err := sessionsOf(args[0]).List(context.Background(), agent.SessionPage{Limit: 1})
	return err
})

func TestTakeOver_OutlivesBeingKilled(t *testing.T) {
	dir := t.TempDir()
	h := datadir.Home{Dir: dir}
	ids := saveOlder(t, h, 3*batchSize)
	s := sessionsIn(t, dir)
	left := []int{len(ids)}
	for n := 1; n < 12 && left[n-1] > 0; n++ { // later and later, until one is not killed before its end
		testenv.KillAfter(t, takingOver.Command(t, dir), time.Duration(n)*50*time.Millisecond)
		files, _ := os.ReadDir(h.Path(datadir.ChatsFolder))
		left = append(left, len(files))
	}
	t.Logf("files left after each kill: %v", left)
	if all, err := s.List(t.Context(), agent.SessionPage{Limit: len(ids) + 1}); err != nil || len(all) != len(ids) {
		t.Errorf("got %d of %d sessions, %v", len(all), len(ids), err)
	}
	for i := 0; i < len(ids); i += 50 {
		if one, err := s.Session(t.Context(), ids[i]); err != nil || one.Exchanges[0].Answer != ids[i] {
			t.Fatalf("%s: got %+v, %v", ids[i], one, err)
		}
	}
	if _, err := os.Stat(h.Path(datadir.ChatsFolder)); err == nil {
		t.Error("the folder of the older Lens is left")
	}
}

// saveOlder saves n sessions as an older Lens did, and returns their IDs.
func saveOlder(t *testing.T, h datadir.Home, n int) (ids []string) {
	t.Helper()
	must(t, os.MkdirAll(h.Path(datadir.ChatsFolder), 0o700))
	for i := range n {
		id := fmt.Sprintf("0b8f6e3c-1111-4222-8333-%012d", i)
		saveAsOlder(t, h, agent.Session{
			ID: id, Name: "older", Updated: asked.Add(time.Duration(i)), Exchanges: []agent.Exchange{{Question: "?", Answer: id}},
		})
		ids = append(ids, id)
	}
	return ids
}

// saveAsOlder saves a session in its own file; an unencrypted one without waiting for the disk.
func saveAsOlder(t *testing.T, h datadir.Home, one agent.Session) {
	t.Helper()
	name := filepath.Join(datadir.ChatsFolder, one.ID+".json")
	if h != (datadir.Home{Dir: h.Dir}) {
		must(t, h.Save(name, one))
		return
	}
	text, err := json.Marshal(one)
	must(t, err)
	must(t, os.WriteFile(h.Path(name), text, 0o600))
}
