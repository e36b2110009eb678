package chatgpt

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

// parseMessage parses a conversation of a question and one message, so that an answer belongs to a turn.
func parseMessage(t *testing.T, message string) (*chat.Parsed, store.Message) {
	t.Helper()
	file := `{"id":"c","mapping":{"r":{"message":null},"q":{"parent":"r","message":{"id":"q","author":{"role":"user"},"content":{"content_type":"text","parts":["?"]}}},` +
		`"m":{"parent":"q","message":` + message + `}},"current_node":"m"}`
	if !json.Valid([]byte(file)) {
		t.Fatalf("the test's own JSON is wrong: %s", file)
	}
	p := parseAll(t, []byte(file))[0]
	if len(p.Messages) != 2 {
		t.Fatalf("%d messages", len(p.Messages))
	}
	return p, p.Messages[1]
}

// messageJSON returns a message of role with content, as JSON.
func messageJSON(role, content string, more ...string) string {
	return fmt.Sprintf(`{"id":"m","author":{"role":%q},"content":%s%s}`, role, content, strings.Join(more, ""))
}

func TestConversations_ContentKinds(t *testing.T) {
	const hidden, shown = false, true
	for name, c := range map[string]struct {
		message string
		text    string
		visible bool
	}{
		"text":                      {messageJSON("assistant", `{"content_type":"text","parts":["Hello"]}`), "Hello", shown},
		"text in several parts":     {messageJSON("assistant", `{"content_type":"text","parts":["part one ","","part two"]}`), "part one part two", shown},
		"parts without a gap":       {messageJSON("assistant", `{"content_type":"text","parts":["one","two"]}`), "one\ntwo", shown},
		"text without a type":       {messageJSON("assistant", `{"parts":["Hello"]}`), "Hello", shown},
		"content that is a string":  {messageJSON("assistant", `"Hello"`), "Hello", shown},
		"an empty answer":           {messageJSON("assistant", `{"content_type":"text","parts":[""]}`), "", hidden},
		"no parts":                  {messageJSON("assistant", `{"content_type":"text","parts":[]}`), "", hidden},
		"parts null":                {messageJSON("assistant", `{"content_type":"text","parts":null}`), "", hidden},
		"content null":              {messageJSON("assistant", `null`), "", hidden},
		"an empty question":         {messageJSON("user", `{"content_type":"text","parts":[""]}`), "", shown},
		"an object among the parts": {messageJSON("user", `{"content_type":"text","parts":[{"text":"typed"},"more"]}`), "typed\nmore", shown},

		"a picture with words":      {messageJSON("user", `{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"sediment://f"},"What is it?"]}`), "What is it?", shown},
		"a picture alone":           {messageJSON("user", `{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://f"}]}`), "[image]", shown},
		"a file alone":              {messageJSON("user", `{"content_type":"text","parts":[""]}`, `,"metadata":{"attachments":[{"id":"f","name":"tax.pdf"},{"name":"b.csv"}]}`), "[file: tax.pdf]\n[file: b.csv]", shown},
		"a voice":                   {messageJSON("user", `{"content_type":"multimodal_text","parts":[{"content_type":"audio_transcription","text":"spoken"},{"content_type":"audio_asset_pointer","asset_pointer":"x","metadata":{"start":0,"end":1}}]}`), "spoken", shown},
		"a voice without words":     {messageJSON("user", `{"content_type":"multimodal_text","parts":[{"content_type":"audio_asset_pointer"}]}`), "[audio]", shown},
		"a video call":              {messageJSON("user", `{"content_type":"multimodal_text","parts":[{"content_type":"real_time_user_audio_video_asset_pointer","audio_asset_pointer":{"content_type":"audio_asset_pointer"},"frames_asset_pointers":[]}]}`), "[video]", shown},
		"a film":                    {messageJSON("user", `{"content_type":"multimodal_text","parts":[{"content_type":"video_container_asset_pointer"}]}`), "[video]", shown},
		"output inside an answer":   {messageJSON("assistant", `{"content_type":"multimodal_text","parts":[{"content_type":"code_interpreter_output","output":"42"},"It is 42."]}`), "It is 42.", shown},
		"output from a tool":        {messageJSON("tool", `{"content_type":"multimodal_text","parts":[{"content_type":"code_interpreter_output","output":"42"}]}`), "42", hidden},
		"a document as JSON":        {messageJSON("assistant", `{"content_type":"text","parts":["{\"name\":\"x\",\"type\":\"code/python\",\"content\":\"print(1)\"}"]}`), "print(1)", shown},
		"JSON that a person pasted": {messageJSON("user", `{"content_type":"text","parts":["{\"type\":\"code/python\",\"content\":\"print(1)\"}"]}`), `{"type":"code/python","content":"print(1)"}`, shown},

		"code for a tool":                       {messageJSON("assistant", `{"content_type":"code","language":"unknown","text":"1+1"}`, `,"recipient":"python"`), "1+1", hidden},
		"code for the user":                     {messageJSON("assistant", `{"content_type":"code","language":"go","text":"x := 1\n"}`, `,"recipient":"all"`), "```go\nx := 1\n```", shown},
		"a canvas":                              {messageJSON("assistant", `{"content_type":"code","language":"json","text":"{\"name\":\"Doc\",\"type\":\"document\",\"content\":\"Dear heron\"}"}`, `,"recipient":"canmore.create_textdoc"`), "Dear heron", hidden},
		"a canvas in parts":                     {messageJSON("assistant", `{"content_type":"text","parts":["{\"name\":\"Doc\",\"type\":\"document\",\"content\":\"Dear heron\"}"]}`, `,"recipient":"canmore.create_textdoc"`), "Dear heron", hidden},
		"a prompt for a picture":                {messageJSON("assistant", `{"content_type":"text","parts":["{\"prompt\":\"a heron\"}"]}`, `,"recipient":"dalle.text2im"`), `{"prompt":"a heron"}`, hidden},
		"output of code":                        {messageJSON("tool", `{"content_type":"execution_output","text":"5050"}`), "5050", hidden},
		"a screen":                              {messageJSON("tool", `{"content_type":"computer_output","computer_id":"1"}`), "", hidden},
		"citable output":                        {messageJSON("tool", `{"content_type":"citable_code_output","output_str":"rows"}`), "rows", hidden},
		"an error":                              {messageJSON("tool", `{"content_type":"system_error","name":"tool_error","text":"robots.txt"}`), "tool_error\nrobots.txt", hidden},
		"a quotation":                           {messageJSON("tool", `{"content_type":"tether_quote","text":"quote","url":"https://u.example","title":"T"}`), "T\nhttps://u.example\nquote", hidden},
		"browsing display":                      {messageJSON("tool", `{"content_type":"tether_browsing_display","result":"NOISE","summary":"short"}`), "short", hidden},
		"a scraped page":                        {messageJSON("tool", `{"content_type":"sonic_webpage","title":"T","url":"https://u.example","text":"LONG"}`), "T\nhttps://u.example", hidden},
		"thoughts":                              {messageJSON("assistant", `{"content_type":"thoughts","thoughts":[{"summary":"S","content":"C"},{"content":"D"}]}`), "S\nC\n\nD", hidden},
		"reasoning recap":                       {messageJSON("assistant", `{"content_type":"reasoning_recap","content":"Thought for 12s"}`), "Thought for 12s", hidden},
		"custom instructions":                   {messageJSON("user", `{"content_type":"user_editable_context","user_profile":"P","user_instructions":"I"}`), "P\nI", hidden},
		"custom instructions in older metadata": {messageJSON("system", `{"content_type":"text","parts":[""]}`, `,"metadata":{"is_user_system_message":true,"user_context_message_data":{"about_user_message":"P"}}`), "", hidden},
		"custom instructions, older":            {messageJSON("user", `{"content_type":"user_editable_context"}`, `,"metadata":{"user_context_message_data":{"about_user_message":"P","about_model_message":"I"}}`), "P\nI", hidden},
		"memory":                                {messageJSON("assistant", `{"content_type":"model_editable_context","model_set_context":"M"}`), "M", hidden},

		"a hidden message":                       {messageJSON("user", `{"parts":["x"]}`, `,"metadata":{"is_visually_hidden_from_conversation":true}`), "x", hidden},
		"a hidden context":                       {messageJSON("user", `{"parts":["x"]}`, `,"metadata":{"is_user_system_message":true}`), "x", hidden},
		"a system message":                       {messageJSON("system", `{"parts":["x"]}`), "x", hidden},
		"a tool message":                         {messageJSON("tool", `{"parts":["x"]}`), "x", hidden},
		"a function message":                     {messageJSON("function", `{"parts":["x"]}`), "x", hidden},
		"tool output under the assistant's role": {messageJSON("assistant", `{"parts":["x"]}`, `,"metadata":{"real_author":"tool:web.run"}`), "x", hidden},
		"the same in the author's metadata":      {`{"id":"m","author":{"role":"assistant","metadata":{"real_author":"tool:web"}},"content":{"parts":["x"]}}`, "x", hidden},
		"weight zero":                            {messageJSON("user", `{"parts":["x"]}`, `,"weight":0.0`), "x", hidden},
		"weight one":                             {messageJSON("user", `{"parts":["x"]}`, `,"weight":1`), "x", shown},
		"weight null":                            {messageJSON("user", `{"parts":["x"]}`, `,"weight":null`), "x", shown},
		"recipient null":                         {messageJSON("assistant", `{"parts":["x"]}`, `,"recipient":null`), "x", shown},
		"a preamble":                             {messageJSON("assistant", `{"parts":["x"]}`, `,"channel":"commentary"`), "x", hidden},
		"a final answer":                         {messageJSON("assistant", `{"parts":["x"]}`, `,"channel":"final"`), "x", shown},
		"markers in an answer":                   {messageJSON("assistant", `{"parts":["So \ue200cite\ue202turn0search0\ue201."]}`), "So.", shown},
		"markers in a question stay":             {messageJSON("user", `{"parts":["So【5†source】."]}`), "So【5†source】.", shown},

		"fields of the wrong kind": {`{"id":"m","author":{"role":"user","name":7,"metadata":[]},"create_time":{},"weight":"x","recipient":[],"channel":{},"metadata":"no","content":{"content_type":"text","parts":"no list"}}`, "", shown},
		"no author":                {`{"id":"m","content":{"parts":["x"]}}`, "x", hidden},
		"no content":               {`{"id":"m","author":{"role":"user"}}`, "", shown},
	} {
		t.Run(name, func(t *testing.T) {
			p, m := parseMessage(t, c.message)
			if m.Text != c.text || m.Visible != c.visible {
				t.Errorf("got %q, visible: %t; want %q, %t", m.Text, m.Visible, c.text, c.visible)
			}
			if string(m.Raw) != c.message {
				t.Errorf("raw is %s", m.Raw)
			}
			if len(p.Count.UnknownContent) > 0 {
				t.Errorf("unknown: %v", p.Count.UnknownContent)
			}
		})
	}
}

