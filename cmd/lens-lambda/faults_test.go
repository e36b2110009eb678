package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/retrieval/embed/embedtest"
	"lens/store/shard/s3/s3test"
)

func TestErrors_FromS3(t *testing.T) {
	c := publish(t, s3test.New(t).Address()+"/some/prefix")
	for name, fault := range map[string]struct {
		variable string
		status   int
		logged   string
	}{
		"a wrong secret":   {"AWS_SECRET_ACCESS_KEY=other", 503, "secret key"},
		"a missing bucket": {"LENS_SHARDS=s3://nobody-has-such-a-bucket/prefix", 503, "there is no bucket"},
		"a missing index":  {"LENS_SHARDS=" + c.at + "/deeper", 404, ""},
	} {
		p := start(t, "function", append(c.env, fault.variable)...)
		for _, path := range []string{"/retrieve", "/readyz"} {
			query := ""
			if path == "/retrieve" {
				query = "q=canary"
			}
			if _, r := p.ask(httpPayload(path, query)); r.StatusCode != fault.status || strings.Contains(r.Body, "bucket") || strings.Contains(r.Body, "AWS") || strings.Contains(r.Body, "prefix") {
				t.Errorf("%s, %s: %+v", name, path, r)
			}
		}
		p.terminate()
		if said := p.stderr.String(); strings.Contains(said, "canary") || !strings.Contains(said, fault.logged) {
			t.Errorf("%s: logged\n%s", name, said)
		}
	}
}

// TestDeadline_SlowRequest stalls the model: the function has two seconds to answer, and then must end while another
// request waits.
func TestDeadline_SlowRequest(t *testing.T) {
	c := publish(t, filepath.Join(t.TempDir(), "index"))
	p := start(t, "function", c.env...)
	if _, r := p.ask(httpPayload("/retrieve", "q=mask")); r.StatusCode != 200 {
		t.Errorf("before: %+v", r)
	}
	c.model.Fail(embedtest.Hang())
	_, waiting := p.begin(httpPayload("/retrieve", "q=villain"), 2*time.Second)
	if r := p.read(p.await(waiting)); r.StatusCode != 503 || !strings.Contains(r.Body, "timed out") {
		t.Errorf("late: %+v", r)
	}
	if _, r := p.ask(httpPayload("/retrieve", "q=fear")); r.StatusCode != 200 {
		t.Errorf("afterwards: %+v", r)
	}
	asked := c.model.Requests()
	c.model.Fail(embedtest.Hang())
	p.begin(httpPayload("/retrieve", "q=hero"), time.Hour)
	for c.model.Requests() == asked {
		time.Sleep(time.Millisecond)
	}
	p.terminate()
}

// TestDeadline_SilentS3 sends a request while another one with more time waits for the manifest.
func TestDeadline_SilentS3(t *testing.T) {
	asked := make(chan struct{}, 10)
	bucket := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(bucket.Close)
	s3test.Environment(t, bucket.URL)
	a := app.New(config.Config{DataDir: t.TempDir(), Embedding: config.Embedding{Kind: config.None}}, "test")
	index, err := a.Indexes.Open(t.Context(), "s3://silent/index")
	must(t, err)
	f, err := newFunction(t.Context(), a, index)
	must(t, err)
	preparing, stop := context.WithCancel(t.Context())
	prepared := make(chan struct{})
	go func() {
		index.Prepare(preparing)
		close(prepared)
	}()
	<-asked
	payload, err := json.Marshal(httpPayload("/retrieve", "q=villain"))
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	text, err := f.Invoke(ctx, payload)
	select {
	case <-prepared:
		t.Error("the request waited for the other one")
	default:
	}
	if err != nil || !strings.Contains(string(text), `"statusCode":503`) || !strings.Contains(string(text), "timed out") {
		t.Errorf("%v: %s", err, text)
	}
	stop()
	<-prepared
	must(t, index.Close())
}

func TestInvoke_PanicIsInternalError(t *testing.T) {
	p := start(t, "panicking")
	for range 2 {
		id, r := p.ask(httpPayload("/retrieve", "q=canary"))
		if want := `{"error":{"code":"INTERNAL","message":"internal error","trace_id":"` + id + `"}}`; r.StatusCode != 500 || r.Body != want {
			t.Errorf("got %+v, want %s", r, want)
		}
	}
	p.kill()
	if said := p.stderr.String(); strings.Contains(said, "canary") || strings.Count(said, `"msg":"panic"`) != 2 {
		t.Errorf("logged\n%s", said)
	}
}
