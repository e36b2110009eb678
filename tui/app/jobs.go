package app

import (
	"lens/tui/jobs"
)

// Work is a long operation in the background.
type Work = jobs.Work
