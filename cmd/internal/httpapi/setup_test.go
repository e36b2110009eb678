package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
	"lens/internal/testenv"
)

// service is a test server with a client.
type service struct {
	*Server
	t      testing.TB
	url    string
	log    *testenv.Output
	client *http.Client
	end    func() error // ends it as SIGTERM does
}

// start starts a server over a few chats; change adjusts its options. It ends with the test.
func start(t testing.TB, change func(*Options)) *service {
	t.Helper()
	book := new(testenv.Output)
	opts := Options{Engine: engineFunc(someChats), Sessions: &memory{}, Offline: notes{}, Retriever: shelf{}, Log: slog.New(slog.NewJSONHandler(book, nil))}
	if change != nil {
		change(&opts)
	}
	server, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	end := sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	return &service{server, t, "http://" + l.Addr().String(), book, &http.Client{Transport: transport}, end}
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// code returns the code of an error response.
func (a answer) code() string {
	var e errorBody
	_ = json.Unmarshal(a.body, &e)
	return e.Error.Code
}

// message returns the sentence of an error.
func (a answer) message() string {
	var e errorBody
	_ = json.Unmarshal(a.body, &e)
	return e.Error.Message
}

// ask sends a request. headers are name and value pairs, and may include Host.
func (s *service) ask(method, path, body string, headers ...string) answer {
	s.t.Helper()
	r := s.request(context.Background(), method, path, body, headers...)
	response, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, text}
}

func (s *service) request(ctx context.Context, method, path, body string, headers ...string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", kindJSON)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

// coded returns an error with a code of Lens.
func coded(code errs.Code) error {
	return &errs.Error{Code: code, Op: "test", Message: "secret of " + string(code)}
}

// failing returns an Options.Engine that fails.
func failing(err error) func(context.Context) (Engine, error) {
	return func(context.Context) (Engine, error) { return nil, err }
}

// memory stores sessions for a test.
type memory struct {
	mu   sync.Mutex
	all  map[string]agent.Session
	fail error
}

func (m *memory) List(_ context.Context, page agent.SessionPage) ([]agent.SessionSummary, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := []agent.SessionSummary{}
	for _, one := range m.all {
		if one.Archived == page.Archived {
			list = append(list, agent.SessionSummary{
				ID: one.ID, Name: one.Name, Updated: one.Updated, Pinned: one.Pinned, Archived: one.Archived, Exchanges: len(one.Exchanges),
			})
		}
	}
	slices.SortFunc(list, newestFirst)
	if page.After != nil {
		list = slices.DeleteFunc(list, func(one agent.SessionSummary) bool { return newestFirst(one, *page.After) <= 0 })
	}
	return list[:min(len(list), page.Limit)], m.fail
}

func newestFirst(a, b agent.SessionSummary) int {
	return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(b.ID, a.ID))
}

func (m *memory) Session(_ context.Context, id string) (agent.Session, error) {
	one, ok := m.get(id)
	if !ok {
		return one, cmp.Or(m.fail, coded(errs.NotFound))
	}
	return one, m.fail
}

func (m *memory) Save(_ context.Context, one agent.Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.put(one)
}

func (m *memory) Change(_ context.Context, id string, how func(*agent.Session)) (agent.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	one, ok := m.all[id]
	if !ok {
		return one, cmp.Or(m.fail, coded(errs.NotFound))
	}
	one.Exchanges = slices.Clone(one.Exchanges)
	how(&one)
	return one, m.put(one)
}

// put saves a session. m.mu is held.
func (m *memory) put(one agent.Session) error {
	if m.fail != nil {
		return m.fail
	}
	if m.all == nil {
		m.all = map[string]agent.Session{}
	}
	m.all[one.ID] = one
	return nil
}

func (m *memory) get(id string) (agent.Session, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	one, ok := m.all[id]
	return one, ok
}

// saying is a chat model that sends what stream yields.
type saying func(ctx context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error]

func (saying) Name() string           { return "fake" }
func (saying) Tokens(text string) int { return len(text) / 4 }
func (s saying) Stream(ctx context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error] {
	return s(ctx, p)
}

// words is a model that sends some text in pieces.
func words(pieces ...string) saying {
	return func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			for _, piece := range pieces {
				if !yield(agent.Delta{Text: piece}, nil) {
					return
				}
			}
			yield(agent.Delta{Finish: agent.Stop}, nil)
		}
	}
}

// asking returns an Options.Investigate.
func asking(m agent.Model) func(context.Context, uuid.UUID) (agent.Request, error) {
	return func(context.Context, uuid.UUID) (agent.Request, error) { return agent.Request{Model: m}, nil }
}
