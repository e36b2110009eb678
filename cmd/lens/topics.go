package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
)

func newTopicsCmd(env *Env) *cobra.Command {
	var f filterFlags
	var bin string
	cmd := &cobra.Command{
		Use:   "topics",
		Short: "Show what your chats are about, over time",
		Long: unwrap(`Lists up to 20 topics of your chats with their turns over time, and which of them came back after a
silence that chance does not explain.

A topic is a group of chats about one thing. Lens finds them from words and titles alone, without a model, and keeps
them with the archive; a topic keeps its number while the archive grows. Where chats have no titles of their own, or are
few, topics would be noise, and there are none. In a query, topic:japan restricts a search to a topic's chats.`),
		Example: `  lens topics
  lens topics --since 2024 --bin quarter
  lens peek 'server topic:7'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTopics(cmd, env, f, bin) },
	}
	f.addTo(cmd, query.WindowFilters())
	addBin(cmd, &bin)
	return cmd
}

func runTopics(cmd *cobra.Command, env *Env, f filterFlags, bin string) error {
	q := query.Query{Bin: bin, AutoBins: topicBins}
	if err := f.apply(&q.Filter, time.Now()); err != nil {
		return err
	}
	if err := cmp.Or(usageOf(q.Filter.Validate(q)), checkBin(bin)); err != nil {
		return err
	}
	engine, err := env.topics(cmd)
	if err != nil {
		return err
	}
	t, err := engine.Topics(cmd.Context(), q)
	if err != nil {
		return err
	}
	return env.PrintFound(len(t.Topics), t, func() { printTopics(env.Out, t) })
}

// topics returns the engine of an archive whose topics are known.
func (e *Env) topics(cmd *cobra.Command) (*retrieval.Engine, error) {
	a, engine, err := e.Engine(cmd, query.Keyword)
	if err != nil {
		return nil, err
	}
	return engine, a.Archive.MakeTopics(cmd.Context())
}

// topicBins is how many bins a row of a topic has at most.
const topicBins = 24

// turnsOfTopics counts the turns that topics are found in, and names those of documents, which have none.
func turnsOfTopics(t *retrieval.Topics) string {
	if t.Others == 0 {
		return count(t.Turns, "turn")
	}
	where := " more in documents"
	if t.Others == 1 {
		where = " more in a document"
	}
	return count(t.Turns, "turn") + " in chats, " + grouped(t.Others) + where
}

func printTopics(out *screen, t *retrieval.Topics) {
	if t.Notice != "" {
		out.println(t.Notice)
	}
	if len(t.Topics) == 0 {
		return
	}
	out.println(out.bold(out.list(count(len(t.Topics), "topic"), turnsOfTopics(t), by(t.Bin))))
	glyphs := &chart.Unicode
	if out.ascii {
		glyphs = &chart.ASCII
	}
	width := 0
	for _, topic := range t.Topics {
		width = max(width, min(ansi.StringWidth(cleantext.Line(topic.Label)), topicLabelCells))
	}
	for _, topic := range t.Topics {
		counts := make([]float64, len(topic.Bins))
		for i, b := range topic.Bins {
			counts[i] = float64(b.Count)
		}
		row := fmt.Sprintf("%3d  %s  %s %6s", topic.ID, padded(cleantext.Line(topic.Label), width, glyphs),
			chart.Sparkline(counts, slices.Max(counts), glyphs), grouped(topic.Turns))
		if r := topic.Returned; r != nil {
			row += "  " + describeReturn(r)
		}
		out.println(row)
	}
	if rest := t.Rest(); rest > 0 {
		out.println(out.faint(count(rest, "turn") + " in chats without a topic"))
	}
}

// topicLabelCells is how wide labels are at most.
const topicLabelCells = 36

// padded returns text in exactly width cells.
func padded(text string, width int, g *chart.Glyphs) string {
	text = ansi.Truncate(text, width, g.Ellipsis)
	return text + strings.Repeat(" ", width-ansi.StringWidth(text))
}

func describeReturn(r *retrieval.TopicReturn) string {
	return fmt.Sprintf("came back after %s, in %s", count(r.Months(), "month"), r.Back.Format("January 2006"))
}

func newAboutCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "about WHEN",
		Short: "Say what a time was about",
		Long: unwrap(`Says what your chats were about in a day, month, quarter, year or range: the topics with their share of
the turns and their usual share, and the titles with most turns. "More than usual" and "less than usual" are said of
a topic only where it is so in turns as well as in chats, and unlikely to be chance.`),
		Example: `  lens about 2024-Q2
  lens about "last 90d"
  lens about 2024-05..2024-07`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("use, for example, lens about 2024-Q2", "lens about takes a time")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runAbout(cmd, env, strings.Join(args, " ")) },
	}
}

func runAbout(cmd *cobra.Command, env *Env, when string) error {
	engine, err := env.topics(cmd)
	if err != nil {
		return err
	}
	window, err := engine.WindowNamed(cmd.Context(), when, time.Now())
	if err != nil {
		return wrongTime("WHEN", when, err)
	}
	about, err := engine.About(cmd.Context(), window)
	if err != nil {
		return err
	}
	return env.PrintFound(about.Turns, about, func() { printAbout(env.Out, about) })
}

// aboutTopics is how many topics are described, and lessTopics how many of those with less turns than usual are named.
const (
	aboutTopics = 6
	lessTopics  = 3
)

func printAbout(out *screen, a *retrieval.About) {
	name := windowName(a.Window)
	if a.Turns == 0 {
		out.println(strings.TrimSpace("No turns: " + name + ". " + a.Notice))
		return
	}
	out.println(out.bold(out.list(name, count(a.Turns, "turn"), count(a.Conversations, "chat"))))
	if a.Notice != "" {
		out.println(a.Notice)
	}
	var less []string
	shown, judged := 0, false
	for _, t := range a.Topics { // those with most turns first
		if t.Less {
			less = append(less, fmt.Sprintf("%s (%s, usually %s)", cleantext.Line(t.Label), percent(t.Share), percent(t.Usual)))
			continue
		}
		if shown++; shown > aboutTopics {
			continue
		}
		line := percent(t.Share) + " " + aboutTopic(out, t)
		if a.KnowsUsual() {
			line += "; usually " + percent(t.Usual)
			if t.Unusual {
				line, judged = line+", more than usual", true
			}
		}
		out.println(line)
	}
	if len(less) > 0 {
		out.println(out.faint("less than usual: " + strings.Join(less[:min(len(less), lessTopics)], ", ")))
	}
	if says := explainUsual(judged, len(less) > 0); says != "" {
		out.println(out.faint(out.sentence(says)))
	}
	if len(a.Topics) > 0 && !a.KnowsUsual() && a.Others > 0 {
		out.println(fmt.Sprintf("What is usual is not known: other times have %s.", count(a.Others, "turn")))
	}
	var titles []string
	for _, t := range a.Titles {
		titles = append(titles, fmt.Sprintf("%s (%s)", cleantext.Line(t.Title), grouped(t.Turns)))
	}
	if len(titles) > 0 {
		out.println("titles: " + strings.Join(titles, ", "))
	}
}

// explainUsual says when a topic is called more or less than usual, where that is said; "" for neither.
func explainUsual(more, less bool) string {
	what := "“Less than usual”"
	switch {
	case more && less:
		what = "“More” and “less than usual”"
	case more:
		what = "“More than usual”"
	case !less:
		return ""
	}
	return what + ": in turns as well as in chats, and unlikely to be chance"
}

// aboutTopic names what a topic has of a time: by the title of the chat that is most of it, where its label does not
// say that.
func aboutTopic(out *screen, t retrieval.AboutTopic) string {
	label := cleantext.Line(t.Label)
	size := "(" + count(t.Turns, "turn") + " in " + count(t.Conversations, "chat") + "): "
	switch m := t.Mostly; {
	case m == nil:
		return size + label
	case t.Conversations == 1:
		return size + out.quoted(m.Title) + ", in the topic " + label
	default:
		return size + label + fmt.Sprintf(", mostly %s (%s)", out.quoted(m.Title), grouped(m.Turns))
	}
}
