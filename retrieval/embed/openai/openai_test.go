package openai_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/openai"
)

// embedder returns an embedder for server that does not wait long between tries.
func embedder(server *embedtest.Server, opts openai.Options) *openai.Embedder {
	opts.BaseURL = server.URL
	if opts.Backoff == 0 {
		opts.Backoff = 1 // ns
	}
	return openai.New(server.Client(), opts)
}

func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("text number %d", i)
	}
	return out
}

func wantVectors(t *testing.T, e *openai.Embedder, texts []string, dim int) {
	t.Helper()
	got, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range got {
		if g.Err != nil {
			t.Fatalf("text %d: %v", i, g.Err)
		}
		if !slices.Equal(g.Values, embedtest.Vector(texts[i], dim)) {
			t.Fatalf("text %d has another text's vector", i)
		}
	}
}

func TestEmbed_AnswerInAnyOrder(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	e := embedder(server, openai.Options{MaxInputs: 7})
	wantVectors(t, e, texts(100), 64)
	if got := len(server.Batches()); got != 15 {
		t.Errorf("100 texts in batches of 7 took %d requests", got)
	}
}

func TestEmbed_ServerWithoutBase64(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{FloatsOnly: true})
	e := embedder(server, openai.Options{})
	wantVectors(t, e, texts(3), 64)
	wantVectors(t, e, texts(3), 64)
	if got := server.Requests(); got != 3 {
		t.Errorf("%d requests, want one more than batches to detect the format", got)
	}
}

func TestEmbed_UnknownModelSendsNumbers(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{FloatsOnly: true})
	e := embedder(server, openai.Options{Model: "nomic-embed-text", Provider: "ollama"})
	wantVectors(t, e, texts(40), 64)
	if got := server.Batches(); !slices.Equal(sorted(got), []int{8, 32}) {
		t.Errorf("batches of %v, not 32 and the rest", got)
	}
	if provider, name := e.Model(); provider != "ollama" || name != "nomic-embed-text" {
		t.Errorf("the model is %s %s", provider, name)
	}
}

func sorted(n []int) []int {
	slices.Sort(n)
	return n
}

func TestEmbed_Dimensions(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	wantVectors(t, embedder(server, openai.Options{Dimensions: 16}), texts(3), 16)
}

func TestEmbed_TokensPerRequest(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{Dim: 2})
	e := embedder(server, openai.Options{Concurrency: 1})
	long := strings.Repeat(" word", 8000) // 8,000 tokens: 37 of them fit into 300,000
	if _, err := e.Embed(t.Context(), slices.Repeat([]string{long}, 40)); err != nil {
		t.Fatal(err)
	}
	if got := server.Batches(); !slices.Equal(got, []int{37, 3}) {
		t.Errorf("batches of %v", got)
	}
}

func TestEmbed_TextTooLong(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	e := embedder(server, openai.Options{})
	got, err := e.Embed(t.Context(), []string{strings.Repeat(" word", 9000), "short"})
	if err != nil {
		t.Fatal(err)
	}
	if !got[0].Truncated || got[0].Tokens != 8191 || got[1].Truncated || got[1].Tokens != 1 {
		t.Errorf("long: truncated %v, %d tokens; short: truncated %v, %d tokens", got[0].Truncated, got[0].Tokens, got[1].Truncated, got[1].Tokens)
	}
	if sent := server.Texts()[0]; sent != strings.Repeat(" word", 8191) || got[0].Text != sent || got[1].Text != "" {
		t.Errorf("sent %d bytes of it, and reported %d and %d", len(sent), len(got[0].Text), len(got[1].Text))
	}
}

func TestEmbed_EmptyTexts(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	got, err := embedder(server, openai.Options{}).Embed(t.Context(), []string{"", "a", " \n"})
	if err != nil || got[0].Err == nil || got[1].Err != nil || got[2].Err == nil {
		t.Fatalf("err %v, items %v %v %v", err, got[0].Err, got[1].Err, got[2].Err)
	}
	if sent := server.Texts(); !slices.Equal(sent, []string{"a"}) {
		t.Errorf("sent %q", sent)
	}
	if _, err := embedder(server, openai.Options{}).EmbedQuery(t.Context(), ""); err == nil {
		t.Error("an empty query got a vector")
	}
}

func TestEmbed_NoTexts(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	if got, err := embedder(server, openai.Options{}).Embed(t.Context(), nil); err != nil || len(got) != 0 || server.Requests() != 0 {
		t.Errorf("%v, %v after %d requests", got, err, server.Requests())
	}
}

func TestEmbedQuery_SameVectorAsDocument(t *testing.T) {
	server := embedtest.New(t, embedtest.Options{})
	got, err := embedder(server, openai.Options{}).EmbedQuery(t.Context(), "text number 5")
	if err != nil || !slices.Equal(got, embedtest.Vector("text number 5", 64)) {
		t.Errorf("%v, %v", got, err)
	}
}
