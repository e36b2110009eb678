package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed topics/*.txt
var topicFiles embed.FS

// topic is a subject that the person comes back to.
type topic struct {
	name      string
	activity  curve
	season    []time.Month // months with conversations; nil: all year
	firstHour int
	lastHour  int      // the hours of the day with conversations, up to 24
	days      string   // "weekday", "weekend" or any
	gpt       string   // ID of a custom GPT that some of its conversations use
	follow    []string // openings of later questions
	asides    []string // endings of questions
	slots     map[string][]string
	exchanges []exchange
}

// exchange is a question and its answer, in as many variants as the template allows.
type exchange struct {
	title     string
	when      string   // "early" or "late" in an episode, or any time
	once      *demoDay // the day of a one-time event; nil: any
	questions []question
	answer    []block
	search    string    // "site|page" of a web search
	run       [2]string // code for the code interpreter, and its output
}

// question is one way to ask, with the parts of the answer that belong to it alone.
type question struct {
	text  string
	leads []string // one of them opens the answer, in place of its first block
	whole string   // the whole answer, in place of the exchange's
}

// demoDay is a day of the demo: the number of the month, counted from 0, and the day in it.
type demoDay struct{ month, day int }

var loadTopics = sync.OnceValues(func() ([]*topic, error) {
	names, err := fs.Glob(topicFiles, "topics/*.txt")
	if err != nil {
		return nil, err
	}
	topics := make([]*topic, len(names))
	for i, name := range names {
		text, err := topicFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if topics[i], err = parseTopic(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return topics, nil
})

// parseTopic reads a topic file: the settings of the topic, then exchanges, each headed by "@ title".
func parseTopic(text string) (*topic, error) {
	t := &topic{slots: map[string][]string{}, follow: []string{""}, lastHour: 23}
	head, rest, _ := strings.Cut(text, "\n@ ")
	for line := range strings.Lines(head) {
		if err := t.set(strings.Cut(strings.TrimSpace(line), " ")); err != nil {
			return nil, err
		}
	}
	for part := range strings.SplitSeq(rest, "\n@ ") {
		e, err := parseExchange(part)
		if err != nil {
			return nil, err
		}
		t.exchanges = append(t.exchanges, e)
	}
	return t, nil
}

// set applies one setting of a topic file.
func (t *topic) set(key, value string, _ bool) (err error) {
	switch key {
	case "":
	case "topic":
		t.name = value
	case "life":
		t.activity, err = parseCurve(value)
	case "season":
		for m := range strings.FieldsSeq(value) {
			n, _ := strconv.Atoi(m)
			t.season = append(t.season, time.Month(n))
		}
	case "hours":
		_, err = fmt.Sscanf(value, "%d-%d", &t.firstHour, &t.lastHour)
	case "days":
		t.days = value
	case "gpt":
		t.gpt = value
	case "follow":
		t.follow = split(value)
	case "aside":
		t.asides = split(value)
	case "slot":
		name, values, _ := strings.Cut(value, ": ")
		t.slots[name] = split(values)
	default:
		err = fmt.Errorf("unknown setting %q", key)
	}
	return err
}

// split splits at | and trims the parts.
func split(s string) []string {
	parts := strings.Split(s, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// weightIn returns the weight of the topic in a month of the demo, which falls into the given calendar month.
func (t *topic) weightIn(month int, calendar time.Month) float64 {
	if t.season != nil && !slices.Contains(t.season, calendar) {
		return 0
	}
	return t.activity[month]
}

// parseExchange reads an exchange: its title, settings, questions, and the answer.
func parseExchange(text string) (e exchange, err error) {
	title, body, _ := strings.Cut(text, "\n")
	e.title = strings.TrimSpace(title)
	var answer []string
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		key, value, _ := strings.Cut(line, " ")
		switch {
		case answer != nil:
			answer = append(answer, line)
		case key == "when":
			e.when = value
		case key == "at":
			e.once = new(demoDay)
			_, err = fmt.Sscanf(value, "%d.%d", &e.once.month, &e.once.day)
		case key == "web":
			e.search = value
		case key == "run":
			e.run[0] = value
		case key == "output":
			e.run[1] = value
		case key == "?":
			e.questions = append(e.questions, question{text: value})
		case key == "!" && len(e.questions) > 0:
			asked := &e.questions[len(e.questions)-1]
			asked.leads = append(asked.leads, value)
		case key == "!!" && len(e.questions) > 0:
			e.questions[len(e.questions)-1].whole = strings.ReplaceAll(value, " // ", "\n")
		default:
			answer = append(answer, line)
		}
	}
	e.answer = blocks(answer)
	if len(e.questions) == 0 || len(e.answer) == 0 {
		return e, fmt.Errorf("%q lacks a question or an answer", e.title)
	}
	return e, err
}
