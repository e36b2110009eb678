package app

import (
	"lens/tui/jobs"
	"lens/tui/welcome"
)

// Found is a place with chats, which an empty archive can be filled from.
type Found = welcome.Found

// Work is a long operation in the background.
type Work = jobs.Work

// Jobs change the archive in the background.
type Jobs = jobs.Archive
