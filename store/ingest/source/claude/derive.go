package claude

import (
	"cmp"
	"path"
	"strings"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
)

// derive returns the attachments of a conversation and its artifacts, or the documents of a project, or memories. The
// export has the text of documents that were uploaded and of long texts from the clipboard; of other files it has the
// name alone.
func derive(c *store.Conversation) []chat.Derived {
	d := &deriver{Conversation: c}
	designed := false
	for i := range c.Messages {
		m := &c.Messages[i]
		if beside, ok := besideChats(c, m); ok {
			d.found = append(d.found, beside)
			continue
		}
		designed = designed || m.ContentType == designText
		d.edited = d.edited || chat.Mentions(m, `"artifacts"`, `"create_file"`, "antArtifact")
	}
	d.found = append(d.found, chat.Attachments(c, "attachments", `"extracted_content"`, attachment)...)
	if designed {
		d.found = append(d.found, chat.Attachments(c, "attachments", `"attachments"`, designAttachment)...)
	}
	if !d.edited {
		return d.found
	}
	return append(d.found, d.artifacts()...)
}

// deriver collects what derives from a conversation.
type deriver struct {
	*store.Conversation
	found  []chat.Derived // attachments, documents of a project, memories
	edited bool           // there may be artifacts

	edits     *chat.Edits
	presented map[string]bool // names of the files that a tool showed to the person
}

func attachment(r *chat.Cursor) (a chat.Derived) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "file_name":
			a.Name = r.String()
		case "file_type":
			a.MIME = r.String()
		case "extracted_content":
			a.Text = r.String()
		}
	})
	return a
}

// member calls visit before the value of a member of an object.
func member(r *chat.Cursor, name string, visit func()) {
	r.Object(func(each []byte) {
		if string(each) == name {
			visit()
		}
	})
}

// artifacts follows the calls that create and change artifacts.
func (d *deriver) artifacts() []chat.Derived {
	d.edits, d.presented = chat.NewEdits(d.Conversation), map[string]bool{}
	for i := range d.Messages {
		m := &d.Messages[i]
		d.edits.At(m)
		if m.Role != store.Assistant {
			continue
		}
		if chat.Mentions(m, "antArtifact") {
			d.inText(writtenText(m))
		}
		if chat.Mentions(m, `"tool_use"`) {
			r := chat.NewCursor(m.Raw)
			member(r, "content", func() { r.Array(func() { d.call(r) }) })
		}
	}
	var shown []chat.Derived
	for _, a := range d.edits.Derived() {
		if a.Name == "" || strings.HasPrefix(a.Name, outputs) || d.presented[path.Base(a.Name)] {
			if a.Name != "" {
				a.Name = path.Base(a.Name)
			}
			shown = append(shown, a)
		}
	}
	return shown
}

// outputs is the folder of the files that a person can see. Others are the tools' own, unless they are presented.
const outputs = "/mnt/user-data/outputs/"

// call follows one block of a message.
func (d *deriver) call(r *chat.Cursor) {
	var kind, tool string
	input := map[string]string{}
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.String()
		case "name":
			tool = r.String()
		case "input":
			r.Object(func(name []byte) {
				if string(name) == "filepaths" {
					for _, file := range r.Strings() {
						d.presented[path.Base(file)] = true
					}
					return
				}
				input[string(name)] = r.String()
			})
		}
	})
	switch {
	case kind != "tool_use":
	case tool == "artifacts" && input["id"] != "":
		d.artifact(input)
	case tool == "create_file" && input["path"] != "":
		a := d.file(input["path"])
		d.edits.Write(a, input["file_text"])
	case tool == "str_replace" && d.edits.Has(input["path"]):
		d.edits.Replace(d.file(input["path"]), input["old_str"], input["new_str"])
	}
}

func (d *deriver) file(name string) *chat.Edited {
	a := d.edits.Document(store.Artifact, name)
	a.Name, a.Title = name, path.Base(name)
	return a
}

func (d *deriver) artifact(input map[string]string) {
	switch input["command"] {
	case "create", "rewrite":
		d.edits.Write(d.named(input["id"], input["title"], input["type"]), input["content"])
	case "update":
		d.edits.Replace(d.named(input["id"], input["title"], input["type"]), input["old_str"], input["new_str"])
	}
}

// named returns an artifact. A later call may leave out its title and type.
func (d *deriver) named(key, title, mime string) *chat.Edited {
	a := d.edits.Document(store.Artifact, key)
	a.Title, a.MIME = cmp.Or(title, a.Title, key), cmp.Or(mime, a.MIME)
	return a
}

var attribute = lazyregexp.New(`([a-z]+)="([^"]*)"`)

// inText follows the artifacts in the text of an answer.
func (d *deriver) inText(text string) {
	for {
		_, e, after, found := cutArtifact(text)
		if !found {
			return
		}
		if id := e.attributes["identifier"]; id != "" {
			d.edits.Write(d.named(id, e.attributes["title"], e.attributes["type"]), strings.Trim(e.body, "\r\n"))
		}
		text = after
	}
}

// tagEnd returns the offset of the > that ends a tag, -1 for none. Values in quotation marks may have others.
func tagEnd(tag string) int {
	quoted := false
	for i := range len(tag) {
		switch {
		case tag[i] == '"':
			quoted = !quoted
		case tag[i] == '>' && !quoted:
			return i
		}
	}
	return strings.IndexByte(tag, '>')
}
