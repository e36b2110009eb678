package chat

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Beside is a text that an export keeps in a file of its own, beside the conversation that it belongs to.
type Beside struct {
	ID, Text    string
	Title, Type string // "": unknown
}

// besideTexts is the member of a message's raw JSON that has such texts. A message is all that an archive keeps.
const besideTexts = "lens_beside"

// AddBeside returns the raw JSON of a message, an object, with texts as one more member, as many as MaxRaw allows, and
// how many were left out.
func AddBeside(raw []byte, texts []Beside) (with []byte, left int) {
	body, isObject := bytes.CutSuffix(bytes.TrimSpace(raw), []byte("}"))
	if !isObject || len(texts) == 0 {
		return raw, len(texts)
	}
	with = bytes.Clone(body)
	if len(bytes.TrimSpace(body)) > len("{") {
		with = append(with, ',')
	}
	with = append(with, `"`+besideTexts+`":[`...)
	first := true
	for _, t := range texts {
		one := t.json()
		if len(with)+len(one) > MaxRaw-len(`,]}`) {
			left++
			continue
		}
		if !first {
			with = append(with, ',')
		}
		with, first = append(with, one...), false
	}
	if first {
		return raw, left
	}
	return append(with, "]}"...), left
}

func (t *Beside) json() []byte {
	one := []byte("{")
	for _, member := range [][2]string{{"id", t.ID}, {"title", t.Title}, {"type", t.Type}, {"text", t.Text}} {
		if member[1] == "" {
			continue
		}
		if len(one) > len("{") {
			one = append(one, ',')
		}
		one, _ = jsontext.AppendQuote(append(one, `"`+member[0]+`":`...), Clean(member[1])) // invalid UTF-8 alone fails
	}
	return append(one, '}')
}

// BesideIn returns the texts that AddBeside added to the raw JSON of a message.
func BesideIn(raw []byte) (all []Beside) {
	if !bytes.Contains(raw, []byte(`"`+besideTexts+`"`)) {
		return nil
	}
	c := NewCursor(raw)
	c.Object(func(name []byte) {
		if string(name) != besideTexts {
			return
		}
		c.Array(func() {
			var t Beside
			c.Object(func(name []byte) {
				switch string(name) {
				case "id":
					t.ID = c.String()
				case "title":
					t.Title = c.String()
				case "type":
					t.Type = c.String()
				case "text":
					t.Text = c.String()
				}
			})
			all = append(all, t)
		})
	})
	return all
}
