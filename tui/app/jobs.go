package app

import (
	"lens/tui/home"
	"lens/tui/jobs"
)

// Found is a place with chats, which an empty archive can be filled from.
type Found = home.Found

// Work is a long operation in the background.
type Work = jobs.Work
