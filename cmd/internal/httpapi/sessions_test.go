package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"lens/agent"
)

// page is a page of GET /sessions.
func (s *service) page(query string) (page sessionsBody) {
	s.t.Helper()
	got := s.ask("GET", "/sessions"+query, "")
	if err := json.Unmarshal(got.body, &page); err != nil || got.status != 200 {
		s.t.Fatalf("%s: %d %s", query, got.status, got.body)
	}
	return page
}

func TestSessions_Pages(t *testing.T) {
	chats := &memory{all: map[string]agent.Session{}}
	for n := range 120 {
		id := fmt.Sprintf("0b8f6e3c-1111-4222-8333-%012d", n)
		chats.all[id] = agent.Session{ID: id, Name: fmt.Sprint(n), Updated: time.UnixMicro(int64(n / 2)).UTC()}
	}
	s := start(t, func(o *Options) { o.Sessions = chats })
	var names, sizes []string
	for query := ""; ; {
		page := s.page(query)
		for _, one := range page.Sessions {
			names = append(names, one.Name)
		}
		if sizes = append(sizes, fmt.Sprint(len(page.Sessions))); page.Next == "" {
			break
		}
		query = "?cursor=" + page.Next
	}
	if strings.Join(sizes, " ") != "50 50 20" || len(names) != 120 || names[0] != "119" || names[119] != "0" {
		t.Errorf("got pages of %v, %v", sizes, names)
	}
	if page := s.page("?limit=120"); len(page.Sessions) != 120 || page.Next != "" {
		t.Errorf("got %d sessions, next %q", len(page.Sessions), page.Next)
	}
	if page := s.page("?archived=true"); page.Sessions == nil || len(page.Sessions) != 0 {
		t.Errorf("archived: got %v", page.Sessions)
	}
}

func TestSessions_WrongPage(t *testing.T) {
	s := start(t, nil)
	for _, query := range []string{
		"limit=0", "limit=201", "limit=x", "cursor=", "cursor=x", "cursor=1.", "cursor=01." + knownSession,
		"cursor=1." + strings.ToUpper(knownSession), "cursor=99999999999999999999." + knownSession,
	} {
		if got := s.ask("GET", "/sessions?"+query, ""); got.status != 400 || got.code() != codeInvalid {
			t.Errorf("%s: %d %s", query, got.status, got.body)
		}
	}
}

func FuzzReadCursor(f *testing.F) {
	f.Add("1714564800000000." + knownSession)
	f.Add("-1." + knownSession)
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if at, err := readCursor(text); err == nil && cursorOf(*at) != text {
			t.Errorf("%q is read as %+v", text, at)
		}
	})
}

// A change of nothing leaves a session where it is in the list.
func TestSessions_ChangeOfNothing(t *testing.T) {
	s := start(t, func(o *Options) { o.Sessions = &memory{all: map[string]agent.Session{}} })
	var made, after agent.Session
	if got := s.ask("POST", "/sessions", `{"name":"Bread"}`); json.Unmarshal(got.body, &made) != nil {
		t.Fatalf("%d %s", got.status, got.body)
	}
	got := s.ask("PATCH", "/sessions/"+made.ID, `{}`)
	if json.Unmarshal(got.body, &after) != nil || got.status != http.StatusOK || !after.Updated.Equal(made.Updated) {
		t.Errorf("%d %s, made %v", got.status, got.body, made.Updated)
	}
	if got := s.ask("PATCH", "/sessions/"+"0b8f6e3c-9d2a-4c1e-8a57-3f2ab81c0d11", `{}`); got.status != http.StatusNotFound {
		t.Errorf("an unknown session: %d %s", got.status, got.body)
	}
}

// Sessions are stored with microseconds: the answers to POST and PATCH have the times that GET has.
func TestSessions_TimesAreThoseThatAreStored(t *testing.T) {
	s := start(t, func(o *Options) { o.Sessions = &memory{all: map[string]agent.Session{}} })
	var made agent.Session
	answers := [][]string{{"POST", "/sessions", `{"name":"Bread"}`}, {"PATCH", "", `{"pinned":true}`}}
	for _, a := range answers {
		path := a[1]
		if path == "" {
			path = "/sessions/" + made.ID
		}
		if got := s.ask(a[0], path, a[2]); json.Unmarshal(got.body, &made) != nil || made.ID == "" {
			t.Fatalf("%s: %d %s", a[0], got.status, got.body)
		}
		for _, at := range []time.Time{made.Created, made.Updated} {
			if !at.Equal(at.Truncate(time.Microsecond)) {
				t.Errorf("%s: %v", a[0], at)
			}
		}
	}
}
