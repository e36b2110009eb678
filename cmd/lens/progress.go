package main

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"lens/cmd/internal/app"
)

// gauge shows progress, rate and remaining time: on a terminal as one line that is redrawn and finally erased,
// elsewhere not at all.
type gauge struct {
	screen *screen
	title  string
	bytes  bool // counts bytes; otherwise turns
	bar    *progressbar.ProgressBar
}

// tell shows p. It is a progress callback.
func (g *gauge) tell(p app.Progress) {
	if g.screen.still || p.Total <= 0 {
		return
	}
	if g.bar == nil {
		g.bar = progressbar.NewOptions64(p.Total, g.options()...)
	}
	g.bar.ChangeMax64(p.Total)
	_ = g.bar.Set64(min(p.Done, p.Total))
}

func (g *gauge) options() []progressbar.Option {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(g.screen),
		progressbar.OptionSetDescription(g.title),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(80 * time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionUseANSICodes(true),
	}
	theme := progressbar.Theme{Saucer: "█", SaucerPadding: "░"} // the library's own theme needs a patched font
	if g.screen.ascii {
		theme = progressbar.ThemeASCII
	}
	options = append(options, progressbar.OptionSetTheme(theme))
	if g.bytes {
		return append(options, progressbar.OptionShowBytes(true), progressbar.OptionShowTotalBytes(true))
	}
	rate := progressbar.OptionSetItsString("turns")
	return append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), rate)
}

// end erases the line, also after an error.
func (g *gauge) end() {
	if g.bar != nil {
		_ = g.bar.Clear()
	}
}
