package app

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"lens/tui/theme"
	"lens/tui/ui"
)

// appearance is how the terminal is used: colors, the zone of times, and the mouse.
type appearance struct {
	ui      *ui.Context
	zone    *time.Location // the local one
	profile colorprofile.Profile
	themed  bool // chosen by the user, so the terminal's background does not decide
	local   bool // times are shown in local time
	noMouse bool // off: the terminal handles the mouse
}

// newAppearance returns the initial one: the wanted theme, else one that suits the environment.
func newAppearance(c *ui.Context, s Settings, env tea.EnvMsg) appearance {
	a := appearance{ui: c, zone: cmp.Or(s.Zone, time.Local), profile: colorprofile.TrueColor}
	name, chosen := themeFor(s.Theme, env)
	a.themed = chosen
	a.setTheme(name)
	return a
}

// themeFor returns the initial theme, and whether it is fixed regardless of the terminal's background.
func themeFor(wanted string, env tea.EnvMsg) (name theme.Name, chosen bool) {
	if name, ok := theme.Parse(wanted); ok {
		return name, true
	}
	locale := cmp.Or(env.Getenv("LC_ALL"), env.Getenv("LC_CTYPE"), env.Getenv("LANG"))
	switch {
	case env.Getenv("TERM") == "linux", locale == "C", locale == "POSIX":
		return theme.ASCII, true
	case env.Getenv("NO_COLOR") != "":
		return theme.Mono, true
	}
	return theme.Dark, false
}

func (a *appearance) setTheme(name theme.Name) { a.ui.Theme = theme.New(name, a.profile) }

// setProfile draws in the colors that the terminal has.
func (a *appearance) setProfile(p colorprofile.Profile) {
	a.profile = p
	a.setTheme(a.ui.Theme.Name)
}

// adapt picks the theme for the terminal's background, unless the user chose one.
func (a *appearance) adapt(dark bool) {
	switch {
	case a.themed:
	case dark:
		a.setTheme(theme.Dark)
	default:
		a.setTheme(theme.Light)
	}
}

func (a *appearance) nextTheme() tea.Cmd {
	a.themed = true
	a.setTheme(a.ui.Theme.Name.Next())
	a.say("Theme: " + string(a.ui.Theme.Name))
	return nil
}

// setLocal shows times in local time or in UTC. Bins are always in UTC, so that a chart is the same everywhere; its
// axis says so when other times are local.
func (a *appearance) setLocal(local bool) {
	a.local, a.ui.Zone = local, time.UTC
	if local {
		a.ui.Zone = a.zone
	}
}

func (a *appearance) toggleLocal() tea.Cmd {
	if a.setLocal(!a.local); a.local {
		a.say("Times are local, bins in UTC")
	} else {
		a.say("Times in UTC")
	}
	return nil
}

// toggleMouse turns the mouse off or on. Off, the terminal's own selection works.
func (a *appearance) toggleMouse() tea.Cmd {
	if a.noMouse = !a.noMouse; a.noMouse {
		a.say("Mouse off (" + a.ui.Key("toggle-mouse") + " turns it on)")
	} else {
		a.say("Mouse on (" + a.ui.Key("toggle-mouse") + " turns it off)")
	}
	return nil
}

func (a *appearance) say(notice string) { a.ui.Post(ui.Notify(notice)) }
