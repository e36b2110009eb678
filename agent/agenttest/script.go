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

// Script lists the model's replies, one a request. The last one repeats.
type Script struct {
	Model   string  `yaml:"model"` // the model's own name; empty: scripted
	Replies []Reply `yaml:"replies"`

	// Says are replies to other requests, as programs have them that tell more of their models: "GET /props".
	Says map[string]string `yaml:"says"`
}

// Reply is one message of the model. In texts and arguments, $1 stands for the first turn id in the latest
// peek result, $2 for the second, and so on.
type Reply struct {
	Thought string `yaml:"thought"` // sent before the text, in the usual reasoning fields
	Text    string `yaml:"text"`
	Loop    string `yaml:"loop"` // sent after the text, as often as a model that goes in circles would
	Calls   []Call `yaml:"calls"`

	Chunks  int           `yaml:"chunks"` // bytes sent at a time, wherever they split; 0: whole events
	Deltas  int           `yaml:"deltas"` // characters a delta; 0: 12
	Delay   time.Duration `yaml:"delay"`  // before each event
	Style   Style         `yaml:"style"`
	Error   string        `yaml:"error"`    // message of an error event after the text, which ends the stream
	Finish  string        `yaml:"finish"`   // finish_reason; empty: stop or tool_calls; "none": none is sent
	NoDone  bool          `yaml:"no_done"`  // the stream ends without [DONE]
	NoUsage bool          `yaml:"no_usage"` // even if requested
	Fault   Fault         `yaml:"fault"`
}

// Call is a tool call. Arguments are sent as JSON, a string unchanged.
type Call struct {
	Name      string `yaml:"name"`
	Arguments any    `yaml:"arguments"`
}

// Style is how a server streams tool calls.
type Style string

// Styles seen in real servers.
const (
	IDFirst            Style = ""          // id and name first, then the arguments in pieces
	IDLast             Style = "late"      // arguments first, then the name, then the id
	RepeatedID         Style = "repeating" // id and name with every piece
	Unindexed          Style = "unindexed" // no numbers, each call whole
	ZeroIndex          Style = "zero"      // every call is number 0, whole
	WithoutID          Style = "nameless"  // no ids at all
	ZeroIndexWithoutID Style = "alike"     // every call is number 0 without an id, whole
)

// Read parses a script.
func Read(r io.Reader) (Script, error) {
	var s Script
	d := yaml.NewDecoder(r)
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil && !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("cannot read the script: %w", err)
	}
	return s, nil
}

var (
	placeholder = regexp.MustCompile(`\$([0-9]{1,2})`)
	uuids       = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
)

// withIDs returns the reply with turn ids in place of its placeholders.
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

// argumentText returns the arguments as they are sent.
func (c Call) argumentText() string {
	switch a := c.Arguments.(type) {
	case nil:
		return "{}"
	case string:
		return a
	}
	text, err := json.Marshal(c.Arguments)
	if err != nil {
		panic("agenttest: cannot encode arguments: " + err.Error())
	}
	return string(text)
}

// FoundTurns returns the distinct turn ids of the latest peek result in a request, in its order.
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

// matchLine matches the line of a peek result that names a match.
var matchLine = regexp.MustCompile(`^[0-9]+\. turn `)

func readAll(r *http.Request) ([]byte, error) {
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(r.Body, 64<<20))
	return b.Bytes(), err
}
