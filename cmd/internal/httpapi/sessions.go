package httpapi

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
)

type sessionsBody struct {
	Sessions []agent.SessionSummary `json:"sessions"`
	Next     string                 `json:"next_cursor,omitempty"` // of the next page; absent on the last one
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

type sessionsRequest struct {
	agent.SessionPage
}

// The number of sessions on a page.
const (
	sessionsOnPage    = 50
	maxSessionsOnPage = 200
)

var sessionsParameters = []parameter[sessionsRequest]{
	flag("archived", "List archived sessions instead of the others.",
		func(r *sessionsRequest) *bool { return &r.Archived }),
	integer("limit", "The maximum number of sessions.", 1, maxSessionsOnPage, sessionsOnPage,
		func(r *sessionsRequest, n int) { r.Limit = n }),
	newParameter("cursor", "next_cursor of the page before. Without it, the first page.",
		&jsonschema.Schema{Type: "string"}, func(into *sessionsRequest, text string) (err error) {
			into.After, err = readCursor(text)
			return err
		}),
}

// cursorOf returns where the page after one begins: the time of its last session in microseconds since 1970, and its
// ID.
func cursorOf(last agent.SessionSummary) string {
	return strconv.FormatInt(last.Updated.UnixMicro(), 10) + "." + last.ID
}

// readCursor is the inverse of cursorOf.
func readCursor(text string) (*agent.SessionSummary, error) {
	digits, id, _ := strings.Cut(text, ".")
	us, err := strconv.ParseInt(digits, 10, 64)
	key, ok := readUUID(id)
	at := &agent.SessionSummary{ID: key.String(), Updated: time.UnixMicro(us).UTC()}
	if err != nil || !ok || cursorOf(*at) != text {
		return nil, errors.New("must be the next_cursor of a page")
	}
	return at, nil
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
			method: http.MethodGet, path: "/sessions", summary: "List chat sessions, newest first, in pages",
			detail:     "A session that changes moves to the beginning. Pages that were begun stay in order.",
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

func (s sessionRoutes) list(r *http.Request, in sessionsRequest) (sessionsBody, error) {
	limit := cmp.Or(in.Limit, sessionsOnPage)
	in.Limit = limit + 1 // one more tells whether there is another page
	all, err := s.sessions.list(r.Context(), in.SessionPage)
	if err != nil {
		return sessionsBody{}, err
	}
	page := sessionsBody{Sessions: all}
	if len(all) > limit {
		page.Sessions, page.Next = all[:limit], cursorOf(all[limit-1])
	}
	return page, nil
}

func (s sessionRoutes) add(r *http.Request, in newSessionBody) (agent.Session, error) {
	if err := checkName(in.Name); err != nil {
		return agent.Session{}, err
	}
	now := wholeMicroseconds(time.Now())
	made := agent.Session{ID: uuid.NewString(), Name: in.Name, Created: now, Updated: now, Exchanges: []agent.Exchange{}}
	return made, s.sessions.save(r.Context(), made)
}

func (s sessionRoutes) read(r *http.Request, _ nothing) (agent.Session, error) {
	return s.sessions.find(r.Context(), r.PathValue("id"))
}

func (s sessionRoutes) change(r *http.Request, in sessionChangeBody) (agent.Session, error) {
	if in.Name != nil {
		if err := checkName(*in.Name); err != nil {
			return agent.Session{}, err
		}
	}
	if in == (sessionChangeBody{}) { // a session that nothing changes keeps its place
		return s.sessions.find(r.Context(), r.PathValue("id"))
	}
	return s.sessions.update(r.Context(), r.PathValue("id"), func(one *agent.Session) {
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
	return s.sessions.update(r.Context(), r.PathValue("id"), func(one *agent.Session) { one.Archived = true })
}

func checkName(name string) error {
	if utf8.RuneCountInString(name) > maxName {
		return invalid("name is limited to 200 characters.")
	}
	return nil
}