func TestConversations_UnknownContent(t *testing.T) {
	for name, c := range map[string]struct {
		message string
		text    string
		visible bool
		counted string
	}{
		"a question":                    {messageJSON("user", `{"content_type":"hologram","parts":["beam me"]}`), "beam me", true, "hologram"},
		"a question of an unknown kind": {messageJSON("user", `{"content_type":"hologram","rays":[1,2]}`), "", true, "hologram"},
		"an answer of an unknown kind":  {messageJSON("assistant", `{"content_type":"hologram","rays":[1,2]}`), "", false, "hologram"},
		"browsing code":                 {messageJSON("assistant", `{"content_type":"tether_browsing_code","text":"x"}`), "", false, "tether_browsing_code"},
		"a computer's state":            {messageJSON("tool", `{"content_type":"computer_initialize_state"}`), "", false, "computer_initialize_state"},
		"a part":                        {messageJSON("user", `{"content_type":"multimodal_text","parts":["see",{"content_type":"smell_pointer"}]}`), "see", true, "smell_pointer"},
	} {
		t.Run(name, func(t *testing.T) {
			p, m := parseMessage(t, c.message)
			if m.Text != c.text || m.Visible != c.visible || !maps.Equal(p.Count.UnknownContent, map[string]int{c.counted: 1}) {
				t.Errorf("got %q, visible: %t, unknown %v", m.Text, m.Visible, p.Count.UnknownContent)
			}
		})
	}
}

