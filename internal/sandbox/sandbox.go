// Package sandbox keeps this process and its children from sending data to another machine, and verifies on request
// that this still holds.
//
// # What it guarantees
//
// On Linux (amd64, arm64), Enter installs a seccomp filter: the mechanism Seccomp. It applies to every thread and every
// child, and cannot be removed. From then on the kernel refuses new sockets other than unix sockets, io_uring, and
// access to the memory and descriptors of other processes. Enter fails if a socket that is already open could reach
// another machine. Lens's own connections go only to the loopback addresses given to Enter, through a broker process
// that passes connected sockets back.
//
// On other systems there is only Guard: Lens's own dialer refuses every address that is not loopback. Other code in the
// process can still open connections. Guard is not a block and must never be reported as one.
//
// # What it does not guarantee
//
// A unix socket reaches any local service that accepts it, and that service may relay data to the network. So may a
// server on an allowed loopback address. A network file system sends what is written to it. A program of the same user
// outside the sandbox may read the archive, or attach to this process with ptrace, and send what it finds anywhere.
//
// The rules are:
//
//   - Whatever needs the network is opened before Enter: a listener on loopback, and the broker.
//   - No inherited descriptor but stdin, stdout and stderr survives. If there are others, the program re-executes
//     itself without them.
//   - Verify asks the kernel each time and remembers nothing. What it cannot check counts as a failure.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"

	"lens/internal/errs"
)

// Mechanism is the way in which a process is kept from the network.
type Mechanism string

// None means that the process never called Enter.
const (
	None    Mechanism = "none"
	Guard   Mechanism = "guard"
	Seccomp Mechanism = "seccomp"
)

// Evidence is what Verify checked.
type Evidence struct {
	Mechanism Mechanism
	Probes    int // kinds of socket that the kernel refused
	Sockets   int // open sockets, none of which can reach another machine
}

// The reasons why a process is not isolated from the network. Each error of Enter and Verify has one in its chain.
var (
	ErrFailed      = errors.New("network block failed")
	ErrUnsupported = errors.New("network block unsupported")
)

// failure is a blocked error with ErrFailed and its cause, which may be nil.
func failure(message string, cause error) error {
	reason := ErrFailed
	if cause != nil {
		reason = fmt.Errorf("%w: %w", ErrFailed, cause)
	}
	return &errs.Error{
		Code: errs.Blocked, Op: "sandbox", Message: message,
		Hint: "run lens doctor --offline to see what is refused", Err: reason,
	}
}

// brokerEnv makes a process of this program a broker. Its value lists the addresses that the broker connects to.
const brokerEnv = "LENS_BROKER"

// process is global because a filter applies to the whole process.
var process struct {
	sync.Mutex
	mechanism Mechanism
	broker    *broker  // nil if nothing needs to be reached
	allowed   []string // for Guard
}

// Enter isolates this process and its children from the network, or returns a blocked error. allowed lists the loopback
// addresses (host:port) that DialContext can still connect to. Where the system offers no filter, Enter returns Guard.
// A second call changes nothing.
//
// If the process inherited descriptors, Enter replaces it by a new process with the same program and arguments, and
// does not return.
func Enter(allowed []string) (Mechanism, error) {
	process.Lock()
	defer process.Unlock()
	if process.mechanism != "" {
		return process.mechanism, nil
	}
	if !supported() {
		process.mechanism, process.allowed = Guard, slices.Clone(allowed)
		return Guard, nil
	}
	if err := reexecClean(); err != nil {
		return None, err
	}
	b, err := startBroker(allowed)
	if err != nil {
		return None, err
	}
	if err := installFilter(); err != nil {
		b.close()
		return None, err
	}
	if _, err := verify(); err != nil {
		b.close()
		return None, err
	}
	process.mechanism, process.broker = Seccomp, b
	return Seccomp, nil
}

// Supported reports whether the system offers the Seccomp mechanism.
func Supported() bool { return supported() }

// Active returns the mechanism that isolates this process.
func Active() Mechanism {
	process.Lock()
	defer process.Unlock()
	if process.mechanism == "" {
		return None
	}
	return process.mechanism
}

// Verify checks that this process is still isolated. Under Guard there is nothing to check, and no error. Errors:
// blocked, with ErrFailed, or with ErrUnsupported if the process never called Enter.
func Verify() (Evidence, error) {
	switch m := Active(); m {
	case Seccomp:
		return verify()
	case Guard:
		return Evidence{Mechanism: Guard}, nil
	default:
		return Evidence{Mechanism: None}, &errs.Error{
			Code: errs.Blocked, Op: "sandbox", Message: "this process is not isolated from the network",
			Hint: "run it with --offline", Err: ErrUnsupported,
		}
	}
}

// DialContext connects to loopback addresses and unix sockets only. Under Seccomp it connects only to the addresses
// given to Enter, through the broker.
func DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	process.Lock()
	mechanism, b := process.mechanism, process.broker
	process.Unlock()
	if mechanism == Seccomp && network != "unix" {
		return b.dial(ctx, network, address)
	}
	return guardedDialer.DialContext(ctx, network, address)
}
