// Package shell writes paths as a person types them into a shell.
package shell

import (
	"runtime"
	"strings"

	"lens/internal/lazyregexp"
)

// plain matches words that no shell changes.
var plain = lazyregexp.New(`^[\pL\pN/:._+-]+$`)

// IsPlain reports whether a shell leaves a word as it is. Only that of Windows leaves backslashes.
func IsPlain(word string) bool {
	if runtime.GOOS == "windows" {
		word = strings.ReplaceAll(word, `\`, "/")
	}
	return plain().MatchString(word)
}

// Quote returns a path in quotation marks if a shell would change it.
func Quote(path string) string {
	switch {
	case IsPlain(path):
		return path
	case runtime.GOOS == "windows":
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
