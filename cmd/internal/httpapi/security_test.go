package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
)

func TestAccess_Host(t *testing.T) {
	s := start(t, func(o *Options) { o.Hosts = []string{"lens.example", "Box.Local:80"} })
	port := s.url[strings.LastIndex(s.url, ":"):]
	for host, want := range map[string]int{
		"127.0.0.1" + port: 200, "localhost" + port: 200, "LOCALHOST": 200, "localhost.": 200, "127.0.0.1": 200, "lens.example:1": 200, "box.local": 200,
		"[::ffff:127.0.0.1]": 200, "[::ffff:127.0.0.1]:9": 200, "localhost:65535": 200,

		"localhost:x": 421, "localhost:80x": 421, "localhost:": 421, "localhost:-1": 421, "localhost:65536": 421, "localhost:80:80": 421,
		"127.0.0.1:http": 421, "[::ffff:127.0.0.1]:x": 421, "[::ffff:127.0.0.1]x": 421, ":80": 421,

		"evil.example" + port: 421, "localhost.evil.example": 421, "127.0.0.1.nip.example": 421, "evil-localhost": 421, "0.0.0.0" + port: 421,
		"[::1]" + port: 421, "127.0.0.2" + port: 421, "2130706433": 421, "0x7f000001": 421, "169.254.169.254": 421, "lens.example.evil": 421,
	} {
		if got := s.ask("GET", "/healthz", "", "Host", host); got.status != want {
			t.Errorf("Host %s: %d, want %d", host, got.status, want)
		}
	}
}

func TestAccess_NoHost(t *testing.T) {
	s := start(t, nil)
	for _, text := range []string{"GET /healthz HTTP/1.0\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n"} {
		if got := raw(t, s, text); got != 421 {
			t.Errorf("%q: %d", text, got)
		}
	}
	if got := raw(t, s, "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 421 {
		t.Errorf("a URL in full with another host: %d", got)
	}
}

func TestAccess_UncleanPaths(t *testing.T) {
	s := start(t, nil)
	keyed := start(t, func(o *Options) { o.Keys = []string{oneKey} })
	for asked, want := range map[string]int{
		"GET //retrieval/activity": 404, "GET /retrieval/../healthz": 404, "GET /healthz/.": 404, "POST //chat": 404, "DELETE //chat": 405, "GET mailto:x": 404,
		"CONNECT localhost:443": 404, "OPTIONS *": 404, "GET *": 404, "GET /healthz/": 404, "GET /": 404, "GET /healthz": 200,
	} {
		got := sendRaw(t, s, asked+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if got.status != want || want != 200 && got.code() == "" {
			t.Errorf("%s: %d %s", asked, got.status, got.body)
		}
		if got := raw(t, s, asked+" HTTP/1.1\r\nHost: evil.example\r\n\r\n"); got != 421 && !strings.HasPrefix(asked, "CONNECT") {
			t.Errorf("%s of another host: %d", asked, got)
		}
		if got := raw(t, keyed, asked+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 401 && want != 200 {
			t.Errorf("%s without a key: %d", asked, got)
		}
	}
}

func TestServer_BodyTooLarge(t *testing.T) {
	s := start(t, nil)
	if got := raw(t, s, "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000000000\r\n\r\n"); got != 413 {
		t.Errorf("got %d", got)
	}
}

// raw sends bytes and returns the status that comes back.
func raw(t *testing.T, s *service, text string) int {
	t.Helper()
	return sendRaw(t, s, text).status
}

func sendRaw(t *testing.T, s *service, text string) answer {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, max(response.ContentLength, 0)))
	return answer{response.StatusCode, response.Header, body}
}

func TestAccess_CrossOrigin(t *testing.T) {
	s := start(t, func(o *Options) { o.Investigate = asking(words("no")) })
	for _, c := range []struct {
		headers []string
		want    int
	}{
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Sec-Fetch-Site", "anything"}, 403},
		{[]string{"Origin", "https://evil.example"}, 403},
		{[]string{"Origin", "null"}, 403},
		{[]string{"Origin", "http://localhost.evil.example"}, 403},
		{[]string{"Origin", "http://127.0.0.1:1"}, 403},
		{[]string{"Origin", "%zz"}, 403},
		{[]string{"Origin", "http://evil.example", "Sec-Fetch-Site", "same-origin"}, 403},
		{[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "none"}, 200},
		{[]string{"Origin", s.url}, 200},
	} {
		for _, method := range []string{"GET", "POST"} {
			path, body := "/retrieval/activity", ""
			if method == "POST" {
				path, body = "/chat", emptyQuestion
			}
			got := s.ask(method, path, body, c.headers...)
			if got.status != c.want {
				t.Errorf("%s with %v: %d, want %d", method, c.headers, got.status, c.want)
			}
			if got.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s with %v: CORS is on", method, c.headers)
			}
		}
	}
	if got := s.ask("OPTIONS", "/chat", "", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST"); got.status != 403 {
		t.Errorf("a preflight: %d", got.status)
	}
}

