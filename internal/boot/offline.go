package boot

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"lens/internal/config"
	"lens/internal/sandbox"
	"lens/retrieval/offline"
)

// CutOff cuts this process off from the network where the configuration is offline, for good; servers on loopback that it names stay within
// reach. What listens must listen before. It returns what does it, and may start the program anew: see sandbox.Enter.
func (l *Lens) CutOff() (sandbox.Mechanism, error) {
	if !l.cfg.Offline {
		return sandbox.None, nil
	}
	return sandbox.Enter(l.reach())
}

// StayOffline makes the configuration offline.
func (l *Lens) StayOffline() { l.cfg.Offline = true }

// reach returns the loopback addresses that the configuration names.
func (l *Lens) reach() []string {
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
		for _, hosts := range []string{u.Hostname(), u.Query().Get("host"), u.Query().Get("hostaddr"), os.Getenv("PGHOST"), os.Getenv("PGHOSTADDR")} {
			for host := range strings.SplitSeq(hosts, ",") {
				add(host, port)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// hostPort returns what a client dials for a URL; "" for none.
func hostPort(rawURL string) (host, port string) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "", ""
	}
	return u.Hostname(), cmp.Or(u.Port(), map[string]string{"https": "443"}[u.Scheme], "80")
}

// Offline is the offline retriever over an archive, in this process or in one that is made for a query.
type Offline struct {
	lens  *Lens
	here  *offline.Retriever
	fresh bool
	child func(ctx context.Context, q OfflineQuery) (OfflineReply, error) // has a process of its own answer; nil: there is none
	ready *standby                                                        // nil: none waits
}

// The words of the offline retriever, for faces.
type (
	OfflineLevel  = offline.Level
	OfflineFound  = offline.Found
	OfflineAnswer = offline.Answer
	OfflineHit    = offline.Hit
)

// Offline returns the retriever. fresh says that this process was made for one query: then it answers paranoid ones itself.
func (l *Lens) Offline(fresh bool) *Offline {
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

func (l *Lens) offlineArchive(ctx context.Context) (offline.Searcher, error) {
	engine, err := l.Engine(ctx)
	if err != nil {
		return nil, err // and no nil engine in an interface
	}
	return engine, nil
}
