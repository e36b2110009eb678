package archive

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/cmd/internal/doctor"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

// key looks like a key and is none. It is joined here, so that no scanner takes it for one.
const key = "gl" + "pat-Qz7Rk2WmQz7Rk2WmQz7R"

// withKeys adds a conversation with a key in its first turn, and another in what a tool returned.
func (a *testArchive) withKeys(t *testing.T) (c store.Conversation) {
	t.Helper()
	c = storetest.Chat(3, "word")
	c.Messages[0].Text += " " + key
	aside := c.Messages[len(c.Messages)-1]
	aside.ID, aside.Turn, aside.Role, aside.Text = uuid.New(), uuid.Nil, store.Tool, "TOKEN="+key
	aside.Seq++
	c.Messages = append(c.Messages, aside)
	a.put(t, c)
	return c
}

func TestCheckSecrets_None(t *testing.T) {
	a := archiveIn(t, t.TempDir())
	a.putLikeAnOlderLens(t, 1)
	if c := a.CheckSecrets(t.Context()); c.Status != doctor.OK || c.Names != nil {
		t.Errorf("got %+v", c)
	}
}

func TestCheckSecrets(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { archiveIn(t, t.TempDir()).wantSecrets(t) })
	t.Run("Postgres", func(t *testing.T) { onServer(t, pgtest.Schema(t), t.TempDir()).wantSecrets(t) })
}

// wantSecrets adds keys and checks that they are named and not shown.
func (a *testArchive) wantSecrets(t *testing.T) {
	t.Helper()
	chat := a.withKeys(t)
	c := a.CheckSecrets(t.Context())
	want := []string{"GitLab token: turn " + chat.Turns[0].ID.String(), "GitLab token: conversation " + chat.ID.String()}
	slices.Sort(c.Names)
	slices.Sort(want)
	if c.Status != doctor.Warn || !strings.Contains(c.Message, "GitLab token (2)") || !slices.Equal(c.Names, want) {
		t.Errorf("with keys: %+v, want %v", c, want)
	}
	if strings.Contains(strings.Join(append(c.Names, c.Message, c.Hint), " "), key) {
		t.Error("a key is shown")
	}
}

// TestCheckSecrets_Bounded says what it did not read.
func TestCheckSecrets_Bounded(t *testing.T) {
	a := archiveIn(t, t.TempDir())
	a.withKeys(t)
	st, err := a.openQuietly(t.Context())
	must(t, err)
	defer st.Close()
	if c := checkSecrets(t.Context(), st, -5*time.Minute); c.Status != doctor.Warn || !strings.Contains(c.Message, "0 of 1 conversations were read in -5 minutes") {
		t.Errorf("got %+v", c)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c := checkSecrets(ctx, st, time.Minute); c.Status != doctor.Fail {
		t.Errorf("canceled: got %+v", c)
	}
}

// TestSecretSearch_ManyPlaces lists some of each kind.
func TestSecretSearch_ManyPlaces(t *testing.T) {
	s := &secretSearch{places: map[string][]string{}, found: map[string]int{}}
	for range secretsPlaces + 5 {
		s.look(uuid.Nil, &store.Message{Turn: uuid.New(), Text: key, Raw: []byte(key)})
	}
	c := s.check("")
	if len(c.Names) != secretsPlaces+1 || c.Names[secretsPlaces] != "GitLab token: 5 more places" ||
		!strings.Contains(c.Message, "GitLab token (25)") {
		t.Errorf("got %+v", c)
	}
}
