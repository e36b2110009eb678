package main

import (
	"fmt"
	"os"
	"time"

	"lens/internal/vault"
)

// exports is where published exports lie when they are at hand; scripts know it as $EXPORTS.
const exports = "../../../shared/data/exports"

// condition knows [root], permissions stop nobody, [exports], they are at hand, and [kernelkeys], the system keeps a key for a while.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "exports":
		_, err := os.Stat(exports)
		return err == nil, nil
	case "kernelkeys":
		v, keys, err := vault.New("", vault.Secrets{PIN: "only to see whether", NoKeyring: true, Recovery: vault.NewRecovery()},
			vault.Options{Params: vault.Params{Memory: 64, Time: 1, Threads: 1}})
		return err == nil && v.Hold(keys, time.Second) == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}
