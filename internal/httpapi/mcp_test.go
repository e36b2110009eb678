package httpapi

import (
	"net/http"
	"testing"
)

func TestWhatIsMountedForAssistantsIsGuardedLikeTheRest(t *testing.T) {
	s := start(t, func(o *Options) {
		o.Keys = []string{"a key that is long enough"}
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	})
	key := []string{"Authorization", "Bearer a key that is long enough"}
	for _, c := range []struct {
		headers []string
		status  int
	}{
		{key, http.StatusTeapot},
		{nil, http.StatusUnauthorized},
		{append([]string{"Host", "rebound.example"}, key...), http.StatusMisdirectedRequest},
		{append([]string{"Origin", "http://rebound.example"}, key...), http.StatusForbidden},
	} {
		if got := s.ask("POST", "/mcp", "{}", c.headers...); got.status != c.status {
			t.Errorf("%v: %d, want %d", c.headers, got.status, c.status)
		}
	}
	if got := start(t, nil).ask("POST", "/mcp", "{}"); got.status != http.StatusNotFound {
		t.Errorf("unasked: %d", got.status)
	}
}
