package main

import (
	"context"
	"strings"
	"time"

	"lens/cmd/internal/app"
	"lens/cmd/internal/models"
)

// estimate says what embedding would send and cost, as --json prints it.
type estimate struct {
	models.Model
	Turns     int      `json:"turns"`
	Tokens    int      `json:"tokens"`
	Exact     bool     `json:"exact"` // counted with the model's own tokenizer
	Truncated int      `json:"truncated"`
	Requests  int      `json:"requests"`
	USD       *float64 `json:"usd"`     // null: the price is unknown
	Seconds   *float64 `json:"seconds"` // null: unknown
}

// countTokens counts what embedding would send. It reads every text, so it shows progress.
func countTokens(ctx context.Context, env *Env, l *app.App, branches bool) (*estimate, error) {
	g := &gauge{screen: env.Err, title: "counting"}
	counted, err := l.Embedding.Estimate(ctx, branches, g.tell)
	g.end()
	if err != nil {
		return nil, err
	}
	model, err := l.Models.Configured()
	if err != nil {
		return nil, err
	}
	e := &estimate{
		Model:     *model,
		Turns:     counted.Texts,
		Tokens:    counted.Tokens,
		Exact:     counted.Exact,
		Truncated: counted.Truncated,
		Requests:  counted.Requests,
	}
	if counted.Priced {
		e.USD = &counted.USD
	}
	if counted.Time > 0 {
		seconds := counted.Time.Seconds()
		e.Seconds = &seconds
	}
	return e, nil
}

func printEstimate(ctx context.Context, env *Env, l *app.App, branches bool) error {
	e, err := countTokens(ctx, env, l, branches)
	if err != nil {
		return err
	}
	if env.JSON {
		return env.Out.json(e)
	}
	env.Out.println(e.inWords())
	env.Out.println("Nothing was sent.")
	return nil
}

// inWords describes an estimate to a person. It leaves out what is unknown.
func (e *estimate) inWords() string {
	facts := []string{count(e.Turns, "turn")}
	switch {
	case e.Exact:
		facts = append(facts, count(e.Tokens, "token"))
	case e.Tokens > 0:
		facts = append(facts, "about "+count(rounded(e.Tokens), "token"))
	}
	where := "to " + e.Server + " (" + e.Name + ")"
	switch {
	case e.Builtin():
		where = "with " + e.Name + ", on this machine"
	case e.Server == "":
		where = "to a model on this machine (" + e.Name + ")"
		facts = append(facts, "no cost")
	case e.USD == nil:
		facts = append(facts, "price unknown")
	default:
		facts = append(facts, dollars(*e.USD))
	}
	text := strings.Join(facts, ", ")
	if e.Seconds != nil {
		text += ": " + roughly(time.Duration(*e.Seconds*float64(time.Second))) + " " + where + "."
	} else {
		text += ", " + where + "."
	}
	if e.Truncated > 0 {
		text += " " + areLong(e.Truncated) + " longer than the model's limit and will be truncated."
	}
	return text
}

// roughly is about, with the word "about" before a number.
func roughly(d time.Duration) string {
	if d < time.Minute {
		return about(d)
	}
	return "about " + about(d)
}

// rounded keeps the two leading digits of an estimated number.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

func areLong(n int) string {
	if n == 1 {
		return "1 text is"
	}
	return grouped(n) + " texts are"
}
