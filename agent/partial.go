package agent

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"lens/internal/errs"
)

// A run that fails keeps what it has found: Partial holds it. If the model said nothing, or nothing that rests on
// evidence, the text of Partial is a report of what the archive has on the question, made of Outcome.Report and of the
// turns that were read, and of what the model said.

// Limits of a report.
const (
	reportTime      = 10 * time.Second // for a search that the report needs
	maxReported     = 4                // searches, the latest
	maxReportedBest = 5                // turns of each search in Findings.Best
	maxSearchBytes  = 4 << 10          // of a question that is searched as it is
)

// fail ends the run with an error; giveUp reports it.
func (r *run) fail(ctx context.Context, err error) phase {
	r.failure = contextError(ctx, err)
	return nil
}

// giveUp yields what the run has, and its error. ctx is without the run's time limit, which may be over.
func (r *run) giveUp(ctx context.Context) {
	if r.filter != nil {
		r.emitText(r.closeFilter())
	}
	p := Partial{Truncated: true, Finish: Unknown, Model: r.Model.Name()}
	if (r.held || len(r.answer) == 0) && !r.stopped {
		p.Text, p.Citations = r.failureReport(ctx), r.turnsRead()
		p.Report = p.Text != ""
	}
	if !p.Report {
		r.show()
		p.Text, p.Citations = string(r.answer), r.citationsSoFar()
	}
	p.Findings = Findings{
		Histograms: orEmpty(r.histograms), Turns: r.turnsRead(), Best: orEmpty(r.best), Trace: orEmpty(r.trace),
	}
	p.Usage = r.usage()
	r.emit(p)
	r.log("failed", slog.String("code", string(errs.CodeOf(r.failure))))
	if !r.stopped {
		r.stopped = true
		r.yield(nil, r.failure)
	}
}

// failureReport describes what the archive has on the question, and marks what the model said without evidence. Before
// any search, it searches for the question. It returns "" if nothing could be searched.
func (r *run) failureReport(ctx context.Context) string {
	if len(r.reports) == 0 && ctx.Err() == nil {
		r.searchQuestion(ctx)
	}
	head := "The model gave no answer. This is what Lens found in the archive."
	if len(r.answer) > 0 {
		head = "The model gave no whole answer. This is what Lens found in the archive."
	}
	report := r.report(head)
	if report != "" && len(r.answer) > 0 {
		report += "\n\n" + r.marked(string(r.answer))
	}
	return report
}

// report describes the searches and readings below a first sentence; "" without any.
func (r *run) report(head string) string {
	if len(r.reports)+len(r.evidence) == 0 {
		return ""
	}
	parts := []string{head}
	parts = append(parts, r.reports[max(0, len(r.reports)-maxReported):]...)
	if len(r.evidence) > 0 {
		var read strings.Builder
		read.WriteString("Turns that the model read:\n")
		for i, t := range r.evidence {
			read.WriteString("\n- [" + itoa(i+1) + "] " + t.day() + ", " + Inline(t.Title, 80))
		}
		parts = append(parts, read.String())
	}
	return strings.Join(parts, "\n\n")
}

// searchQuestion makes the search of a report. If it fails, there is no report.
func (r *run) searchQuestion(ctx context.Context) {
	if r.tools[ToolPeek] == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reportTime)
	defer cancel()
	_ = r.runCalls(ctx, []*toolRun{{Call: Call{Name: ToolPeek, Arguments: r.search().String()}}})
}

// question returns the question as a query, without the end of a very long one.
func (r *run) question() string {
	text := r.Messages[len(r.Messages)-1].Text
	return strings.ToValidUTF8(text[:min(len(text), maxSearchBytes)], "")
}

// keepFindings keeps what a search has found.
func (r *run) keepFindings(o Outcome) {
	if o.Histogram != nil {
		r.histograms = append(r.histograms, o.Histogram)
	}
	if o.Report != "" && !slices.Contains(r.reports, o.Report) {
		r.reports = append(r.reports, o.Report)
	}
	if c := o.Confidence; c != nil && *c >= r.confidence {
		r.confidence, r.doubt = *c, o.Doubt
	}
	for _, id := range o.Found[:min(maxReportedBest, len(o.Found))] {
		if !slices.Contains(r.best, id) {
			r.best = append(r.best, id)
		}
	}
}

// turnsRead returns the turns that were read, by number.
func (r *run) turnsRead() []Citation {
	all := make([]Citation, len(r.evidence))
	for i := range r.evidence {
		all[i] = r.citation(i + 1)
	}
	return all
}

// Inline returns archive text for a report: on one line of at most limit characters, without what a renderer takes for
// a citation, a link, code or HTML.
func Inline(text string, limit int) string {
	text = inlineMarks.Replace(strings.Join(strings.Fields(text), " "))
	if utf8.RuneCountInString(text) > limit {
		text = strings.TrimSpace(string([]rune(text)[:limit-1])) + "…"
	}
	return text
}

var inlineMarks = strings.NewReplacer("[", "(", "]", ")", "【", "(", "】", ")", "［", "(", "］", ")", "<", "‹", ">", "›",
	"`", "'", "&", "+")
