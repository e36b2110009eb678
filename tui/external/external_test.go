package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// desk is an exporter with what it has copied and posted.
type desk struct {
	*Exporter
	ui     *ui.Context
	copied []string // with the tool
	broken error    // the tool's error
	sent   string   // to the clipboard through the terminal
	posted []any
}

// pages is an archive of which each turn is a line. Or it is gone.
type pages struct{ gone error }

func (p pages) FileTypes() string { return ".md or .csv" }

func (p pages) Write(_ context.Context, w io.Writer, file string, turns []uuid.UUID) error {
	if p.gone != nil {
		return p.gone
	}
	if filepath.Ext(file) == ".csv" {
		fmt.Fprintln(w, "turn_id")
	}
	for _, id := range turns {
		fmt.Fprintln(w, "# turn", id)
	}
	return nil
}

var openTurn = &retrieval.Turn{
	TurnID: uuid.UUID{7}, User: "How?",
	Assistant: "So:\n\n```go\nfirst()\n```\n\nor, see [the docs](https://example.org/tower):\n\n```\nsecond()\n```\n",
}

// newDesk returns a desk with an open turn; environ replaces that of this process.
func newDesk(environ ...string) *desk {
	d := &desk{ui: uitest.Context(theme.ASCII)}
	d.Exporter = New(d.ui, Options{
		Writer: pages{}, Env: environ,
		Clipboard: func(text string) error {
			d.copied = append(d.copied, text)
			return d.broken
		},
	})
	d.SetTurns(Turns{Open: openTurn})
	return d
}

// does runs a command by its name and whatever follows, until only dialogs and programs are left.
func (d *desk) does(tb testing.TB, id string) *desk {
	tb.Helper()
	d.run(uitest.Do(tb, append(d.Commands(), d.TurnCommands()...), id))
	return d
}

func (d *desk) run(cmd tea.Cmd) {
	for cmd != nil {
		msg := cmd()
		if fmt.Sprintf("%T", msg) == fmt.Sprintf("%T", tea.SetClipboard("")()) {
			d.sent = fmt.Sprint(msg)
		}
		if _, ok := ready(msg); ok {
			break
		}
		cmd = d.Update(msg)
	}
	d.posted = append(d.posted, d.ui.Posted()...)
}

// opened returns the dialog that was posted last.
func (d *desk) opened(t *testing.T) dialog.Dialog {
	t.Helper()
	for _, msg := range slices.Backward(d.posted) {
		if opened, ok := msg.(dialog.Open); ok {
			return opened.Dialog
		}
	}
	t.Fatalf("no dialog was opened: %v", d.posted)
	return nil
}

// choose opens a menu and chooses the item that a filter leaves.
func (d *desk) choose(t *testing.T, id, filter string) {
	t.Helper()
	menu := d.does(t, id).opened(t)
	for _, r := range filter {
		menu.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	cmd, _ := menu.Update(uitest.Key("enter"))
	d.run(cmd)
}

// saveTo answers the picker of files.
func (d *desk) saveTo(t *testing.T, path string) {
	t.Helper()
	picker := d.does(t, "write").opened(t)
	picker.Update(uitest.Key("ctrl+u"))
	picker.Update(tea.PasteMsg{Content: path})
	cmd, _ := picker.Update(uitest.Key("enter"))
	d.run(cmd)
}

// said returns the last notice or failure.
func (d *desk) said() string {
	for _, msg := range slices.Backward(d.posted) {
		switch msg := msg.(type) {
		case ui.Notify:
			return string(msg)
		case ui.Failed:
			return msg.Said + ": " + msg.Err.Error()
		}
	}
	return ""
}

func TestExporter_NothingIsOpen(t *testing.T) {
	d := newDesk()
	d.SetTurns(Turns{})
	for _, c := range append(d.Commands(), d.TurnCommands()...) {
		if d.posted = nil; c.Do() != nil {
			t.Errorf("%s does something", c.ID)
		}
		if d.run(nil); !slices.Equal(d.posted, []any{ui.Notify("No turn selected")}) {
			t.Errorf("%s posts %v", c.ID, d.posted)
		}
	}
}

func TestCopy_ClipboardOrTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		broken  error
		tool    bool
		said    string
	}{
		"a tool":                {nil, nil, true, "Copied 2 lines"},
		"a tool that fails":     {nil, errors.New("no display"), false, "Copied 2 lines - write saves them"},
		"a terminal over SSH":   {[]string{"SSH_TTY=/dev/pts/9"}, nil, false, "Copied 2 lines - write saves them"},
		"a connection over SSH": {[]string{"SSH_CONNECTION=a b"}, nil, false, "Copied 2 lines - write saves them"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(c.environ...)
			d.broken = c.broken
			d.run(d.Copy("one\ntwo\n"))
			if d.said() != c.said || (d.sent == "one\ntwo\n") == c.tool {
				t.Errorf("it says %q; through the terminal: %q", d.said(), d.sent)
			}
			if tried := len(d.copied) == 1; tried != (c.environ == nil) {
				t.Errorf("the tool has copied %q", d.copied)
			}
		})
	}
}

