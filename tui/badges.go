package tui

// Badges say in the first line what limits what can be done, as long as it does.

func (m *model) badges() []string {
	var badges []string
	if m.opts.Offline {
		badges = append(badges, "offline")
	}
	if m.limit != "" {
		badges = append(badges, m.limit)
	}
	if level := m.opts.Security.Level; level != "" && level != Levels[0] {
		badges = append(badges, level)
	}
	return badges
}
