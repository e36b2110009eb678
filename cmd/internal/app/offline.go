package app

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"lens/cmd/internal/config"
	"lens/internal/sandbox"
	"lens/retrieval/offline"
)

// CutOff permanently cuts this process off from the network, if the configuration is offline. Servers on loopback that
// the configuration names stay reachable. A server must listen before it calls CutOff. It returns the mechanism, and
// may re-execute the program: see sandbox.Enter.
func (l *App) CutOff() (sandbox.Mechanism, error) {
	if !l.cfg.Offline {
		return sandbox.None, nil
	}
	return sandbox.Enter(l.reach())
}

// StayOffline makes the configuration offline.
func (l *App) StayOffline() { l.cfg.Offline = true }

// reach returns the loopback addresses that the configuration names.
func (l *App) reach() []string {
	var all []string
	add := func(host, port string) {
		if host != "" && !strings.HasPrefix(host, "/") && isLoopback(host) {
			all = append(all, net.JoinHostPort(host, port))
		}
	}
	if e := l.cfg.Embedding; e.Kind == config.OpenAI {
		add(hostPort(e.BaseURL))
	}
	if c := l.cfg.Chat; c.Provider != "" {
		add(hostPort(c.BaseURL))
	}
	add(hostPort(l.cfg.ModelHub))
	add(hostPort(cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"))))
	if u, err := url.Parse(l.cfg.DatabaseURL); err == nil && l.cfg.DatabaseURL != "" {
		port := cmp.Or(u.Port(), u.Query().Get("port"), os.Getenv("PGPORT"), "5432")
		for _, hosts := range []string{
			u.Hostname(),
			u.Query().Get("host"),
			u.Query().Get("hostaddr"),
			os.Getenv("PGHOST"),
			os.Getenv("PGHOSTADDR"),
		} {
			for host := range strings.SplitSeq(hosts, ",") {
				add(host, port)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// hostPort returns what a client dials for a URL, "" for a malformed one.
func hostPort(rawURL string) (host, port string) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "", ""
	}
	return u.Hostname(), cmp.Or(u.Port(), map[string]string{"https": "443"}[u.Scheme], "80")
}

// Offline is the offline retriever over an archive. It runs in this process, or in a child process for a single query.
type Offline struct {
	lens  *App
	here  *offline.Retriever
	fresh bool

	// child answers a query in a child process; nil: never.
	child func(ctx context.Context, q OfflineQuery) (OfflineReply, error)
	ready *standby // nil: no child process waits
}

// The types of the offline retriever that front ends need.
type (
	OfflineLevel  = offline.Level
	OfflineFound  = offline.Found
	OfflineAnswer = offline.Answer
	OfflineHit    = offline.Hit
)

// Offline returns the retriever. fresh says that this process was started for one query; then it answers paranoid
// queries itself.
func (l *App) Offline(fresh bool) *Offline {
	opts := offline.Options{
		Archive: l.offlineArchive, Audit: l.Audit(), Keywords: offline.NewKeywords(l.Keywords), SingleQuery: fresh,
		Conclusions: ledger{l},
	}
	if w := l.writer(); w != nil {
		opts.Writer = w
	}
	o := &Offline{lens: l, here: offline.New(opts), fresh: fresh}
	o.child = o.ask
	return o
}

func (l *App) offlineArchive(ctx context.Context) (offline.Searcher, error) {
	engine, err := l.Engine(ctx)
	if err != nil {
		return nil, err // not a typed nil in an interface
	}
	return engine, nil
}
