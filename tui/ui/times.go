package ui

import (
	"cmp"
	"time"
)

// Day formats the day of a time.
func (c *Context) Day(t time.Time) string { return c.In(t).Format(time.DateOnly) }

// Clock formats the time of day.
func (c *Context) Clock(t time.Time) string { return c.In(t).Format("15:04") }

// Moment formats a time to the minute.
func (c *Context) Moment(t time.Time) string { return c.In(t).Format("2006-01-02 15:04 MST") }

// In returns a time in the zone of times on the screen.
func (c *Context) In(t time.Time) time.Time { return t.In(cmp.Or(c.Zone, time.UTC)) }
