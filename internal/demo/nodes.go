package demo

import (
	"fmt"
	"strings"
)

// root writes the root node, which has no message, and sometimes the user's custom instructions, which the client never
// shows.
func (w *writer) root() {
	w.add(nil)
	if w.slim || !w.chance(20) {
		return
	}
	hidden := fields{"is_visually_hidden_from_conversation": true}
	w.add(&message{Author: author{Role: "system"}, Content: textContent(""), Metadata: hidden})
	w.add(&message{
		Author: author{Role: "user"},
		Content: fields{
			"content_type": "user_editable_context", "user_profile": "I work with data, I run, and I bake too much bread.",
			"user_instructions": "Be brief and warm. Tell me when you are not sure.",
		},
		Metadata: fields{"is_visually_hidden_from_conversation": true, "is_user_system_message": true},
	})
}

// add appends a node with message m below the last one.
func (w *writer) add(m *message) {
	n := node{ID: w.id()}
	if m != nil {
		n.Message = w.finish(m, n.ID)
	}
	if w.last != "" {
		parent := w.last
		n.Parent = &parent
	}
	if !w.slim {
		n.Children = &[]string{}
		if above, ok := w.nodes[w.last]; ok {
			*above.Children = append(*above.Children, n.ID)
		}
	}
	w.nodes[n.ID] = n
	w.last = n.ID
}

// finish fills in the members that every message has.
func (w *writer) finish(m *message, id string) *message {
	m.ID = id
	if m.Author.Role != "system" {
		at := seconds(w.now)
		m.Created = &at
	}
	if w.slim {
		return m
	}
	weight, ends := 1.0, m.Author.Role == "assistant" && m.Recipient == ""
	m.Status, m.Weight = "finished_successfully", &weight
	if ends {
		m.EndTurn = &ends
	}
	if m.Recipient == "" {
		m.Recipient = "all"
	}
	if m.Metadata == nil {
		m.Metadata = fields{}
	}
	return m
}

// addQuestion writes a question: typed, spoken, or about a picture.
func (w *writer) addQuestion(text, photo string) {
	m := &message{Author: author{Role: "user"}, Content: textContent(text)}
	switch {
	case photo != "":
		w.attach(m, text, photo)
	case w.chance(2):
		m.Content = fields{"content_type": "multimodal_text", "parts": []any{
			fields{"content_type": "audio_transcription", "text": text, "direction": "in"},
			fields{"content_type": "audio_asset_pointer", "asset_pointer": "sediment://" + w.photoID(), "format": "wav"},
		}}
		m.Metadata = fields{"voice_mode_message": true}
	}
	w.add(m)
}

// attach adds a picture to a question.
func (w *writer) attach(m *message, text, photo string) {
	id := w.photoID()
	m.Content = fields{"content_type": "multimodal_text", "parts": []any{
		fields{
			"content_type": "image_asset_pointer", "asset_pointer": "sediment://" + id,
			"size_bytes": w.between(90_000, 900_000), "width": 1536, "height": 1152,
		},
		text,
	}}
	m.Metadata = fields{"attachments": []any{fields{"id": id, "name": photo, "mime_type": "image/jpeg"}}}
}

// addThoughts writes the thoughts of a reasoning model. They are not part of the answer.
func (w *writer) addThoughts() {
	if !thinks(w.model) || !w.chance(60) {
		return
	}
	w.wait(2, 6)
	w.add(&message{Author: author{Role: "assistant"}, Content: fields{"content_type": "thoughts", "thoughts": []any{
		fields{
			"summary":  "Looking at the question",
			"content":  "What is asked, what is known from before, and what would help most.",
			"finished": true,
		},
	}}})
	w.add(&message{Author: author{Role: "assistant"}, Content: fields{
		"content_type": "reasoning_recap", "content": fmt.Sprintf("Thought for %d seconds", w.between(3, 40)),
	}})
}

// addWebSearch writes a web search, if the exchange has one.
func (w *writer) addWebSearch(e *exchange) {
	site, page, ok := strings.Cut(e.search, "|")
	if !ok {
		return
	}
	w.wait(1, 3)
	w.add(&message{
		Author: author{Role: "assistant"}, Recipient: "web.run",
		Content: fields{"content_type": "code", "language": "unknown", "text": fmt.Sprintf("search(%q)", page)},
	})
	w.wait(1, 4)
	tool := "web.run"
	w.add(&message{
		Author:  author{Role: "tool", Name: &tool},
		Content: fields{"content_type": "tether_browsing_display", "result": "", "summary": site + ": " + page},
	})
}

// addCodeRun writes a run of the code interpreter, if the exchange has one.
func (w *writer) addCodeRun(e *exchange) {
	if e.run[0] == "" || w.slim || !w.chance(50) {
		return
	}
	w.wait(1, 5)
	w.add(&message{
		Author: author{Role: "assistant"}, Recipient: "python",
		Content: fields{"content_type": "code", "language": "python", "text": e.run[0]},
	})
	w.wait(1, 2)
	tool := "python"
	w.add(&message{
		Author: author{Role: "tool", Name: &tool}, Content: fields{"content_type": "execution_output", "text": e.run[1]},
		Metadata: fields{"aggregate_result": fields{"status": "success"}},
	})
}

// addAnswer writes an answer. It cites the web search with the marks that the web client puts into the text.
func (w *writer) addAnswer(text, search string) {
	m := &message{Author: author{Role: "assistant"}, Metadata: fields{"model_slug": w.model}}
	if search != "" {
		site, page, _ := strings.Cut(search, "|")
		mark := "\ue200cite\ue202turn0search0\ue201"
		text += " " + mark
		m.Metadata = fields{"model_slug": w.model, "content_references": []any{fields{
			"matched_text": mark, "type": "grouped_webpages",
			"items": []any{fields{"title": page, "url": "https://example.org/" + site, "attribution": "example.org"}},
		}}}
	}
	m.Content = textContent(text)
	w.add(m)
}