func TestCopy_Parts(t *testing.T) {
	for filter, want := range map[string]string{
		"":         "# turn " + openTurn.TurnID.String() + "\n",
		"question": openTurn.User,
		"answer":   openTurn.Assistant,
		"second":   "second()\n",
		"link":     "https://example.org/tower",
		"turn id":  openTurn.TurnID.String(),
	} {
		d := newDesk()
		if d.choose(t, "copy", filter); !slices.Equal(d.copied, []string{want}) {
			t.Errorf("%q copies %q, not %q", filter, d.copied, want)
		}
	}
}

func TestCopy_MarkedTurnsInOrder(t *testing.T) {
	d := newDesk()
	d.SetTurns(Turns{Open: openTurn, Marked: []uuid.UUID{{1}, {2}, {3}}})
	d.choose(t, "copy", "marked")
	want := fmt.Sprintf("# turn %v\n# turn %v\n# turn %v\n", uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3})
	if !slices.Equal(d.copied, []string{want}) {
		t.Errorf("copied is %q", d.copied)
	}
}

func TestCopy_CodeInView(t *testing.T) {
	d := newDesk()
	for inView, want := range []string{"first()\n", "second()\n", "second()\n"} {
		d.SetTurns(Turns{Open: openTurn, Code: inView})
		if d.copied = nil; !slices.Equal(d.does(t, "copy-code").copied, []string{want}) {
			t.Errorf("copied is %q, not %q", d.copied, want)
		}
	}
	d.SetTurns(Turns{Open: &retrieval.Turn{Assistant: "Just words."}})
	if got := d.does(t, "copy-code").said(); got != "No code in this turn" {
		t.Errorf("without code it says %q", got)
	}
}

func TestLinks_EnterOpens(t *testing.T) {
	const docs = "https://example.org/tower"
	for name, c := range map[string]struct {
		environ []string
		closed  string
		started []string
		copied  []string
		says    string
	}{
		"on a desktop":      {[]string{"DISPLAY=:0"}, "", []string{"xdg-open", docs}, nil, "Opened in the browser"},
		"the user's own":    {[]string{"BROWSER=lynx -x"}, "", []string{"lynx", "-x", docs}, nil, "Opened in the browser"},
		"without a desktop": {nil, "", nil, []string{docs}, "Copied 1 line"},
		"over SSH":          {[]string{"DISPLAY=:0", "SSH_TTY=/dev/pts/1"}, "", nil, nil, "Copied 1 line - write saves it"},
		"offline":           {[]string{"BROWSER=x"}, "offline", nil, nil, "Not opened, offline: " + docs},
		"paranoid":          {[]string{"BROWSER=x"}, "paranoid", nil, nil, "Not opened, paranoid: " + docs},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS != "linux" && c.environ == nil || name == "on a desktop" && runtime.GOOS != "linux" {
				t.Skip("every session has a desktop here")
			}
			d := newDesk(append([]string{"TERM=x"}, c.environ...)...)
			var started []string
			d.opts.Closed, d.opts.Start = c.closed, func(words []string) error {
				started = words
				return nil
			}
			d.choose(t, "links", "docs")
			if !slices.Equal(started, c.started) || !slices.Equal(d.copied, c.copied) || d.said() != c.says {
				t.Errorf("started %q, copied %q, says %q", started, d.copied, d.said())
			}
			menu := d.does(t, "links").opened(t)
			if menu.Update(uitest.Key("ctrl+y")); len(started) != len(c.started) {
				t.Error("ctrl+y opens the link")
			}
		})
	}
	d := newDesk("BROWSER=x")
	d.opts.Start = func([]string) error { return errors.New("no such program") }
	if d.choose(t, "links", "docs"); d.said() != "Couldn't open the link: no such program" {
		t.Errorf("it says %q", d.said())
	}
	d.SetTurns(Turns{Open: &retrieval.Turn{Assistant: "Just words."}})
	if got := d.does(t, "links").said(); got != "No links in this turn" {
		t.Errorf("without a link it says %q", got)
	}
}