func TestConversations_MessageFields(t *testing.T) {
	p, m := parseMessage(t, messageJSON("assistant", `{"parts":["x"]}`, `,"create_time":1772355600.25,"metadata":{"turn_summary":"in short","model_slug":"gpt-5-2"}`))
	turn := p.Turns[0]
	if m.Summary != "in short" || turn.Summary != "in short" || m.Model != "gpt-5-2" || turn.Model != "gpt-5-2" || m.ContentType != "text" {
		t.Errorf("message %q %q %q, turn %q %q", m.Summary, m.Model, m.ContentType, turn.Summary, turn.Model)
	}
	if want := time.Date(2026, 3, 1, 9, 0, 0, 250e6, time.UTC); !m.Time.Equal(want) {
		t.Errorf("time is %v, want %v", m.Time, want)
	}
	if _, m = parseMessage(t, messageJSON("assistant", `{"parts":["x"]}`, `,"create_time":null,"update_time":1772355600`)); m.Time.Year() != 2026 {
		t.Errorf("without a creation time: %v", m.Time)
	}
	if _, m = parseMessage(t, messageJSON("assistant", `{"parts":["x"]}`, `,"create_time":"2026-03-01T09:00:00Z"`)); m.Time.Year() != 2026 {
		t.Errorf("ISO: %v", m.Time)
	}
}
