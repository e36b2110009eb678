package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/cmd/internal/published"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/query"
	"lens/store/shard/s3/s3test"
)

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "function":
		main()
	case "panicking":
		lambda.StartWithOptions(&function{
			handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { panic("of " + r.URL.RawQuery) }),
			log:     slog.New(slog.NewJSONHandler(os.Stderr, nil)), stopping: context.Background(),
		})
	default:
		os.Exit(m.Run())
	}
}

// corpus is an index of a few records, and the model that it was made with.
type corpus struct {
	t     testing.TB
	lens  *app.App
	at    string
	model *embedtest.Server
	env   []string // of a function that serves it
}

const modelKey = "key-of-the-model-canary"

// publish publishes an index of two records at a location.
func publish(t testing.TB, at string) *corpus {
	t.Helper()
	c := &corpus{t: t, at: at, model: embedtest.New(t, embedtest.Options{Key: modelKey})}
	c.lens = app.New(config.Config{DataDir: filepath.Join(t.TempDir(), "lens"), Embedding: config.Embedding{
		Kind: config.OpenAI, Provider: "openai", BaseURL: c.model.URL, Key: modelKey,
	}}, "test")
	t.Cleanup(func() { must(t, c.lens.Close()) })
	c.add(`{"id":"7","text":"A villain in a mask rules.","meta":{"entity":"character","n":1.50}}`, `{"id":"8","text":"A hero without fear.","meta":{"entity":"story"}}`)
	c.env = []string{
		"LENS_SHARDS=" + at, "OPENAI_BASE_URL=" + c.model.URL, "OPENAI_API_KEY=" + modelKey, "LENS_DATA_DIR=" + filepath.Join(t.TempDir(), "kept"),
	}
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		c.env = append(c.env, name+"="+os.Getenv(name))
	}
	return c
}

// add publishes the index again, with more records.
func (c *corpus) add(records ...string) {
	c.t.Helper()
	path := filepath.Join(c.t.TempDir(), "more.jsonl")
	must(c.t, os.WriteFile(path, []byte(strings.Join(records, "\n")), 0o600))
	_, err := c.lens.Archive.Import(c.t.Context(), []string{path}, archive.ImportOptions{})
	must(c.t, err)
	_, err = c.lens.Embedding.Run(c.t.Context(), false, nil)
	must(c.t, err)
	_, err = c.lens.Indexes.Publish(c.t.Context(), c.at, published.MinShardMB, false, nil)
	must(c.t, err)
}

var must = testenv.Must

// object is a JSON object.
type object = map[string]any

// restPayload is the payload of a REST API (format 1.0) for an authorized request.
func restPayload(path string, query map[string][]string) object {
	return object{
		"resource": path, "path": path, "httpMethod": "GET", "multiValueQueryStringParameters": query, "body": nil,
		"multiValueHeaders": map[string][]string{"Host": {"a1b2.execute-api.us-east-1.amazonaws.com"}},
		"requestContext":    object{"stage": "prod", "identity": object{"sourceIp": "192.0.2.7", "apiKeyId": "k1"}},
	}
}

// httpPayload is the payload of an HTTP API (format 2.0) for an authorized request.
func httpPayload(path, query string) object {
	return object{
		"version": "2.0", "routeKey": "$default", "rawPath": "/prod" + path, "rawQueryString": query,
		"headers": map[string]string{"host": "a1b2.execute-api.us-east-1.amazonaws.com"},
		"requestContext": object{
			"stage": "prod", "http": object{"method": "GET", "path": "/prod" + path, "sourceIp": "192.0.2.7"},
			"authorizer": object{"iam": object{"userArn": "arn:aws:iam::123456789012:user/x"}},
		},
	}
}

var timing = regexp.MustCompile(`"(embed|search|total)":[0-9.e-]+`)

