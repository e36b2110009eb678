package librechat

import (
	"testing"

	"lens/store/ingest/source/sourcetest"
)

// TestDerive_Attachments: the text of a file belongs to its question; a picture has none.
func TestDerive_Attachments(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "x.json", `{"conversationId":"x","messages":[
		{"messageId":"a","isCreatedByUser":true,"text":"What is in it?","files":[
			{"filename":"crumb.jpg","type":"image/jpeg","width":3},
			{"filename":"rye.md","type":"text/markdown","text":"# Rye\n\nSour."},3]},
		{"messageId":"b","parentMessageId":"a","text":"Rye."}]}`)
	for _, d := range all[0].Derived {
		if d.Turn != all[0].Turns[0].ID || d.From != all[0].Messages[0].ID {
			t.Errorf("%s belongs to %s of %s", d.Key, d.From, d.Turn)
		}
	}
	sourcetest.Equal(t, sourcetest.Derived(all), []string{`attachment a/1 "rye.md" text/markdown: "# Rye\n\nSour."`})
}
