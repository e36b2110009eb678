package models

import (
	"testing"

	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/internal/errs"
)

func TestConfigured_OfflineRemoteModel(t *testing.T) {
	for _, c := range []struct {
		url     string
		blocked bool
	}{
		{"", true},
		{"https://embeddings.example/v1", true},
		{"http://192.168.1.5:11434/v1", true},
		{"http://localhost.example/v1", true},
		{"http://127.0.0.1:11434/v1", false},
		{"http://localhost:11434/v1", false},
		{"http://[::1]:8080/v1", false},
	} {
		m := New(Options{
			Network:   network.Policy{Offline: true},
			Embedding: config.Embedding{Kind: config.OpenAI, Key: "k", BaseURL: c.url},
		})
		_, err := m.Configured()
		if blocked := errs.CodeOf(err) == errs.Blocked; blocked != c.blocked {
			t.Errorf("%q: %v", c.url, err)
		}
	}
}

// An engine may still embed with a model that another one replaced, so it is closed with the others.
func TestModels_CloseReplaced(t *testing.T) {
	closed := 0
	open := func() *Embedder { return &Embedder{close: func() error { closed++; return nil }} }
	m := &Models{used: open(), fallback: open()}
	m.use(open())
	m.use(open())
	if err := m.Close(); err != nil || closed != 4 {
		t.Errorf("closed %d of 4 models: %v", closed, err)
	}
}
