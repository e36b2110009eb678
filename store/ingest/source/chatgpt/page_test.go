package chatgpt

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"lens/internal/testenv"
	"lens/store/ingest/source"
	"lens/store/ingest/source/sourcetest"
)

// page returns a page like chat.html.
func page(json string) string {
	return `<html><head><style>[x] {}</style></head><body><script>
    // var json var jsonDat
    var jsonData = ` + json + `;
    var assetsJson = {"a": ["b"]}; function f(x) { return x[0] }</script></body></html>`
}

const tricky = `[{"id":"c1","title":"a ] \" [ \\","mapping":{"q":{"message":{"author":{"role":"user"},"content":{"parts":["Where \\\\"]}},"children":["a"]},"a":{"parent":"q","message":{"author":{"role":"assistant"},"content":{"parts":["}]; var"]}}}}},
	{"id":"c2","title":"Second","mapping":{}}]`

func TestPage(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Page, "chat.html", page(tricky))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{`a ] " [ \`, `undated "Where \\\\" -> "}]; var"`, "Second"})
	if !sourcetest.Matches(t, &Page, "chat.html", page(tricky)) || sourcetest.Matches(t, &Page, "notes.html", "<p>var jsonData</p>") {
		t.Error("pages are not told apart")
	}
	slow := testenv.Collect(t, PageConversations(iotest.OneByteReader(strings.NewReader(page(tricky)))))
	if len(slow) != 2 || slow[0].Hash != all[0].Hash {
		t.Error("read byte by byte, the page differs")
	}
}

// TestPage_IsTheExport: both files of an export hold the same.
func TestPage_IsTheExport(t *testing.T) {
	export := sourcetest.File(t, "testdata/conversations.json")
	want, left := sourcetest.Parse(t, &Format, "conversations.json", export)
	got, alsoLeft := sourcetest.Parse(t, &Page, "chat.html", page(export))
	if len(got) != len(want) || len(left) != len(alsoLeft) {
		t.Fatalf("%d conversations, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Hash != want[i].Hash {
			t.Errorf("conversation %d differs", i)
		}
	}
}

func TestPage_Errors(t *testing.T) {
	for data, want := range map[string]string{
		"<html></html>":               "the page has no conversations",
		"var jsonData = 7":            "the page has no conversations",
		`var jsonData = [{"id":"x"`:   "incomplete",
		page(`[{"id":"x",,"b":"c"}]`): "invalid JSON",
	} {
		var last error
		for _, err := range PageConversations(strings.NewReader(data)) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%s: got %v", want, last)
		}
	}
}

const saved = "---\ntitle: \"Rust\"\nsource: https://chatgpt.com/c/69051400-0000-8000-8000-0000000000C1\n---\n\n# Ignored\n\n" +
	"#### You:\n<time datetime=\"2025-10-31T19:56:13.8Z\">7:56 PM</time>\n\n  Why?\r\nSay.\n\n#### Plugin (web):\nsearching\n\n#### ChatGPT:\nWater.\n\n#### Not a message\n\nAir.\n\n#### You:\nWhy?\n"

func TestMarkdown(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Markdown, "ChatGPT-Rust.md", saved)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Rust",
		`2025-10-31T19:56:13.8Z "  Why?\nSay." -> "Water.\n\n#### Not a message\n\nAir."`,
		`2025-10-31T19:56:13.8Z "Why?" -> ""`,
	})
	if c := all[0]; c.SourceID != "chatgpt markdown 69051400-0000-8000-8000-0000000000c1" || len(c.Messages) != 4 {
		t.Errorf("got %s, %d messages", c.SourceID, len(c.Messages))
	}
	all, _ = sourcetest.Parse(t, &Markdown, "x.md", "# Tea\n#### You:\nHot?\n#### ChatGPT:\nYes.\n")
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"Tea", `undated "Hot?" -> "Yes."`})
	for _, front := range []string{"--- \r\ntitle: Rust\r\ntags:\r\n  - source: x\r\n---\t\r\n", "\uFEFF---\ntitle: Rust\n---\n"} {
		all, _ = sourcetest.Parse(t, &Markdown, "x.md", front+"#### You:\nHot?\n#### ChatGPT:\nYes.\n")
		sourcetest.Equal(t, sourcetest.Outline(all), []string{"Rust", `undated "Hot?" -> "Yes."`})
	}
	if _, skipped := sourcetest.Parse(t, &Markdown, "x.md", "# Tea\n"); fmt.Sprint(skipped) != "[no messages]" {
		t.Errorf("left out %q", skipped)
	}
}

// TestMarkdown_Notes has notes that quote a chat, or look a little like one.
func TestMarkdown_Notes(t *testing.T) {
	const said = "#### You:\nHot?\n\n#### ChatGPT:\nYes.\n"
	for _, is := range []string{
		said, "\uFEFF\n# Tea\r\n\r\n" + said, "---\na: b\n---\n" + said,
		"---\r\ntags:\r\n  - tea\r\n- hot\r\n\r\ncreate-time: 2025\r\n--- \r\n" + said, "# Tea\n#### ChatGPT:\nHello.\n" + said,
	} {
		if !sourcetest.Matches(t, &Markdown, "x.md", is) {
			t.Errorf("%q does not match", is)
		}
	}
	for _, note := range []string{
		"My favorite chat:\n\n" + said, "# Tea\n\nSaid of it:\n" + said, "---\na: b\n\n" + said, "# Tea\n## Said\n" + said,
		"```\n" + said + "```\n", "> " + said, "# Tea\n#### You:\nHot?\n", "#### You:\n#### Me:\nChatGPT:\n", "#### You: and me\n" + said,
		"---\n\nMy own thoughts about tea.\n\n---\n\n" + said, "---\ntea: hot\nand my own thoughts: milk\n---\n" + said,
		"---\n- tea: hot\n---\n" + said, "---\nhttps://tea.example\n---\n" + said, "---\n---\nTea.\n---\n" + said,
	} {
		if sourcetest.Matches(t, &Markdown, "x.md", note) {
			t.Errorf("%q matches", note)
		}
	}
}

// TestMarkdown_BesideTheExport: folded with the export's, its messages would be in the same conversation once more.
func TestMarkdown_BesideTheExport(t *testing.T) {
	const id = "69051400-0000-8000-8000-0000000000c1"
	exported, _ := sourcetest.Parse(t, &Format, "conversations.json", `[{"id":"`+id+`","title":"Rust","mapping":{
		"q":{"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["Why?"]}}}}}]`)
	renamed, _ := sourcetest.Parse(t, &Markdown, "x.md", strings.Replace(saved, `"Rust"`, `"Iron"`, 1))
	all, _ := sourcetest.Parse(t, &Markdown, "x.md", saved)
	if exported[0].ID.String() != id || all[0].ID == exported[0].ID || all[0].ID != renamed[0].ID {
		t.Errorf("got %s, renamed %s, exported %s", all[0].ID, renamed[0].ID, exported[0].ID)
	}
}

func TestMarkdown_Grown(t *testing.T) {
	sourcetest.Grown(t, &Markdown, "x.md", saved, saved+"\n#### ChatGPT:\nBecause.\n\n#### You:\nWhy?\n")
}

func TestConversations_SharedFixtures(t *testing.T) {
	for variant, format := range map[string]*source.Format{
		"chatgpt_exporter_json": &Format, "chatgpt_exporter_zipmember": &Format,
		"chatgpt_exporter_md": &Markdown, "chatgpt_html": &Page,
	} {
		sourcetest.Fixture(t, format, variant)
	}
}

func FuzzPage(f *testing.F) { sourcetest.Fuzz(f, &Page, "chat.html", page(tricky), page("[]")) }

func FuzzMarkdown(f *testing.F) {
	sourcetest.Fuzz(f, &Markdown, "x.md", saved, "#### You:\n\n#### ChatGPT:\n")
}

func BenchmarkPage(b *testing.B) {
	data := []byte(page(string(scaledExport(export(b), 32<<20))))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for _, err := range PageConversations(bytes.NewReader(data)) {
			_ = err
		}
	}
}
