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

// sessionSummary is a session in a list.
type sessionSummary struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Created   time.Time `json:"created_at"`
	Updated   time.Time `json:"updated_at"`
	Pinned    bool      `json:"pinned"`
	Archived  bool      `json:"archived"`
	Exchanges int       `json:"exchanges"`
}

type sessionsBody struct {
	Sessions []sessionSummary `json:"sessions"`
}

// newSessionBody creates a session.
type newSessionBody struct {
	Name string `json:"name,omitempty"`
}

// sessionChangeBody has the fields to change.
type sessionChangeBody struct {
	Name     *string `json:"name,omitempty"`
	Pinned   *bool   `json:"pinned,omitempty"`
	Archived *bool   `json:"archived,omitempty"`
}

type sessionsRequest struct{ archived bool }

var sessionsParameters = []parameter[sessionsRequest]{
	flag("archived", "List archived sessions instead of the others.",
		func(r *sessionsRequest) *bool { return &r.archived }),
}

// maxName is the maximum number of characters in a name.
const maxName = 200

func (s *Server) sessionRoutes() []route {
	id := openAPIParameter{"id", "path", true, "The UUID of a session.", customSchemas[uuidType]}
	one := func(method, summary string, body any, handle handler) route {
		return route{
			method: method, path: "/sessions/{id}", summary: summary, parameters: []openAPIParameter{id}, body: body,
			replies:  okReply("The session.", agent.Session{}),
			problems: []string{codeNotFound, codeLocked, codeUnavailable}, handle: handle,
		}
	}
	return []route{
		{
			method: http.MethodGet, path: "/sessions", summary: "List chat sessions, newest first",
			parameters: openAPIParameters(sessionsParameters), replies: okReply("The sessions.", sessionsBody{}),
			problems: []string{codeLocked, codeUnavailable}, handle: s.listSessions,
		},
		{
			method: http.MethodPost, path: "/sessions", summary: "Create a session", body: newSessionBody{},
			replies:  []reply{{http.StatusCreated, kindJSON, "The session.", agent.Session{}}},
			problems: []string{codeLocked, codeUnavailable}, handle: s.addSession,
		},
		one(http.MethodGet, "Read a session", nil, s.showSession),
		one(http.MethodPatch, "Rename, pin or archive a session", sessionChangeBody{}, s.changeSession),
		one(http.MethodDelete, "Archive a session", nil, s.archiveSession),
	}
}

func (s *Server) listSessions(w http.ResponseWriter, r *http.Request) error {
	input, err := readQuery(r, sessionsParameters)
	if err != nil {
		return err
	}
	all, err := s.loadSessions()
	if err != nil {
		return err
	}
	list := sessionsBody{Sessions: []sessionSummary{}}
	for _, one := range all {
		if one.Archived == input.archived {
			list.Sessions = append(list.Sessions, sessionSummary{
				ID: one.ID, Name: one.Name, Created: one.Created, Updated: one.Updated,
				Pinned: one.Pinned, Archived: one.Archived, Exchanges: len(one.Exchanges),
			})
		}
	}
	slices.SortFunc(list.Sessions, func(a, b sessionSummary) int {
		if order := b.Updated.Compare(a.Updated); order != 0 {
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
	if s.opts.Sessions == nil {
		return errNoSessions
	}
	now := time.Now().UTC()
	made := agent.Session{ID: uuid.NewString(), Name: body.Name, Created: now, Updated: now, Exchanges: []agent.Exchange{}}
	if err := s.opts.Sessions.Keep(made); err != nil {
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
	changed, err := s.updateSession(r.PathValue("id"), change)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, changed)
}

func checkName(name string) error {
	if utf8.RuneCountInString(name) > maxName {
		return invalid("name is limited to 200 characters.")
	}
	return nil
}