const oneKey, otherKey = "one key that is long enough", "another that is as long, too"

func TestAccess_APIKeys(t *testing.T) {
	s := start(t, func(o *Options) { o.Keys = []string{oneKey, otherKey} })
	for header, want := range map[string]int{
		"":                            401,
		"Bearer":                      401,
		"Bearer ":                     401,
		"Bearer nonsense":             401,
		"Basic " + oneKey:             401,
		oneKey:                        401,
		"Bearer " + oneKey[:10]:       401,
		"Bearer " + oneKey + "x":      401,
		"Bearer " + oneKey + otherKey: 401,
		"Bearer " + oneKey:            200,
		"bearer " + otherKey:          200,
	} {
		for _, path := range []string{"/retrieval/activity", "/metrics", "/openapi.json", "/sessions"} {
			got := s.ask("GET", path, "", "Authorization", header)
			if got.status != want || want == 401 && got.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s with %q: %d, want %d", path, header, got.status, want)
			}
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := s.ask("GET", path, ""); got.status != 200 {
			t.Errorf("%s wants a key", path)
		}
	}
	if got := s.ask("GET", "/nothing", ""); got.status != 401 {
		t.Errorf("without a key one learns what there is: %d", got.status)
	}
}

func TestRateLimit_RetryAfter(t *testing.T) {
	s := start(t, func(o *Options) { o.Rate, o.Keys = 0.5, []string{oneKey, otherKey} })
	if got := s.ask("GET", "/metrics", "", "Authorization", "Bearer "+oneKey); got.status != 200 {
		t.Fatalf("the first: %d", got.status)
	}
	got := s.ask("GET", "/metrics", "", "Authorization", "Bearer "+oneKey)
	if got.status != 429 || got.header.Get("Retry-After") != "2" {
		t.Errorf("the second: %d, Retry-After %q", got.status, got.header.Get("Retry-After"))
	}
	b := newLimiters(1)
	for i := range 3 {
		if _, ok := b.take("k"); ok != (i < 2) {
			t.Errorf("take %d: %v", i, ok)
		}
	}
	if _, ok := b.take("other"); !ok {
		t.Error("one pays for another")
	}
	for i := range 4 * maxLimiters {
		b.take(fmt.Sprint(i))
	}
	if n := b.byName.Total(); n > maxLimiters {
		t.Errorf("%d limiters are kept", n)
	}
}

func TestRateLimit_PerKey(t *testing.T) {
	a := newAccess(Options{Keys: []string{oneKey, otherKey}, Rate: 0.5})
	empty := route{method: http.MethodGet, path: "/", handle: func(w http.ResponseWriter, _ *http.Request) error {
		return send(w, http.StatusOK, nil)
	}}
	rt := newRouter([]route{empty}, a.authorize, time.Minute, failures{log: slog.New(slog.DiscardHandler)})
	for i, c := range []struct {
		key  string
		want int
	}{{oneKey, 200}, {oneKey, 429}, {otherKey, 200}, {otherKey, 429}} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Authorization", "Bearer "+c.key)
		w := httptest.NewRecorder()
		if rt.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("request %d: %d, want %d", i, w.Code, c.want)
		}
	}
}

func TestRateLimit_IPv6Prefix(t *testing.T) {
	of := func(from string) string { return addressGroup(&http.Request{RemoteAddr: from}) }
	if of("[2001:db8:1:2::1]:5") != of("[2001:db8:1:2:ffff::9]:7") || of("[2001:db8:1:2::1]:5") == of("[2001:db8:1:3::1]:5") {
		t.Error("a /64 is not one address")
	}
	if of("10.0.0.1:5") == of("10.0.0.2:5") || of("[::ffff:10.0.0.1]:5") != of("10.0.0.1:6") || of("@") != "local" {
		t.Error("addresses of version 4 are mixed up")
	}
}

func TestServer_SlowRequest(t *testing.T) {
	const header, body = 50 * time.Millisecond, time.Hour
	slowHeader := start(t, func(o *Options) { o.Timeouts.Header, o.Timeouts.Read = header, body })
	slowBody := start(t, func(o *Options) { o.Timeouts.Header, o.Timeouts.Read = body, header })
	for begun, s := range map[string]*service{
		"": slowHeader,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ":                                                         slowHeader,
		"POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{": slowBody,
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, begun); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		var late net.Error
		if _, err := io.Copy(io.Discard, c); errors.As(err, &late) && late.Timeout() {
			t.Errorf("%q: the connection is still open", begun)
		}
	}
}

func TestServer_EndlessHeader(t *testing.T) {
	s := start(t, nil)
	if got := raw(t, s, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: "+strings.Repeat("x", 2*maxHeader)+"\r\n\r\n"); got != 431 {
		t.Errorf("got %d", got)
	}
}

