//go:build system

package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/agent/agenttest"
)

var pictures = flag.Bool("pictures", false, "redraw the pictures of the README: make screenshots")

// TestPictures draws the explorer on the demo, as it appears in tmux.
func TestPictures(t *testing.T) {
	if !*pictures {
		t.Skip("only make screenshots draws the pictures of the README")
	}
	m, lens, archive := demoOnTmux(t)
	m.resize("120", "40")
	m.press("clear; TERM=xterm-256color COLORTERM=truecolor "+lens+" --theme dark --data "+archive, "Enter")
	m.see(`Topics +\d+`, `When you ask`, `busiest: `, `484 +flour · percentages`)
	m.press("k", "h")
	m.draw("home")
	m.resize("120", "34")
	m.press("/japan")
	m.see(`/ japan`, `▌ ● `, `You  ◆ \w+ \d+ \w+ 20`)
	m.press("Enter", "2")
	m.see(`│ +You  ◆ \w+ \d+ \w+ 20\d\d`) // the reader shows the best match
	m.press("1", "N", "N", "h", "v", "l", "l")
	m.see(`in the brush`, `━┛`, `│ +You  ◆ \w+ \d+ \w+ 2024`)
	m.press("Enter")
	m.see(`All time › `, `▌ ● `)
	m.press("2", "g", "j", "j", "Enter")
	m.see(`Rail pass.* turn \d+ of \d+`)
	m.draw("read")
	m.press("q")
	m.see(`ready\$`)
}

// draw writes the screen as a picture.
func (m *multiplexer) draw(name string) {
	m.t.Helper()
	savePicture(m.t, name, drawFilm([]frame{m.frame(0)}))
}

func savePicture(t *testing.T, name, svg string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("testdata", "pictures", name+".svg"), []byte(svg), 0o644); err != nil {
		t.Fatal(err)
	}
}

// answer is what the scripted model says in the recording: it searches, reads, and answers with citations.
const answer = `model: assistant
replies:
  - calls: [{name: peek, arguments: {query: japan}}]
  - calls: [{name: turn, arguments: {turn_id: $1}}, {name: turn, arguments: {turn_id: $2}}]
  - text: |
      It began with the question of when to go: to the cherry blossoms, or in Golden Week [1]. Then came the route,
      and whether two weeks are enough for Tokyo and Kyoto [2].
`

// TestRecording films what one does with the explorer: home, a query, a brush, a zoom, a turn and a question.
func TestRecording(t *testing.T) {
	if !*pictures {
		t.Skip("only make screenshots films the explorer")
	}
	m, lens, archive := demoOnTmux(t)
	script, err := agenttest.Read(strings.NewReader(answer))
	if err != nil {
		t.Fatal(err)
	}
	server := agenttest.New(t, script)
	m.resize("120", "34")
	m.press("clear; TERM=xterm-256color COLORTERM=truecolor OPENAI_BASE_URL="+server.URL+" OPENAI_API_KEY=sk-film LENS_CHAT_MODEL=assistant "+
		lens+" --theme dark --data "+archive, "Enter")
	m.see(`Topics +\d+`, `When you ask`, `busiest`, `484 +flour · percentages`)
	film := []frame{m.frame(2 * time.Second)}
	shoot := func(lasts time.Duration) { film = append(film, m.frame(lasts)) }
	for _, key := range []string{"h", "h", "k"} {
		m.press(key)
		m.settle()
		shoot(500 * time.Millisecond)
	}
	for _, typed := range []string{"/", "jap", "an"} {
		m.press(typed)
		m.settle()
		shoot(400 * time.Millisecond)
	}
	m.see(`▌ ● `, `You  ◆ \w+ \d+ \w+ 20`)
	shoot(1500 * time.Millisecond)
	for _, key := range []string{"Enter", "1", "N", "N", "h", "v", "l", "l"} {
		m.press(key)
		m.settle()
		shoot(350 * time.Millisecond)
	}
	m.press("Enter")
	m.see(`All time › `, `▌ ● `)
	m.settle()
	shoot(1500 * time.Millisecond)
	for _, key := range []string{"2", "j", "Enter"} {
		m.press(key)
		m.settle()
		shoot(time.Second)
	}
	m.press("c", "how did my trip to Japan begin?")
	m.settle()
	shoot(1500 * time.Millisecond)
	m.press("Enter")
	m.see(`Kyoto \[`)
	m.settle()
	shoot(5 * time.Second)
	savePicture(t, "recording", drawFilm(film))
	m.press("C-c", "C-c")
	m.see(`ready\$`)
}

// settle waits until the screen stays as it is.
func (m *multiplexer) settle() {
	m.t.Helper()
	for before := ""; ; {
		time.Sleep(300 * time.Millisecond)
		now := m.do("capture-pane", "-e", "-p")
		if now == before {
			return
		}
		before = now
	}
}

// frame returns what is on the screen.
func (m *multiplexer) frame(lasts time.Duration) frame {
	m.t.Helper()
	return frame{strings.Split(strings.TrimRight(m.do("capture-pane", "-e", "-p"), "\n"), "\n"), lasts}
}