func TestLinks_Original(t *testing.T) {
	in := uuid.MustParse("69051400-0000-4000-8000-0000000000c1")
	for name, c := range map[string]struct {
		turn retrieval.Turn
		want string
	}{
		"ChatGPT":         {retrieval.Turn{Source: "chatgpt", Conversation: in}, "https://chatgpt.com/c/" + in.String()},
		"Claude":          {retrieval.Turn{Source: "claude", Conversation: in}, "https://claude.ai/chat/" + in.String()},
		"a coding tool":   {retrieval.Turn{Source: "codex", Conversation: in}, ""},
		"an ID of Lens":   {retrieval.Turn{Source: "chatgpt", Conversation: uuid.NewSHA1(in, nil)}, ""},
		"a document":      {retrieval.Turn{Source: "chatgpt", Conversation: in, Chunk: &retrieval.Chunk{}}, ""},
		"no conversation": {retrieval.Turn{Source: "chatgpt"}, ""},
	} {
		if _, url := original(&c.turn); url != c.want {
			t.Errorf("%s: %q", name, url)
		}
	}
}

func TestSave_NeverOverwrites(t *testing.T) {
	d := newDesk()
	file := filepath.Join(t.TempDir(), "out.md")
	d.saveTo(t, file)
	if got := d.said(); got != "Saved 1 turn to "+file {
		t.Errorf("it says %q", got)
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "# turn "+openTurn.TurnID.String()+"\n" {
		t.Fatalf("the file contains %q (%v)", got, err)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v", info.Mode())
	}
	d.SetTurns(Turns{Open: &retrieval.Turn{TurnID: uuid.UUID{8}}})
	picker := d.does(t, "write").opened(t)
	picker.SetSize(200, 30)
	picker.Update(uitest.Key("ctrl+u"))
	picker.Update(tea.PasteMsg{Content: file})
	if _, done := picker.Update(uitest.Key("enter")); done || !strings.Contains(uitest.Text(picker.View()), "out.md exists") {
		t.Errorf("the dialog is closed: %v\n%s", done, uitest.Text(picker.View()))
	}
	picker.Update(uitest.Key("2"))
	if cmd, done := picker.Update(uitest.Key("enter")); !done {
		t.Error("another name is not taken")
	} else if d.run(cmd); d.said() != "Saved 1 turn to "+file+"2" {
		t.Errorf("then it says %q", d.said())
	}
	if again, _ := os.ReadFile(file); string(again) != string(got) {
		t.Errorf("the file now contains %q", again)
	}
	if d.saveTo(t, filepath.Join(file, "not", "a", "folder.md")); !strings.HasPrefix(d.said(), "Couldn't save: ") {
		t.Errorf("below a file it says %q", d.said())
	}
}

func TestSave_FormatByExtension(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	d := newDesk()
	d.saveTo(t, " ~/out.csv ")
	got, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), "out.csv"))
	if err != nil || !strings.HasPrefix(string(got), "turn_id\n") {
		t.Errorf("the file contains %q (%v)", got, err)
	}
}

func TestExport_UnreadableTurn(t *testing.T) {
	d := newDesk()
	d.opts.Writer = pages{gone: errors.New("the archive is gone")}
	file := filepath.Join(t.TempDir(), "out.md")
	if d.saveTo(t, file); d.said() != "Couldn't save: the archive is gone" {
		t.Errorf("it says %q", d.said())
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was left behind")
	}
	if d.choose(t, "copy", "markdown"); d.said() != "Couldn't copy: the archive is gone" {
		t.Errorf("it says %q", d.said())
	}
	for _, program := range []func() tea.Cmd{d.openEditor, d.openPager} {
		if d.run(d.Update(program()())); d.said() != "Couldn't open the turns: the archive is gone" {
			t.Errorf("it says %q", d.said())
		}
	}
}

// ready returns the program of an answer that has one.
func ready(msg tea.Msg) (program readyMsg, ok bool) {
	answer, _ := msg.(answerMsg)
	program, ok = answer.Msg.(readyMsg)
	return program, ok
}

// edited returns what the editor would be started with.
func edited(t *testing.T, d *desk) (msg readyMsg, file string) {
	t.Helper()
	msg, ok := ready(d.openEditor()())
	if !ok || msg.err != nil {
		t.Fatalf("e answers %+v", msg)
	}
	return msg, msg.program.Args[len(msg.program.Args)-1]
}

func TestEditor_PrivateFileIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	msg, file := edited(t, newDesk("EDITOR=true --wait", "VISUAL="))
	args := msg.program.Args
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || args[0] != "true" || args[1] != "--wait" {
		t.Fatalf("%v: %v, %v", args, info, err)
	}
	msg.done()
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

