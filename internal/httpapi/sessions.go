package httpapi

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"lens/agent"
)

// sessionSummary is a kept conversation in a list.
type sessionSummary struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Made      time.Time `json:"created_at"`
	Changed   time.Time `json:"updated_at"`
	Pinned    bool      `json:"pinned"`
	Archived  bool      `json:"archived"`
	Exchanges int       `json:"exchanges"`
}

type sessionsBody struct {
	Sessions []sessionSummary `json:"sessions"`
}

// newSessionBody begins a conversation.
type newSessionBody struct {
	Name string `json:"name,omitempty"`
}

// sessionChangeBody says what is to change.
type sessionChangeBody struct {
	Name     *string `json:"name,omitempty"`
	Pinned   *bool   `json:"pinned,omitempty"`
	Archived *bool   `json:"archived,omitempty"`
}

type sessionsRequest struct{ archived bool }

var sessionsParameters = []parameter[sessionsRequest]{
	flag("archived", "Those that were archived, instead of the others.", func(r *sessionsRequest) *bool { return &r.archived }),
}

// maxName is how many characters a name may have.
const maxName = 200

func (s *Server) sessionRoutes() []route {
	id := described{"id", "path", true, "The UUID of a kept conversation.", foreign[uuidType]}
	one := func(method, summary string, body any, handle handler) route {
		return route{
			method: method, path: "/sessions/{id}", summary: summary, parameters: []described{id}, body: body,
			replies: answers("The conversation.", agent.Session{}), problems: []string{codeNotFound, codeLocked, codeUnavailable}, handle: handle,
		}
	}
	return []route{
		{
			method: http.MethodGet, path: "/sessions", summary: "Kept conversations with the chat model, the latest first",
			parameters: descriptions(sessionsParameters), replies: answers("The conversations.", sessionsBody{}),
			problems: []string{codeLocked, codeUnavailable}, handle: s.listSessions,
		},
		{
			method: http.MethodPost, path: "/sessions", summary: "Begin a conversation", body: newSessionBody{},
			replies:  []reply{{http.StatusCreated, kindJSON, "The conversation.", agent.Session{}}},
			problems: []string{codeLocked, codeUnavailable}, handle: s.addSession,
		},
		one(http.MethodGet, "One kept conversation", nil, s.showSession),
		one(http.MethodPatch, "Name, pin or archive a conversation", sessionChangeBody{}, s.changeSession),
		one(http.MethodDelete, "Archive a conversation", nil, s.archiveSession),
	}
}

func (s *Server) listSessions(w http.ResponseWriter, r *http.Request) error {
	ask, err := readQuery(r, sessionsParameters)
	if err != nil {
		return err
	}
	all, err := s.kept()
	if err != nil {
		return err
	}
	list := sessionsBody{Sessions: []sessionSummary{}}
	for _, one := range all {
		if one.Archived == ask.archived {
			list.Sessions = append(list.Sessions, sessionSummary{one.ID, one.Name, one.Created, one.Updated, one.Pinned, one.Archived, len(one.Exchanges)})
		}
	}
	slices.SortFunc(list.Sessions, func(a, b sessionSummary) int {
		if order := b.Changed.Compare(a.Changed); order != 0 {
			return order
		}
		return strings.Compare(a.ID, b.ID)
	})
	return send(w, http.StatusOK, list)
}

func (s *Server) addSession(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	var body newSessionBody
	if err := readJSON(r, &body); err != nil {
		return err
	}
	if err := checkName(body.Name); err != nil {
		return err
	}
	if s.opts.Chats == nil {
		return errNotKept
	}
	now := time.Now().UTC()
	made := agent.Session{ID: uuid.NewString(), Name: body.Name, Created: now, Updated: now, Exchanges: []agent.Exchange{}}
	if err := s.opts.Chats.Keep(made); err != nil {
		return err
	}
	return send(w, http.StatusCreated, made)
}

func (s *Server) showSession(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	found, err := s.session(r.PathValue("id"))
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, found)
}

func (s *Server) changeSession(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	var body sessionChangeBody
	if err := readJSON(r, &body); err != nil {
		return err
	}
	if body.Name != nil {
		if err := checkName(*body.Name); err != nil {
			return err
		}
	}
	return s.answerChanged(w, r, func(one *agent.Session) {
		for _, change := range []struct{ to, from *bool }{{&one.Pinned, body.Pinned}, {&one.Archived, body.Archived}} {
			if change.from != nil {
				*change.to = *change.from
			}
		}
		if body.Name != nil {
			one.Name = *body.Name
		}
	})
}

func (s *Server) archiveSession(w http.ResponseWriter, r *http.Request) error {
	if err := noQuery(r); err != nil {
		return err
	}
	return s.answerChanged(w, r, func(one *agent.Session) { one.Archived = true })
}

func (s *Server) answerChanged(w http.ResponseWriter, r *http.Request, change func(*agent.Session)) error {
	changed, err := s.change(r.PathValue("id"), change)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, changed)
}

func checkName(name string) error {
	if utf8.RuneCountInString(name) > maxName {
		return invalid("A name has at most 200 characters.")
	}
	return nil
}
