package chatgpt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lens/store"
)

// part is one element of a content's parts.
type part struct {
	text        string
	placeholder string // for a part without text: "image", "audio", "video"
	output      bool   // output of the code interpreter
	unknown     string // the kind of the part if Lens does not know it
}

func (r *reader) parts() []part {
	all := []part{}
	r.Array(func() {
		switch {
		case r.Is('"'):
			all = append(all, part{text: r.String()})
		case r.Is('{'):
			all = append(all, r.objectPart())
		}
	})
	return all
}

func (r *reader) objectPart() part {
	var kind, words, output string
	r.Object(func(name []byte) {
		switch string(name) {
		case "content_type":
			kind = r.String()
		case "text":
			words = r.String()
		case "output":
			output = r.String()
		}
	})
	switch kind {
	case "image_asset_pointer":
		return part{placeholder: "image"}
	case "audio_asset_pointer":
		return part{placeholder: "audio"}
	case "real_time_user_audio_video_asset_pointer", "video_container_asset_pointer":
		return part{placeholder: "video"}
	case "audio_transcription", "text", "":
		return part{text: words}
	case "code_interpreter_output":
		return part{text: output, output: true}
	}
	return part{text: words, unknown: kind}
}

// prose returns the text of m's parts. A message without text gets placeholders such as "[image]" or "[file: a.pdf]",
// so that it can be recognized in a list.
func (r *reader) prose(m *message) string {
	parts := m.content.parts
	for i := range parts {
		if parts[i].unknown != "" {
			r.draft.Count.Unknown(parts[i].unknown)
		}
		if parts[i].output && m.Role != store.Tool {
			parts[i].text = ""
		}
		if m.Role == store.Assistant {
			if document, ok := canvas(parts[i].text); ok {
				parts[i].text = document
			}
		}
	}
	if words := joinParts(parts); strings.TrimSpace(words) != "" {
		return words
	}
	return placeholders(m)
}

// joinParts concatenates parts, with line breaks between those that no white space separates.
func joinParts(parts []part) string {
	if len(parts) == 1 {
		return parts[0].text
	}
	var b strings.Builder
	last := ' '
	for _, p := range parts {
		if p.text == "" {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(p.text); !unicode.IsSpace(last) && !unicode.IsSpace(first) {
			b.WriteByte('\n')
		}
		b.WriteString(p.text)
		last, _ = utf8.DecodeLastRuneInString(p.text)
	}
	return b.String()
}

func placeholders(m *message) string {
	var all []string
	if m.Role == store.User && !m.meta.hidden {
		for _, name := range m.meta.attachments {
			if name != "" {
				all = append(all, "[file: "+name+"]")
			}
		}
	}
	if len(all) > 0 {
		return strings.Join(all, "\n")
	}
	for _, p := range m.content.parts {
		if p.placeholder != "" {
			all = append(all, "["+p.placeholder+"]")
		}
	}
	return strings.Join(all, "\n")
}