// TestInvoke_EveryPayload runs this program with a Runtime API on loopback, cold and warm.
func TestInvoke_EveryPayload(t *testing.T) {
	t.Run("folder", func(t *testing.T) { answersEveryPayload(t, filepath.Join(t.TempDir(), "index")) })
	t.Run("S3", func(t *testing.T) { answersEveryPayload(t, s3test.New(t).Address()+"/some/prefix") })
}

func answersEveryPayload(t *testing.T, at string) {
	p := start(t, "function", publish(t, at).env...)
	var bodies []string
	for range 2 {
		id, r := p.ask(restPayload("/retrieve", map[string][]string{"q": {"a villain & more"}, "filter.entity": {"character"}}))
		if r.StatusCode != 200 || r.MultiValueHeaders["Content-Type"][0] != "application/json" || r.MultiValueHeaders["X-Request-Id"][0] != id {
			t.Errorf("REST: %+v", r)
		}
		bodies = append(bodies, timing.ReplaceAllString(r.Body, ""))
		id, r = p.ask(httpPayload("/retrieve", "q=a+villain+%26+more&filter.entity=character"))
		if r.StatusCode != 200 || r.Headers["Content-Type"] != "application/json" || r.Headers["X-Request-Id"] != id {
			t.Errorf("HTTP: %+v", r)
		}
		bodies = append(bodies, timing.ReplaceAllString(r.Body, ""))
	}
	for _, body := range bodies {
		if body != bodies[0] || !strings.Contains(body, `"query":"a villain & more"`) || !strings.Contains(body, `"id":"7"`) || strings.Contains(body, `"id":"8"`) || !strings.Contains(body, `"n":1.50`) {
			t.Errorf("got %s\nand first %s", body, bodies[0])
		}
	}
	if _, r := p.ask(restPayload("/readyz", nil)); r.StatusCode != 200 {
		t.Errorf("/readyz: %+v", r)
	}
	p.terminate()
}

