package network

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/internal/sandbox"
)

// CutOff permanently cuts this process off from the network, if cfg is offline. Servers on loopback that cfg names stay
// reachable. A server must listen before it calls CutOff. It returns the mechanism, and may re-execute the program: see
// sandbox.Enter.
func CutOff(cfg config.Config) (sandbox.Mechanism, error) {
	if !cfg.Offline {
		return sandbox.None, nil
	}
	return sandbox.Enter(reachable(cfg))
}

// reachable returns the loopback addresses that a configuration names.
func reachable(cfg config.Config) []string {
	var all []string
	add := func(host, port string) {
		if host != "" && !strings.HasPrefix(host, "/") && IsLoopback(host) {
			all = append(all, net.JoinHostPort(host, port))
		}
	}
	if e := cfg.Embedding; e.Kind == config.OpenAI {
		add(hostPort(e.BaseURL))
	}
	if c := cfg.Chat; c.Provider != "" {
		add(hostPort(c.BaseURL))
	}
	add(hostPort(cfg.ModelHub))
	add(hostPort(cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"))))
	if u, err := url.Parse(cfg.DatabaseURL); err == nil && cfg.DatabaseURL != "" {
		port := cmp.Or(u.Port(), u.Query().Get("port"), os.Getenv("PGPORT"), "5432")
		for _, host := range databaseHosts(cfg.DatabaseURL) {
			add(host, port)
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

// databaseHosts returns the servers that a connection string of Postgres names, in any of several ways. It returns none
// for a malformed one, which opening the database reports.
func databaseHosts(databaseURL string) []string {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return nil
	}
	named := []string{u.Hostname(), u.Query().Get("host"), u.Query().Get("hostaddr")}
	if strings.Join(named, "") == "" {
		named = append(named, os.Getenv("PGHOST"), os.Getenv("PGHOSTADDR"))
	}
	return strings.Split(strings.Join(named, ","), ",")
}

// Check returns a probe of what leaves this machine.
func Check(cfg config.Config) doctor.Probe {
	return func(context.Context) []doctor.Check {
		c := doctor.Check{Name: "network", Status: doctor.OK, Message: "nothing leaves this machine unless you say so"}
		e := cfg.Embedding
		switch {
		case cfg.Offline:
			c.Message = "offline: connects to this machine only"
		case e.Key != "" && strings.HasPrefix(e.BaseURL, "http://") && !IsLoopback(Hostname(e.BaseURL)):
			c.Status, c.Hint = doctor.Warn, "use an https:// base URL"
			c.Message = "the key and your texts are sent unencrypted to " + Hostname(e.BaseURL)
		}
		return []doctor.Check{c}
	}
}
