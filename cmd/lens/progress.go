package main

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"lens/internal/boot"
)

// gauge shows how far something is, with its rate and how long it takes: on a terminal one line that is rewritten and goes away,
// elsewhere nothing.
type gauge struct {
	screen *screen
	title  string
	bytes  bool // what is counted; turns otherwise
	bar    *progressbar.ProgressBar
}

// tell is a progress function.
func (g *gauge) tell(p boot.Progress) {
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
		progressbar.OptionSetWriter(g.screen), progressbar.OptionSetDescription(g.title), progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(80 * time.Millisecond), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetRenderBlankState(true), progressbar.OptionUseANSICodes(true),
	}
	theme := progressbar.Theme{Saucer: "█", SaucerPadding: "░"} // the library's own needs a patched font
	if g.screen.ascii {
		theme = progressbar.ThemeASCII
	}
	options = append(options, progressbar.OptionSetTheme(theme))
	if g.bytes {
		return append(options, progressbar.OptionShowBytes(true), progressbar.OptionShowTotalBytes(true))
	}
	return append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("turns"))
}

// end takes the line away, also when the work broke off.
func (g *gauge) end() {
	if g.bar != nil {
		_ = g.bar.Clear()
	}
}
