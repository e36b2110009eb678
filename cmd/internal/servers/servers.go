// Package servers finds the model servers of this machine, and asks them what their models can do.
//
// The rules are:
//
//   - Only loopback is dialed, and nothing of the archive is sent: the requests ask which models there are, and what
//     they can do.
//   - What answers may be any program. A reply is bounded, and counts only if it lists models.
package servers

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/network"
	"lens/internal/lazyregexp"
)

// Place is where a program serves models by default.
type Place struct {
	Program string
	Port    int
}

// Usual are the places of well-known programs.
var Usual = []Place{{"Ollama", 11434}, {"LM Studio", 1234}, {"llama.cpp", 8080}}

// Server is a program that answers.
type Server struct {
	Program string
	BaseURL string // as OPENAI_BASE_URL takes it
	Embed   []string
	Chat    []string
}

// patience is how long all requests to one server may take: on this machine, what answers at all answers at once.
const patience = 2 * time.Second

// Find asks all places at once, and returns the servers that answer, in the order of places.
func Find(ctx context.Context, places []Place) []Server {
	client, stop := newClient()
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	found := make([]*Server, len(places))
	var all sync.WaitGroup
	for i, p := range places {
		all.Go(func() { found[i] = (&asker{client, "http://127.0.0.1:" + strconv.Itoa(p.Port)}).server(ctx, p) })
	}
	all.Wait()
	var servers []Server
	for _, s := range found {
		if s != nil {
			servers = append(servers, *s)
		}
	}
	return servers
}

// newClient returns a client for this machine alone, and what closes its connections.
func newClient() (client *http.Client, stop func()) {
	transport := network.Policy{Offline: true}.Transport() // loopback only, and no proxy
	client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return client, transport.CloseIdleConnections
}

// Check returns a probe that names the servers that answer, and the settings to use them. It looks nowhere if Lens is
// offline or paranoid.
func Check(cfg config.Config, places []Place) doctor.Probe {
	return func(ctx context.Context) (checks []doctor.Check) {
		for _, s := range findIfAllowed(ctx, cfg, places) {
			c := doctor.Check{Name: "server", Status: doctor.OK, Message: s.describe()}
			if set := s.settings(cfg); len(set) > 0 {
				c.Hint = "to use it, set " + strings.Join(set, " ")
			}
			checks = append(checks, c)
		}
		return checks
	}
}

// Offers returns what describes the servers that answer and could be used, followed by the settings to use them, one a
// line. Like Check, it looks nowhere if Lens is offline or paranoid.
func Offers(cfg config.Config, places []Place) func(context.Context) []string {
	return func(ctx context.Context) (offers []string) {
		for _, s := range findIfAllowed(ctx, cfg, places) {
			if set := s.settings(cfg); len(set) > 0 {
				offers = append(append(offers, s.describe()+". To use it, set"), set...)
			}
		}
		return offers
	}
}

func findIfAllowed(ctx context.Context, cfg config.Config, places []Place) []Server {
	if cfg.Offline || cfg.Security == config.Paranoid {
		return nil
	}
	return Find(ctx, places)
}

// describe names the server and its models.
func (s *Server) describe() string {
	var kinds []string
	if len(s.Embed) > 0 {
		kinds = append(kinds, "for embedding "+strings.Join(s.Embed, ", "))
	}
	if len(s.Chat) > 0 {
		kinds = append(kinds, "for chat "+strings.Join(s.Chat, ", "))
	}
	if kinds == nil {
		kinds = []string{"no model"}
	}
	return s.Program + " answers at " + s.BaseURL + ": " + strings.Join(kinds, "; ")
}

// settings returns what to set to use the server's models where no other model is configured.
func (s *Server) settings(cfg config.Config) (set []string) {
	own := strings.Replace(cfg.Chat.BaseURL, "//localhost:", "//127.0.0.1:", 1) == s.BaseURL
	if name := firstPlain(s.Embed); name != "" && !(own && cfg.Embedding.Model != "") {
		set = append(set, "LENS_EMBEDDING_MODEL="+name)
	}
	if name := firstPlain(s.Chat); name != "" && !(own && cfg.Chat.Model != "") {
		set = append(set, "LENS_CHAT_MODEL="+name)
	}
	if len(set) > 0 && !own {
		set = append([]string{"OPENAI_BASE_URL=" + s.BaseURL}, set...)
	}
	return set
}

// plain names can stand in a shell's command as they are, since people copy it.
var plain = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)

func firstPlain(names []string) string {
	for _, name := range names {
		if plain().MatchString(name) {
			return name
		}
	}
	return ""
}
