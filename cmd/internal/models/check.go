package models

import (
	"context"
	"fmt"
	"time"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest"
)

// Checks is a probe of the configured model.
func (m *Models) Checks(context.Context) []doctor.Check { return []doctor.Check{m.checkConfigured()} }

func (m *Models) checkConfigured() doctor.Check {
	used, err := m.Configured()
	switch {
	case err != nil && errs.CodeOf(err) == errs.Blocked:
		return doctor.Warned("model", err)
	case err != nil:
		return doctor.Failed("model", err)
	case used == nil && m.opts.Embedding.Kind == config.None && m.opts.Chosen:
		return doctor.Check{Name: "model", Status: doctor.OK, Message: "none, as configured: searching by words only"}
	case used == nil:
		return doctor.Check{Name: "model", Status: doctor.Warn, Message: "none: searching by words only", Hint: m.Hint(0)}
	}
	if used.Builtin() {
		return m.checkBuiltin(used.Name)
	}
	if m.Assumed() {
		return doctor.Check{
			Name: "model", Status: doctor.OK,
			Message: used.Name + " is assumed: OPENAI_BASE_URL names a server, and LENS_EMBEDDING_MODEL no model",
			Hint:    "set LENS_EMBEDDING_MODEL; if that server is for chat alone, set LENS_EMBEDDING=local, or none",
		}
	}
	message := used.Name + " (" + used.Provider + "), on this machine"
	if used.Server != "" {
		message = used.Name + " (" + used.Provider + ") at " + used.Server +
			"; queries are sent there, turns only when you run lens embed"
	}
	return doctor.Check{Name: "model", Status: doctor.OK, Message: message}
}

// Assumed reports whether the model is the default of OpenAI on a server of somebody else, which may be for chat
// alone.
func (m *Models) Assumed() bool {
	e := m.opts.Embedding
	return e.Kind == config.OpenAI && !m.opts.Chosen && e.Model == "" && e.Provider == "openai" &&
		network.Hostname(e.URL()) != network.Hostname(config.OpenAIURL)
}

// checkBuiltin opens a model that runs in this process, since its files may be damaged.
func (m *Models) checkBuiltin(name string) doctor.Check {
	opened, err := m.folder.Open(name)
	if err != nil {
		return doctor.Failed("model", err)
	}
	defer opened.Close()
	origin := "built in"
	if k, ok := m.folder.Find(name); ok && k.Unverified {
		origin = "imported unverified, unchanged since " + k.Imported.Format(time.DateOnly)
	}
	message := name + " (" + origin + ", from " + string(m.folder) + ")"
	if s, ok := m.folder.Speed(name); ok {
		message += fmt.Sprintf(", measured at %.0f turns/s", s.Turns)
	}
	return doctor.Check{Name: "model", Status: doctor.OK, Message: message}
}

// CheckVectors compares the stored vectors with the model that queries would use.
func (m *Models) CheckVectors(ctx context.Context, st store.Reader) doctor.Check {
	all, err := st.Generations(ctx)
	if err != nil {
		return doctor.Failed("vectors", err)
	}
	c := doctor.Check{Name: "vectors", Status: doctor.OK}
	if len(all) == 0 || !all[0].Active || all[0].Vectors == 0 {
		c.Status, c.Message, c.Hint = doctor.Warn, "none: searching by words only", m.Hint(0)
		return c
	}
	g := all[0]
	c.Message = fmt.Sprintf("%d from %s (%s), %d dimensions", g.Vectors, g.Model, g.Provider, g.Dim)
	pending, err := st.CountPending(ctx, g.ID, store.Filter{})
	if err != nil {
		return doctor.Failed("vectors", err)
	}
	if pending > 0 {
		c.Status, c.Hint = doctor.Warn, "run lens embed to continue"
		c.Message += fmt.Sprintf("; %d turns have no vector yet", pending)
	}
	if _, usable := m.Installed(g.Provider, g.Model); usable && m.Assumed() {
		return c // queries are embedded by the model that made the vectors
	}
	used, err := m.Open()
	if err != nil || used == nil {
		return c
	}
	if !used.made(g) {
		provider, name := used.Model()
		c.Status = doctor.Warn
		c.Hint = "run lens embed to switch to " + name + ", or set LENS_EMBEDDING_MODEL=" + g.Model + " to stay"
		c.Message += fmt.Sprintf("; the configured model is %s (%s)", name, provider)
	} else if used.prefixes != g.Prefixes {
		return used.proposeRenewal(ctx, st, g, c)
	}
	return c
}

// proposeRenewal adds to the check of a generation that its model now has other prefixes, and what new vectors cost.
func (e *Embedder) proposeRenewal(
	ctx context.Context, st store.Reader, g store.Generation, c doctor.Check,
) doctor.Check {
	price, err := e.price(ctx, st, ingest.EmbedOptions{Prefixes: e.prefixes})
	if err != nil {
		return doctor.Failed("vectors", err)
	}
	c.Status = doctor.Warn
	c.Message += fmt.Sprintf("; they have %s, and %s should have %s",
		describePrefixes(g.Prefixes), g.Model, describePrefixes(e.prefixes))
	c.Hint = fmt.Sprintf("run lens embed for new ones (%s), or keep them with LENS_EMBEDDING_QUERY_PREFIX=%q"+
		" LENS_EMBEDDING_DOCUMENT_PREFIX=%q", price, g.Prefixes.Query, g.Prefixes.Document)
	return c
}

func describePrefixes(p store.Prefixes) string {
	switch {
	case p == store.Prefixes{}:
		return "no prefixes"
	case p.Document == "":
		return fmt.Sprintf("%q before queries", p.Query)
	case p.Query == "":
		return fmt.Sprintf("%q before texts", p.Document)
	}
	return fmt.Sprintf("%q before queries and %q before texts", p.Query, p.Document)
}
