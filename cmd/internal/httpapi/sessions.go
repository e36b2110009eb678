package httpapi

import (
	"cmp"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
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

// refine implements refiner.
func (newSessionBody) refine(s *jsonschema.Schema) {
	s.Properties["name"].MaxLength = jsonschema.Ptr(maxName)
}

// refine implements refiner.
func (sessionChangeBody) refine(s *jsonschema.Schema) {
	s.Properties["name"].MaxLength = jsonschema.Ptr(maxName)
}

type sessionsRequest struct{ archived bool }

var sessionsParameters = []parameter[sessionsRequest]{
	flag("archived", "List archived sessions instead of the others.",
		func(r *sessionsRequest) *bool { return &r.archived }),
}

// maxName is the maximum number of characters in a name.
const maxName = 200

// sessionRoutes list and change stored chats.
type sessionRoutes struct {
	sessions *sessions
}

func (s sessionRoutes) routes() []route {
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
			problems: []string{codeLocked, codeUnavailable}, handle: fromQuery(sessionsParameters, s.list),
		},
		{
			method: http.MethodPost, path: "/sessions", summary: "Create a session", body: newSessionBody{},
			replies:  []reply{{http.StatusCreated, kindJSON, "The session.", agent.Session{}}},
			problems: []string{codeLocked, codeUnavailable}, handle: fromBody(http.StatusCreated, s.add),
		},
		one(http.MethodGet, "Read a session", nil, fromQuery(nil, s.read)),
		one(http.MethodPatch, "Rename, pin or archive a session", sessionChangeBody{}, fromBody(http.StatusOK, s.change)),
		one(http.MethodDelete, "Archive a session", nil, fromQuery(nil, s.archive)),
	}
}

func (s sessionRoutes) list(_ *http.Request, in sessionsRequest) (sessionsBody, error) {
	list := sessionsBody{Sessions: []sessionSummary{}}
	all, err := s.sessions.all()
	if err != nil {
		return list, err
	}
	for _, one := range all {
		if one.Archived == in.archived {
			list.Sessions = append(list.Sessions, sessionSummary{
				ID: one.ID, Name: one.Name, Created: one.Created, Updated: one.Updated,
				Pinned: one.Pinned, Archived: one.Archived, Exchanges: len(one.Exchanges),
			})
		}
	}
	slices.SortFunc(list.Sessions, func(a, b sessionSummary) int {
		return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

func (s sessionRoutes) add(_ *http.Request, in newSessionBody) (agent.Session, error) {
	if err := checkName(in.Name); err != nil {
		return agent.Session{}, err
	}
	if s.sessions.store == nil {
		return agent.Session{}, errNoSessions
	}
	now := time.Now().UTC()
	made := agent.Session{ID: uuid.NewString(), Name: in.Name, Created: now, Updated: now, Exchanges: []agent.Exchange{}}
	return made, s.sessions.store.Save(made)
}

func (s sessionRoutes) read(r *http.Request, _ nothing) (agent.Session, error) {
	return s.sessions.find(r.PathValue("id"))
}

func (s sessionRoutes) change(r *http.Request, in sessionChangeBody) (agent.Session, error) {
	if in.Name != nil {
		if err := checkName(*in.Name); err != nil {
			return agent.Session{}, err
		}
	}
	return s.sessions.update(r.PathValue("id"), func(one *agent.Session) {
		set(&one.Name, in.Name)
		set(&one.Pinned, in.Pinned)
		set(&one.Archived, in.Archived)
	})
}

// set changes value to other, unless other is nil.
func set[T any](value, other *T) {
	if other != nil {
		*value = *other
	}
}

func (s sessionRoutes) archive(r *http.Request, _ nothing) (agent.Session, error) {
	return s.sessions.update(r.PathValue("id"), func(one *agent.Session) { one.Archived = true })
}

func checkName(name string) error {
	if utf8.RuneCountInString(name) > maxName {
		return invalid("name is limited to 200 characters.")
	}
	return nil
}
