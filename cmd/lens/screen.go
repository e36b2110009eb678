package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"lens/cmd/internal/httpapi"
	"lens/internal/chart"
	"lens/internal/cleantext"
)

// screen is stdout or stderr: a terminal, or a pipe or file, which gets no control characters.
type screen struct {
	file     *os.File
	terminal bool
	width    int
	color    bool
	ascii    bool  // Lens itself draws with ASCII only
	still    bool  // no progress bars
	err      error // the first failed write

	document []byte // of --json, printed at the end of the run: an error becomes a member of it
}

func newScreen(file *os.File) *screen {
	s := &screen{file: file, terminal: term.IsTerminal(file.Fd()), width: 80}
	s.still = !s.terminal
	s.ascii = knowsOnlyASCII(os.Getenv)
	if s.terminal {
		if width, _, err := term.GetSize(file.Fd()); err == nil && width > 0 {
			s.width = min(width, 120)
		}
		s.color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return s
}

// knowsOnlyASCII reports whether, by the environment, the terminal shows ASCII only.
func knowsOnlyASCII(getenv func(string) string) bool {
	if t := getenv("TERM"); t == "linux" || t == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// Write remembers the first error: it makes the run fail.
func (s *screen) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

func (s *screen) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

func (s *screen) println(args ...any) { fmt.Fprintln(s, args...) }

// json sets the document of the run.
func (s *screen) json(document any) error {
	var text bytes.Buffer
	if err := httpapi.WriteJSON(&text, document); err != nil {
		return err
	}
	s.document = text.Bytes()
	return nil
}

// printDocument prints the document of the run. For a terminal it escapes control characters, which keeps the meaning.
func (s *screen) printDocument() {
	text := string(s.document)
	if s.terminal {
		text = cleantext.JSON(text)
	}
	s.printf("%s", text)
}

func (s *screen) bold(text string) string { return s.styled(ansi.Style{}.Bold(), text) }

func (s *screen) faint(text string) string { return s.styled(ansi.Style{}.Faint(), text) }

// warn renders a sentence of Lens.
func (s *screen) warn(text string) string {
	return s.styled(ansi.Style{}.ForegroundColor(ansi.Yellow), s.sentence(text))
}

func (s *screen) alarm(text string) string {
	return s.styled(ansi.Style{}.ForegroundColor(ansi.Red).Bold(), text)
}

func (s *screen) styled(style ansi.Style, text string) string {
	if !s.color {
		return text
	}
	return style.Styled(text)
}

// line makes one line of at most width cells from text of a chat.
func (s *screen) line(text string, width int) string {
	return ansi.Truncate(cleantext.Line(text), max(width, 1), s.sign("…", chart.ASCII.Ellipsis))
}

// quoted returns a text of a chat on one line, in quotes.
func (s *screen) quoted(text string) string {
	return s.sentence("“") + cleantext.Line(text) + s.sentence("”")
}

// sentence returns a sentence of Lens with quotes that the screen can show.
func (s *screen) sentence(text string) string {
	if s.ascii {
		return plainQuotes.Replace(text)
	}
	return text
}

var plainQuotes = strings.NewReplacer("“", `"`, "”", `"`)

// sign returns unicode if the screen can show it, else ascii.
func (s *screen) sign(unicode, ascii string) string {
	if s.ascii {
		return ascii
	}
	return unicode
}

// list joins facts on one line.
func (s *screen) list(facts ...string) string { return strings.Join(facts, s.sign(" · ", ", ")) }