func TestErrors_FollowContract(t *testing.T) {
	const canary = "canary5b1d"
	c := publish(t, filepath.Join(t.TempDir(), "index"))
	p := start(t, "function", append(c.env, "LENS_API_KEYS=")...)
	anonymous := restPayload("/retrieve", map[string][]string{"q": {canary}})
	anonymous["requestContext"] = object{"authorizer": object{"claims": nil, "scopes": nil}}
	open := httpPayload("/healthz", "")
	delete(open["requestContext"].(object), "authorizer")
	posted := restPayload("/retrieve", nil)
	posted["httpMethod"], posted["body"], posted["isBase64Encoded"] = "POST", "e30=", true
	garbled := restPayload("/retrieve", nil)
	garbled["body"], garbled["isBase64Encoded"] = canary+"!", true
	for name, ask := range map[string]struct {
		payload any
		status  int
		code    string
	}{
		"not authenticated": {anonymous, 401, "UNAUTHENTICATED"},
		"needs no key":      {open, 200, "ok"},
		"no query":          {restPayload("/retrieve", nil), 400, "INVALID_ARGUMENT"},
		"given twice":       {restPayload("/retrieve", map[string][]string{"q": {canary, canary}}), 400, "INVALID_ARGUMENT"},
		"a filter twice":    {restPayload("/retrieve", map[string][]string{"q": {canary}, "filter.a": {"b", "c"}}), 400, "A filter is repeated"},
		"no number":         {httpPayload("/retrieve", "q="+canary+"&k=99"), 400, "INVALID_ARGUMENT"},
		"too long":          {httpPayload("/retrieve", "q="+strings.Repeat(canary, 1000)), 413, "TOO_LARGE"},
		"a filter of chats": {httpPayload("/retrieve", "q="+canary+"&sources=chatgpt"), 400, "INVALID_ARGUMENT"},
		"no base64":         {garbled, 400, "INVALID_ARGUMENT"},
		"another method":    {posted, 405, "METHOD_NOT_ALLOWED"},
		"no such path":      {httpPayload("/"+canary, ""), 404, "NOT_FOUND"},
		"of an archive":     {httpPayload("/retrieval/peek", "query="+canary), 404, "only /retrieve is available"},
	} {
		id, r := p.ask(ask.payload)
		if r.StatusCode != ask.status || !strings.Contains(r.Body, ask.code) || strings.Contains(r.Body, canary) || ask.status != 200 && !strings.Contains(r.Body, `"trace_id":"`+id) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if _, result := p.invoke(object{"source": canary}); !result.failed || !strings.Contains(string(result.body), "not an API Gateway request") {
		t.Errorf("an event of another kind: %+v", result)
	}
	c.model.Fail(embedtest.Status(401, canary))
	if _, r := p.ask(httpPayload("/retrieve", "q="+canary+"+broken")); r.StatusCode != 503 || strings.Contains(r.Body, modelKey) {
		t.Errorf("a model server that fails: %+v", r)
	}
	p.terminate()
	if said := p.stderr.String(); strings.Contains(said, "canary") || strings.Count(said, `"msg":"request"`) != 12 || strings.Contains("\n"+said, "\n2") {
		t.Errorf("logged\n%s", said)
	}
}

// TestRetrieve_BuiltInModel uses the model in the function's package.
func TestRetrieve_BuiltInModel(t *testing.T) {
	published := os.Getenv("LENS_TEST_USE_LITE")
	if published == "" || testing.Short() {
		t.Skip("SKIPPED: LENS_TEST_USE_LITE does not name the model use-lite, or -short is given")
	}
	root := t.TempDir()
	c := &corpus{t: t, at: filepath.Join(root, "index"), lens: app.New(config.Config{
		DataDir: filepath.Join(root, "lens"), ModelsDir: filepath.Join(root, "models"), Embedding: config.Embedding{Kind: config.Local, Model: "use-lite"},
	}, "test")}
	t.Cleanup(func() { must(t, c.lens.Close()) })
	_, err := c.lens.Models.Import(t.Context(), published, nil)
	must(t, err)
	c.add(`{"id":"7","text":"A villain in a mask rules."}`, `{"id":"8","text":"How to bake bread with a sour dough."}`)
	p := start(t, "function", "LENS_SHARDS="+c.at, "LAMBDA_TASK_ROOT="+root)
	_, r := p.ask(httpPayload("/retrieve", "q=flour+and+yeast&mode=dense&k=1"))
	if r.StatusCode != 200 || !strings.Contains(r.Body, `"id":"use-lite@0.2.0"`) || !strings.Contains(r.Body, `"id":"8"`) {
		t.Errorf("got %+v", r)
	}
	p.terminate()
}

// TestRetrieve_PublishedMeanwhile waits until the function reads the manifest again.
func TestRetrieve_PublishedMeanwhile(t *testing.T) {
	if os.Getenv("LENS_BENCH") != "full" {
		t.Skip("SKIPPED: it takes ten seconds: make lambda-bench")
	}
	c := publish(t, filepath.Join(t.TempDir(), "index"))
	p := start(t, "function", c.env...)
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		_, r := p.ask(httpPayload("/retrieve", "q=sidekick"))
		if r.StatusCode != 200 || time.Since(begun) > time.Minute {
			t.Fatalf("got %+v", r)
		}
		if strings.Contains(r.Body, `"id":"9"`) {
			break
		}
		if c.at != "" {
			c.add(`{"id":"9","text":"A sidekick."}`)
			c.at = ""
		}
	}
	p.terminate()
}

func TestAuth_KeyAlone(t *testing.T) {
	const key = "0123456789abcdef"
	p := start(t, "function", append(publish(t, filepath.Join(t.TempDir(), "index")).env, "LENS_API_KEYS="+key)...)
	for given, want := range map[string]int{"": 401, "Bearer " + key: 200, "Bearer 0123456789abcdeg": 401} {
		ask := httpPayload("/retrieve", "q=villain") // authorized by the gateway, but the key is still required
		ask["headers"] = map[string]string{"authorization": given}
		if _, r := p.ask(ask); r.StatusCode != want {
			t.Errorf("%q: %+v", given, r)
		}
	}
	p.terminate()
}

