package agenttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Script is what a model says, a reply a request; the last one is said again and again.
type Script struct {
	Model   string  `yaml:"model"` // that it calls itself; "": scripted
	Replies []Reply `yaml:"replies"`
}

// Reply is one message of the model. In texts and arguments, $1 is the first turn id of the latest peek's result, $2 the second, and so on.
type Reply struct {
	Thought string `yaml:"thought"` // sent before the text, in the fields that servers have for it
	Text    string `yaml:"text"`
	Calls   []Call `yaml:"calls"`

	Chunks  int           `yaml:"chunks"` // bytes that are sent at a time, whatever they cut apart; 0: whole events
	Deltas  int           `yaml:"deltas"` // characters a delta; 0: 12
	Delay   time.Duration `yaml:"delay"`  // before each event
	Style   Style         `yaml:"style"`
	Finish  string        `yaml:"finish"`   // finish_reason; "": stop or tool_calls; "none": none is sent
	NoDone  bool          `yaml:"no_done"`  // the stream ends without [DONE]
	NoUsage bool          `yaml:"no_usage"` // also when it is asked for
	Fault   Fault         `yaml:"fault"`
}

// Call is a tool call: Arguments are sent as JSON, a string as it is.
type Call struct {
	Name      string `yaml:"name"`
	Arguments any    `yaml:"arguments"`
}

// Style is how a server tells of tool calls.
type Style string

// The styles that were seen in the wild.
const (
	IDFirst            Style = ""          // id and name first, then the arguments in pieces
	IDLast             Style = "late"      // arguments first, then the name, then the id
	RepeatedID         Style = "repeating" // id and name with every piece
	Unindexed          Style = "unindexed" // no numbers, each call whole
	ZeroIndex          Style = "zero"      // every call is number 0, whole
	WithoutID          Style = "nameless"  // no ids at all
	ZeroIndexWithoutID Style = "alike"     // every call is number 0 without an id, whole
)

// Read reads a script.
func Read(r io.Reader) (Script, error) {
	var s Script
	d := yaml.NewDecoder(r)
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil && !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("agenttest: read script: %w", err)
	}
	return s, nil
}

var (
	placeholder = regexp.MustCompile(`\$([0-9]{1,2})`)
	uuids       = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
)

// filled returns the reply with ids in place of its placeholders.
func (r Reply) withIDs(ask Request) Reply {
	ids := FoundTurns(ask)
	fill := func(text string) string {
		return placeholder.ReplaceAllStringFunc(text, func(p string) string {
			n, _ := strconv.Atoi(p[1:])
			if n < 1 || n > len(ids) {
				return p
			}
			return ids[n-1]
		})
	}
	r.Text = fill(r.Text)
	calls := make([]Call, len(r.Calls))
	for i, c := range r.Calls {
		calls[i] = Call{Name: c.Name, Arguments: fill(c.argumentText())}
	}
	r.Calls = calls
	return r
}

// text returns the arguments as they are sent.
func (c Call) argumentText() string {
	switch a := c.Arguments.(type) {
	case nil:
		return "{}"
	case string:
		return a
	}
	text, err := json.Marshal(c.Arguments)
	if err != nil {
		panic("agenttest: arguments that are no JSON: " + err.Error())
	}
	return string(text)
}

// Found returns the turn ids of the latest peek's result in a request, in its order, each once.
func FoundTurns(ask Request) []string {
	for i := len(ask.Messages) - 1; i >= 0; i-- {
		var ids []string
		seen := map[string]bool{}
		for _, line := range strings.Split(ask.Messages[i].Content, "\n") {
			if id := uuids.FindString(line); id != "" && matchLine.MatchString(line) && !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		if len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// matchLine is a line of a peek's result that names a match.
var matchLine = regexp.MustCompile(`^[0-9]+\. turn `)

func readAll(r *http.Request) ([]byte, error) {
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(r.Body, 64<<20))
	return b.Bytes(), err
}
