package archive

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/cmd/internal/doctor"
	"lens/internal/secrets"
	"lens/store"
)

// A search for secrets reads every message. It stops after some minutes and says how far it got, and it names few
// places of each kind: a person with a hundred keys looks at some and forgets the source.
const (
	secretsCheck  = "secrets"
	secretsTime   = 5 * time.Minute
	secretsPlaces = 20 // that are listed of each kind
)

// CheckSecrets names likely secrets in the archive, by their kind and place. It never shows them.
func (a *Archive) CheckSecrets(ctx context.Context) doctor.Check {
	st, err := a.openQuietly(ctx)
	if err != nil {
		return doctor.Failed(secretsCheck, err)
	}
	defer st.Close()
	return checkSecrets(ctx, st, secretsTime)
}

func checkSecrets(ctx context.Context, st store.Reader, limit time.Duration) doctor.Check {
	ids, err := st.ConversationIDs(ctx, "")
	if err != nil {
		return doctor.Failed(secretsCheck, err)
	}
	s := &secretSearch{places: map[string][]string{}, found: map[string]int{}}
	deadline := time.Now().Add(limit)
	for i, id := range ids {
		if time.Now().After(deadline) {
			return s.check(fmt.Sprintf("; %d of %d conversations were read in %g minutes", i, len(ids), limit.Minutes()))
		}
		messages, err := st.Messages(ctx, id)
		if err != nil {
			return doctor.Failed(secretsCheck, err)
		}
		for i := range messages {
			s.look(id, &messages[i])
		}
	}
	return s.check("")
}

// secretSearch collects the places of secrets.
type secretSearch struct {
	found  map[string]int      // messages, by kind
	places map[string][]string // by kind
}

func (s *secretSearch) look(conversation uuid.UUID, m *store.Message) {
	for _, kind := range secrets.Find(m.Text, m.Summary, string(m.Raw)) {
		place := "turn " + m.Turn.String()
		if m.Turn == uuid.Nil { // what a tool returned
			place = "conversation " + conversation.String()
		}
		if all := s.places[kind]; len(all) == 0 || all[len(all)-1] != place {
			s.places[kind] = append(all, place)
		}
		s.found[kind]++
	}
}

// check returns the result. rest says how much is left unread.
func (s *secretSearch) check(rest string) doctor.Check {
	c := doctor.Check{Name: secretsCheck, Status: doctor.OK, Message: "no keys or tokens of a known form" + rest}
	var kinds []string
	for _, kind := range secrets.Kinds() {
		n, places := s.found[kind], s.places[kind]
		if n == 0 {
			continue
		}
		kinds = append(kinds, fmt.Sprintf("%s (%d)", kind, n))
		for _, place := range places[:min(len(places), secretsPlaces)] {
			c.Names = append(c.Names, kind+": "+place)
		}
		if more := len(places) - secretsPlaces; more > 0 {
			c.Names = append(c.Names, fmt.Sprintf("%s: %d more places", kind, more))
		}
	}
	if len(kinds) > 0 {
		c.Status = doctor.Warn
		c.Message = "likely secrets, by the number of messages: " + strings.Join(kinds, ", ") + rest
		c.Hint = "replace these keys where they were issued; remove them with lens forget --turn ID or --conversation ID"
	} else if rest != "" {
		c.Status = doctor.Warn
	}
	return c
}
