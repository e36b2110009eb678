package main

import (
	"fmt"
	"os"
)

// exports is where published exports lie when they are at hand; scripts know it as $EXPORTS.
const exports = "../../../shared/data/exports"

// condition knows [root], permissions stop nobody, and [exports], they are at hand.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "exports":
		_, err := os.Stat(exports)
		return err == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}