// TestRetrieve_IndexLargerThanCache has a cache that is too small for any shard, and then one that is large enough.
func TestRetrieve_IndexLargerThanCache(t *testing.T) {
	c := publish(t, s3test.New(t).Address())
	for bytes, want := range map[int64]int{1: 0, 1 << 30: 2, 0: 2} { // files kept: a shard and the statistics
		cfg := c.lens.Config()
		cfg.DataDir, cfg.ShardsCache = t.TempDir(), bytes
		a := app.New(cfg, "test")
		index, err := a.Indexes.Open(t.Context(), c.at)
		must(t, err)
		for range 2 {
			found, err := index.Retrieve(t.Context(), query.Query{Text: "villain"}, retrieval.RetrieveOptions{})
			if err != nil || len(found.Results) != 2 {
				t.Errorf("%d bytes: %+v, %v", bytes, found, err)
			}
			kept, err := os.ReadDir(filepath.Join(cfg.DataDir, "shards"))
			if err != nil || len(kept) != want {
				t.Errorf("%d bytes: %v, %v", bytes, kept, err)
			}
		}
		must(t, errors.Join(index.Close(), a.Close()))
	}
}

func TestRetrieve_ClientCannotChooseIndex(t *testing.T) {
	c := publish(t, filepath.Join(t.TempDir(), "index"))
	must(t, os.CopyFS(filepath.Join(c.at, "indexes", "model=other"), os.DirFS(filepath.Dir(theOnly(t, filepath.Join(c.at, "indexes", "*", "*"))))))
	env := []string{"LENS_SHARDS=" + c.at, "LENS_MODELS_DIR=" + t.TempDir()}
	p := start(t, "function", env...)
	if _, r := p.ask(httpPayload("/retrieve", "q=villain")); r.StatusCode != 503 || !strings.Contains(r.Body, "2 indexes are published there.") || !strings.Contains(r.Body, "set LENS_EMBEDDING_MODEL") {
		t.Errorf("got %+v", r)
	}
	p.terminate()
}

// theOnly returns the only file or folder that a pattern matches.
func theOnly(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	return found[0]
}

func TestSettings_Missing(t *testing.T) {
	for name, c := range map[string]struct{ shards, variable, value, want string }{
		"no place":           {"", "", "", "LENS_SHARDS is not set"},
		"no such place":      {"gs://x", "", "", "unsupported index location gs://"},
		"no region":          {"s3://bucket", "", "", "no AWS region is set"},
		"a short key":        {"index", "LENS_API_KEYS", "short", "shorter than 16 characters"},
		"no Lambda":          {"index", "AWS_LAMBDA_RUNTIME_API", "", "runs only on AWS Lambda"},
		"an unknown setting": {"index", "LENS_EMBEDDING", "magic", "unknown value of embedding"},
	} {
		t.Run(name, func(t *testing.T) {
			s3test.Environment(t, "")
			for variable, value := range map[string]string{"AWS_REGION": "", "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:1", "TMPDIR": t.TempDir(), "LENS_SHARDS": c.shards} {
				t.Setenv(variable, value)
			}
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			}
			all := errs.Describe(run(slog.New(slog.DiscardHandler)))
			if len(all) != 1 || !strings.Contains(all[0].Message, c.want) || all[0].Hint == "" {
				t.Errorf("got %+v", all)
			}
		})
	}
	p := start(t, "function")
	<-p.ended
	if said := p.stderr.String(); p.cmd.ProcessState.ExitCode() != 1 || strings.Count(said, "\n") != 1 || !strings.Contains(said, `"hint":"`) {
		t.Errorf("exit code %d, %s", p.cmd.ProcessState.ExitCode(), said)
	}
}
