//go:build !linux

package vault

// disableDumps does nothing: these systems have no equivalent.
func disableDumps() {}