func TestRequestID(t *testing.T) {
	s := start(t, nil)
	for given, kept := range map[string]bool{"abc-1_2.X": true, "": false, "a b": false, "<script>": false, "ü": false, strings.Repeat("x", 65): false} {
		got := s.ask("GET", "/healthz", "", "X-Request-Id", given).header.Get("X-Request-Id")
		if (got == given) != kept || got == "" {
			t.Errorf("%q became %q", given, got)
		}
	}
}

const canary = "canary-7f3a"

// TestLog_HoldsNothingPrivate sends a canary through every input, also in failing requests, and looks for it in the log.
func TestLog_HoldsNothingPrivate(t *testing.T) {
	broken := errors.New("broken")
	s := start(t, func(o *Options) {
		o.Keys = []string{canary + oneKey}
		o.Sessions = knownChats()
		o.Investigate = asking(words(canary))
		o.Engine = func(ctx context.Context) (Engine, error) {
			engine, err := someChats()
			return faulty{engine, broken}, err
		}
	})
	key := "Bearer " + canary + oneKey
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/retrieval/peek?query=" + canary, ""},
		{"GET", "/retrieval/peek?query=panic+" + canary, ""},
		{"GET", "/retrieval/peek?query=broken+" + canary, ""},
		{"GET", "/retrieval/peek?" + canary + "=1", ""},
		{"GET", "/retrieval/peek?query=a&bin=" + canary, ""},
		{"GET", "/retrieval/peek?query=a&start_time=" + canary, ""},
		{"GET", "/retrieval/turn/" + canary, ""},
		{"GET", "/" + canary, ""},
		{canary, "/healthz", ""},
		{"POST", "/chat", `{"messages":[{"role":"user","content":"` + canary + `"}]}`},
		{"POST", "/chat", `{"` + canary + `":1}`},
		{"POST", "/chat", canary},
		{"POST", "/sessions", `{"name":"` + canary + `"}`},
		{"PATCH", "/sessions/" + knownSession, `{"name":"` + canary + `"}`},
		{"GET", "/sessions/" + canary, ""},
	} {
		s.ask(c.method, c.path, c.body, "Authorization", key, "Cookie", canary, "User-Agent", canary, "Referer", "http://"+canary)
		s.ask(c.method, c.path, c.body, "Authorization", "Bearer "+canary)
		s.ask(c.method, c.path, c.body, "Host", canary)
		s.ask(c.method, c.path, c.body, "Origin", "http://"+canary)
	}
	log := s.log.String()
	if strings.Contains(log, canary) {
		for line := range strings.SplitSeq(log, "\n") {
			if strings.Contains(line, canary) {
				t.Errorf("logged: %s", line)
			}
		}
	}
	for _, want := range []string{`"msg":"panic"`, `"msg":"failed"`, `"status":401`, `"route":"/retrieval/turn/{turn_id}"`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s, so this test checks nothing", want)
		}
	}
	if metrics := s.ask("GET", "/metrics", "", "Authorization", key); strings.Contains(string(metrics.body), canary) {
		t.Error("the metrics contain the canary")
	}
}

// faulty fails as the query says.
type faulty struct {
	Engine
	err error
}

func (f faulty) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	switch word, _, _ := strings.Cut(q.Text, " "); word {
	case "panic":
		panic(q.Text)
	case "broken":
		return nil, f.err
	}
	return f.Engine.Peek(ctx, q)
}

func TestServer_Panic(t *testing.T) {
	s := start(t, func(o *Options) {
		o.Engine = func(context.Context) (Engine, error) { return faulty{}, nil }
		o.Investigate = func(context.Context, uuid.UUID) (agent.Request, error) { panic(canary) }
	})
	for _, c := range []struct{ method, path, body string }{{"GET", "/retrieval/peek?query=panic+" + canary, ""}, {"GET", "/readyz", ""}, {"POST", "/chat", emptyQuestion}} {
		got := s.ask(c.method, c.path, c.body)
		if got.status != 500 || got.code() != codeInternal || strings.Contains(string(got.body), canary) || strings.Contains(string(got.body), ".go") {
			t.Errorf("%s: %d %s", c.path, got.status, got.body)
		}
		if trace := got.header.Get("X-Request-Id"); !strings.Contains(s.log.String(), trace) {
			t.Errorf("%s: the log does not know the trace id", c.path)
		}
	}
	if s.ask("GET", "/healthz", "").status != 200 {
		t.Error("the server did not survive")
	}
}

func TestServer_Profiles(t *testing.T) {
	for asked, want := range map[bool]int{false: 404, true: 200} {
		s := start(t, func(o *Options) { o.Profile = asked })
		if got := s.ask("GET", "/debug/pprof/goroutine?debug=1", ""); got.status != want {
			t.Errorf("asked for: %v, status %d", asked, got.status)
		}
	}
	s := start(t, func(o *Options) { o.Profile, o.Keys = true, []string{oneKey} })
	if got := s.ask("GET", "/debug/pprof/heap", ""); got.status != 401 {
		t.Errorf("a profile without a key: %d", got.status)
	}
}