func TestEditor_FileIsInMemory(t *testing.T) {
	memory, disk := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", disk)
	msg, file := edited(t, newDesk("XDG_RUNTIME_DIR="+memory))
	if !strings.HasPrefix(file, memory) {
		t.Errorf("the file is %s, not in %s", file, memory)
	}
	if msg.done(); len(msg.program.Args) != 2 || msg.program.Args[0] != "vi" {
		t.Errorf("by default it runs %q", msg.program.Args)
	}
	msg, file = edited(t, newDesk("XDG_RUNTIME_DIR="+filepath.Join(memory, "none")))
	if msg.done(); !strings.HasPrefix(file, disk) {
		t.Errorf("the file is %s: that folder does not exist", file)
	}
}

func TestPrograms_BlankNames(t *testing.T) {
	d := newDesk("VISUAL= ", "EDITOR=\t", "PAGER= ")
	msg, _ := edited(t, d)
	msg.done()
	paged, _ := ready(d.openPager()())
	if got := []string{msg.program.Args[0], paged.program.Args[0]}; !slices.Equal(got, []string{"vi", "less"}) {
		t.Errorf("it runs %q", got)
	}
}

func TestEditor_Fails(t *testing.T) {
	msg, file := edited(t, newDesk("EDITOR=/no/such/editor --wait"))
	d := newDesk()
	d.Update(d.ended(msg)(errors.New("exit status 1")))
	if d.run(nil); d.said() != "editor failed: exit status 1" {
		t.Errorf("it says %q", d.said())
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file is left")
	}
}

func TestPager_ReadsFromAPipe(t *testing.T) {
	d := newDesk("PAGER=cat -")
	msg, ok := ready(d.openPager()())
	if !ok || msg.err != nil || len(msg.program.Args) != 2 {
		t.Fatalf("| answers %+v", msg)
	}
	out, err := io.ReadAll(msg.program.Stdin)
	if err != nil || !strings.HasPrefix(string(out), "# turn") {
		t.Errorf("the pager reads %q (%v)", out, err)
	}
	if got := d.ended(msg)(nil); got != nil {
		t.Errorf("once it has ended, it says %v", got)
	}
}

func TestFolders_FoldersFirst(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"b.zip", "A.zip", "old/x"} {
		path := filepath.Join(home, "Downloads", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, make([]byte, 7), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for folder, wanted := range map[string]string{"": "Downloads", "~/Downloads": "Downloads", "~/": ""} {
		in, entries, err := Folders{}.Entries(t.Context(), folder)
		if err != nil || in != filepath.Join(home, wanted) {
			t.Fatalf("%q is %q (%v)", folder, in, err)
		}
		if wanted == "" {
			continue
		}
		if want := []dialog.Entry{{Name: "old", Folder: true, Size: entries[0].Size}, {Name: "A.zip", Size: 7}, {Name: "b.zip", Size: 7}}; !slices.Equal(entries, want) {
			t.Errorf("%q lists %v", folder, entries)
		}
	}
	if in, _, err := (Folders{}).Entries(t.Context(), "/no/such"); err == nil || in != "/no/such" {
		t.Errorf("a missing folder is %q (%v)", in, err)
	}
	t.Setenv("HOME", filepath.Join(home, "Downloads"))
	if in, _, err := (Folders{}).Entries(t.Context(), ""); err != nil || in != filepath.Join(home, "Downloads") {
		t.Errorf("without downloads it lists %q (%v)", in, err)
	}
}

// A lock makes another exporter, which gets what the one before is still doing.
func TestExporter_AnswersOfAnotherOneAreDropped(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	before, d := newDesk("SSH_TTY=/dev/pts/9", "XDG_RUNTIME_DIR="), newDesk()
	file := filepath.Join(t.TempDir(), "out.md")
	for name, cmd := range map[string]tea.Cmd{
		"the editor":   before.openEditor(),
		"the pager":    before.openPager(),
		"copying":      before.Copy("one"),
		"copied turns": before.copyTurns(openTurn.TurnID),
		"a notice":     before.save(file, []uuid.UUID{{1}}),
		"a failure":    newDesk().save("/no/such/folder/out.md", nil),
	} {
		msg := cmd()
		if next := d.Update(msg); next != nil && next() != nil {
			t.Errorf("%s goes on", name)
		}
		if posted := d.ui.Posted(); len(posted) > 0 || len(before.copied)+len(d.copied) > 0 {
			t.Errorf("%s: posted are %v, copied %q", name, posted, before.copied)
		}
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}

// The proposed name of a file is one that is free.
func TestWrite_ProposesAnUnusedName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []string{"lens-2026-11-22.md", "lens-2026-11-22-2.md", "lens-2026-11-22-3.md"} {
		got := unused("lens-2026-11-22", ".md")
		if got != want {
			t.Fatalf("proposed is %s, not %s", got, want)
		}
		if err := create(got, "text"); err != nil {
			t.Fatal(err)
		}
	}
}
