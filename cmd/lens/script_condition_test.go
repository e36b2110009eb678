package main

import (
	"fmt"
	"os"
	"time"

	"lens/internal/testenv"
	"lens/internal/vault"
)

// exports is the folder of published exports, if this machine has them. Scripts use it as $EXPORTS.
func exports() string { return testenv.SharedPath("exports") }

// condition evaluates [root], file permissions have no effect; [exports], the published exports are available; and
// [kernelkeys], the system can keep a key for a while.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "exports":
		_, err := os.Stat(exports())
		return err == nil, nil
	case "kernelkeys":
		v, keys, err := vault.New("", vault.Secrets{PIN: "only to see whether", NoKeyring: true, Recovery: vault.NewRecovery()},
			vault.Options{Params: vault.Params{Memory: 64, Time: 1, Threads: 1}})
		return err == nil && v.Hold(keys, time.Second) == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}
