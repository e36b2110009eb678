package grok

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"lens/store/ingest/chat"
	"lens/store/ingest/source/sourcetest"
)

// TestAssets: the text of an uploaded file belongs to its question. A file of another kind is counted; one
// that an export does not have, or has elsewhere, is not.
func TestAssets(t *testing.T) {
	export := `{"conversations":[{"conversation":{"id":"c","title":"C"},"responses":[
		{"response":{"_id":"r1","message":"Which?","sender":"human","file_attachments":["tides","photo","gone","../up","tides"]}},
		{"response":{"_id":"r2","message":"This.","sender":"ASSISTANT","parent_response_id":"r1","file_attachments":[]}}]}]}`
	in := "data/x/" + assetFolder + "/"
	all := sourcetest.ReadWith(t, &Format, "data/x/"+name, export, sourcetest.Companions{
		in + "tides/content": "tide;height\n1;3.2\n", in + "photo/content": "\xff\xd8\x00", "data/x/up/content": "no",
	})
	sourcetest.Equal(t, sourcetest.Derived(all), []string{
		`attachment r1/0 "tides" : "tide;height\n1;3.2\n"`, `attachment r1/1 "tides" : "tide;height\n1;3.2\n"`,
	})
	if d := all[0].Derived[0]; d.Turn != all[0].Turns[0].ID || d.From != all[0].Messages[0].ID {
		t.Errorf("it belongs to %s of %s", d.From, d.Turn)
	}
	if c := all[0].Count; !maps.Equal(c.UnknownContent, map[string]int{"attachment that is not text": 1}) || c.Truncated != 0 {
		t.Errorf("got %+v", c)
	}
}

// TestAssets_Long cuts a long text between two characters, and says so.
func TestAssets_Long(t *testing.T) {
	export := `[{"conversation":{"id":"c"},"responses":[{"_id":"r1","message":"Q","sender":"human","file_attachments":["a"]}]}]`
	all := sourcetest.ReadWith(t, &Format, name, export, sourcetest.Companions{
		assetFolder + "/a/content": "x" + strings.Repeat("é", chat.MaxText/2),
	})
	if d := all[0].Derived; len(d) != 1 || len(d[0].Text) != chat.MaxText-1 || all[0].Count.Truncated != 1 {
		t.Errorf("%d texts, counted %+v", len(d), all[0].Count)
	}
}

// countedFolder counts the files that are opened.
type countedFolder struct {
	sourcetest.Companions
	opened int
}

func (c *countedFolder) Open(name string) (io.ReadCloser, error) {
	c.opened++
	return c.Companions.Open(name)
}

// TestAssets_NamedAgain: JSON that names a long file again and again takes no memory for each. What is left out counts.
func TestAssets_NamedAgain(t *testing.T) {
	const names, messages = 100, 40
	beside := &countedFolder{Companions: sourcetest.Companions{assetFolder + "/a/content": strings.Repeat("x", chat.MaxText)}}
	uploaded := &assets{folder: beside}
	message := `{"_id":"r%d","message":"Q","sender":"human","file_attachments":[%s]}`
	all := []string{fmt.Sprintf(message, 0, `"a"`+strings.Repeat(`,"a"`, names-1))}
	for i := range messages {
		all = append(all, fmt.Sprintf(message, i+1, `"a"`))
	}
	export := `{"conversation":{"id":"c"},"responses":[` + strings.Join(all, ",") + `]}`
	p, skip := decode([]byte(export), uploaded)
	if skip != nil {
		t.Fatal(skip)
	}
	most := maxUploaded / chat.MaxText
	if n := len(p.Derived); n > most || beside.opened > most || p.Count.Truncated != names+messages-n {
		t.Errorf("%d texts of %d that were read, %d counted as cut; at most %d", n, beside.opened, p.Count.Truncated, most)
	}
	size := 0
	for i := range p.Messages {
		size += len(p.Messages[i].Raw)
	}
	if size > maxUploaded+(messages+1)<<10 {
		t.Errorf("%d bytes of JSON", size)
	}
}
