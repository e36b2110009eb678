package main

import (
	"time"

	"lens/cmd/internal/archive"

	"github.com/schollz/progressbar/v3"
)

// progressBar shows progress, rate and remaining time: on a terminal as one line that is redrawn and finally erased,
// elsewhere not at all.
type progressBar struct {
	screen *screen
	title  string
	bytes  bool // counts bytes; otherwise turns
	bar    *progressbar.ProgressBar
}

// show shows p. It is a progress callback.
func (b *progressBar) show(p archive.Progress) {
	if b.screen.still || p.Total <= 0 {
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions64(p.Total, b.options()...)
	}
	b.bar.ChangeMax64(p.Total)
	_ = b.bar.Set64(min(p.Done, p.Total))
}

func (b *progressBar) options() []progressbar.Option {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(b.screen),
		progressbar.OptionSetDescription(b.title),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(80 * time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionUseANSICodes(true),
	}
	theme := progressbar.Theme{Saucer: "█", SaucerPadding: "░"} // the library's own theme needs a patched font
	if b.screen.ascii {
		theme = progressbar.ThemeASCII
	}
	options = append(options, progressbar.OptionSetTheme(theme))
	if b.bytes {
		return append(options, progressbar.OptionShowBytes(true), progressbar.OptionShowTotalBytes(true))
	}
	rate := progressbar.OptionSetItsString("turns")
	return append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), rate)
}

// erase erases the line, also after an error.
func (b *progressBar) erase() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}
