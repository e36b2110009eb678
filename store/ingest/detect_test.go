package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest"
)

const session = `{"type":"user","uuid":"0f0e0d0c-0000-4000-8000-000000000001","sessionId":"s","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/x","message":{"role":"user","content":"Why is the sky blue?"}}
{"type":"assistant","uuid":"0f0e0d0c-0000-4000-8000-000000000002","parentUuid":"0f0e0d0c-0000-4000-8000-000000000001","sessionId":"s","timestamp":"2026-01-03T03:04:05.000Z","message":{"role":"assistant","content":[{"type":"text","text":"It scatters."}]}}
`

// Each kind of path: what it is, how much is in it, what is passed over and what is wrong with it.
func TestDetect(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"export/conversations-000.json": asJSON(t, []chat{heron()}),
		"export/conversations-002.json": asJSON(t, []any{silent(), nil}),
		"export/a.png":                  "", "export/note.md": "a note",
		"tools/projects/s.jsonl": session, "tools/projects/t.jsonl": strings.ReplaceAll(session, "0f0e", "1f1e"),
		"tools/chat.json": asJSON(t, []chat{heron()}),
		"notes/a.md":      "# A\nSome words.", "notes/b.md": "", "notes/c.csv": "1",
		"notes/rows.jsonl": "{\"id\":\"1\",\"text\":\"A record.\"}\n",
		"rows.jsonl":       "{\"id\":\"1\",\"text\":\"A record.\"}\nx\n",
		"silent.json":      asJSON(t, []any{silent()}),
		"books/a.epub":     "PK",
		"empty.json":       "",
	})
	for path, want := range map[string]string{
		"export":      "ChatGPT 2 files 2 entries 2 turns map[null:1] 2023; passed over map[.md:1 .png:1], 1 documents, missing 1",
		"tools":       "ChatGPT 1 files 1 entries 2 turns map[] 2023; Claude Code 2 files 1 entries 2 turns map[] 2026",
		"notes":       "chunks 1 files 1 entries 1 turns map[]; documents 2 files 1 entries 1 turns map[without text:1] 2024; passed over map[.csv:1], 0 documents, missing 0",
		"rows.jsonl":  "chunks 1 files 1 entries 1 turns map[line that is not JSON:1]",
		"silent.json": "ChatGPT 1 files 1 entries 0 turns map[]; error: 1 conversation with 1 message, but no question",
		"books":       "passed over map[.epub:1], 0 documents, missing 0; error: nothing to import in this folder: no export and no documents, but 1 .epub",
		"empty.json":  "error: the file is empty",
		"gone.zip":    "error: no such file or folder",
	} {
		t.Run(path, func(t *testing.T) {
			at := filepath.Join(dir, path)
			found, err := ingest.Detect(t.Context(), []string{at}, ingest.Options{})
			if len(found) != 1 {
				t.Fatalf("found %v, %v", found, err)
			}
			if got := detectedText(&found[0]); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if (err != nil) != strings.Contains(want, "error: ") || err != nil && errs.First(err).Hint == "" {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// detectedText describes a path in a line, and leaves out what is empty.
func detectedText(d *ingest.Detected) string {
	var facts []string
	for _, f := range d.Formats {
		fact := fmt.Sprintf("%s %d files %d entries %d turns %v", f.Name, f.Files, f.Entries, f.Turns, f.Skipped)
		if f.First != nil {
			fact += f.First.Format(" 2006")
		}
		if f.Bytes <= 0 || f.First != nil && f.Last.Before(*f.First) {
			fact += " without a size, or backwards"
		}
		facts = append(facts, fact)
	}
	if len(d.UnreadKinds) > 0 {
		facts = append(facts, fmt.Sprintf("passed over %v, %d documents, missing %d", d.UnreadKinds, d.Documents, len(d.MissingParts)))
	}
	for _, e := range d.Errors {
		_, why, _ := strings.Cut(e, d.Path+": ")
		facts = append(facts, "error: "+why)
	}
	return strings.Join(facts, "; ")
}

// continued returns a chat whose question another one has under the same id.
func continued(id string) chat {
	const question, answer = "0f0e0d0c-0000-4000-8000-00000000000a", "0f0e0d0c-0000-4000-8000-00000000000b"
	return chat{id: id, title: id, updated: 1.7e9, messages: []chatMessage{
		user(question, "Where do swifts sleep?"), assistant(answer, "In the air."),
	}}
}

// What Detect counts is what a dry run of Import counts.
func TestDetect_CountsAsADryRun(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"a.json": asJSON(t, []chat{heron()}), "b.json": asJSON(t, append(manyChats(1), heron())), "x/s.jsonl": session, "b.png": "",
		"c.json": asJSON(t, []chat{continued("c1"), continued("c2")}),
	})
	found, err := ingest.Detect(t.Context(), []string{dir}, ingest.Options{})
	testenv.Must(t, err)
	r, err := ingest.Import(t.Context(), nil, []string{dir}, ingest.Options{DryRun: true})
	testenv.Must(t, err)
	entries, turns, again := 0, 0, 0
	for _, f := range found[0].Formats {
		entries, turns, again = entries+f.Entries, turns+f.Turns, again+f.Again
	}
	if entries != r.Conversations.New || turns != r.Turns.Total || turns != 6 || again != 1 ||
		len(r.UnreadKinds) != len(found[0].UnreadKinds) {
		t.Errorf("detected %d and %d, a dry run says %+v", entries, turns, r)
	}
}

// A damaged file is named, and what is before the damage is counted.
func TestDetect_Damaged(t *testing.T) {
	whole := asJSON(t, []chat{heron()})
	dir := folderOf(t, map[string]string{"a.json": whole[:len(whole)-1] + "," + whole[1:len(whole)/2]})
	found, err := ingest.Detect(t.Context(), []string{filepath.Join(dir, "a.json")}, ingest.Options{})
	if errs.CodeOf(err) != errs.Invalid || len(found[0].Errors) != 1 || found[0].Formats[0].Turns != 2 {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestDetect_Canceled(t *testing.T) {
	path := writeExport(t, []chat{heron()})
	ctx, cancel := context.WithCancel(t.Context())
	stop := func(ingest.Progress) { cancel() }
	found, err := ingest.Detect(ctx, []string{path}, ingest.Options{Progress: stop})
	if !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("found %v, %v", found, err)
	}
	if found, err := ingest.Detect(ctx, []string{path}, ingest.Options{}); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("canceled before: found %v, %v", found, err)
	}
}

// A document that two paths lead to is counted once, and so are its chunks.
func TestDetect_DocumentsTwice(t *testing.T) {
	dir := folderOf(t, map[string]string{"notes/a.md": "# A\nSome words.", "notes/sub/b.md": "# B\nOther words."})
	found, err := ingest.Detect(t.Context(), []string{filepath.Join(dir, "notes"), filepath.Join(dir, "notes/sub")}, ingest.Options{})
	testenv.Must(t, err)
	for i, want := range []ingest.DetectedFormat{{Entries: 2, Turns: 2}, {Again: 1}} {
		if f := found[i].Formats[0]; f.Entries != want.Entries || f.Turns != want.Turns || f.Again != want.Again {
			t.Errorf("path %d: %+v", i, f)
		}
	}
}
