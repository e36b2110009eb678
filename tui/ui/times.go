package ui

import (
	"cmp"
	"time"

	"lens/tui/theme"
)

// Day writes the day of a time.
func (c *Context) Day(t time.Time) string { return theme.Day(c.In(t)) }

// DayColumn writes the day of a time for a column of days.
func (c *Context) DayColumn(t time.Time) string { return theme.DayColumn(c.In(t)) }

// Clock writes the time of day.
func (c *Context) Clock(t time.Time) string { return theme.Clock(c.In(t)) }

// Moment writes a time to the minute.
func (c *Context) Moment(t time.Time) string { return theme.Moment(c.In(t)) }

// In returns a time in the zone of times on the screen.
func (c *Context) In(t time.Time) time.Time { return t.In(cmp.Or(c.Zone, time.UTC)) }
