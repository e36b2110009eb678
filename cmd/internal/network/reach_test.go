package network

import (
	"slices"
	"testing"

	"lens/cmd/internal/config"
)

func TestCutOff_ReachableServers(t *testing.T) {
	t.Setenv("PGHOST", "")
	t.Setenv("PGHOSTADDR", "")
	t.Setenv("PGPORT", "")
	t.Setenv("AWS_ENDPOINT_URL", "")
	t.Setenv("AWS_ENDPOINT_URL_S3", "")
	for name, c := range map[string]struct {
		cfg  config.Config
		want []string
	}{
		"nothing": {config.Config{}, nil},
		"embedding": {config.Config{Embedding: config.Embedding{
			Kind:    config.OpenAI,
			BaseURL: "http://127.0.0.1:11434/v1",
		}}, []string{"127.0.0.1:11434"}},
		"localhost": {
			config.Config{Chat: config.Chat{Provider: "openai", BaseURL: "http://localhost/v1"}},
			[]string{"localhost:80"},
		},
		"remote":              {config.Config{Chat: config.Chat{Provider: "openai", BaseURL: "https://chat.example/v1"}}, nil},
		"OpenAI's own server": {config.Config{Embedding: config.Embedding{Kind: config.OpenAI}}, nil},
		"a database":          {config.Config{DatabaseURL: "postgres://u:p@[::1]/lens"}, []string{"[::1]:5432"}},
		"several databases": {
			config.Config{DatabaseURL: "postgres:///lens?host=127.0.0.1,db.example,/run/postgresql&port=5433"},
			[]string{"127.0.0.1:5433"},
		},
	} {
		if got := reachable(c.cfg); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	t.Setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9000")
	if got := reachable(config.Config{}); !slices.Equal(got, []string{"127.0.0.1:9000"}) {
		t.Errorf("with an S3 endpoint: got %v", got)
	}
}
