// Package sandbox keeps this process from sending anything to another machine, and shows before every query that it still does.
//
// On Linux a seccomp filter refuses every new socket but unix ones, on all threads and in all children, for good (Seccomp). Elsewhere
// only the connections that Lens makes itself can be refused (Guard): that is no block, and is never called one.
//
// The rules are:
//
//   - What is needed of the network is opened before Enter: a listener on loopback, and the broker that connects to fixed loopback addresses.
//   - Nothing that somebody else opened is kept: descriptors that came from outside, but for stdin, stdout and stderr, make the program
//     start itself once more without them.
//   - Verify looks, it does not remember. What it cannot see counts as a failure.
//
// It does not protect from who can already read the archive: unix sockets of services that relay, network file systems, and ptrace by the
// same user stay open.
package sandbox

import (
	"context"
	"net"
	"slices"
	"sync"
)

// Mechanism is what keeps a process from the network.
type Mechanism string

// None is a process that never entered.
const (
	None    Mechanism = "none"
	Guard   Mechanism = "guard"
	Seccomp Mechanism = "seccomp"
)

// Evidence is what Verify saw.
type Evidence struct {
	Mechanism Mechanism
	Probes    int // kinds of socket that were asked for and refused
	Sockets   int // that are open, all of them harmless
}

// The reasons for which a block is not there.
const (
	Failed      = "network_block_failed"
	Unsupported = "network_block_unsupported"
)

// Error says why a process is not cut off.
type Error struct {
	Reason        string // Failed or Unsupported
	Message, Hint string
	Err           error // the cause; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return "sandbox: " + e.Message
	}
	return "sandbox: " + e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode is that of the faces for what is blocked.
func (e *Error) ErrorCode() string { return "blocked" }

func failure(message string, cause error) *Error {
	return &Error{Reason: Failed, Message: message, Hint: "lens doctor --offline shows what is refused and what is not", Err: cause}
}

// brokerEnv holds the addresses of a broker, and makes a process of this program one.
const brokerEnv = "LENS_BROKER"

// process is the state of this process: a filter is nobody's but the process's.
var process struct {
	sync.Mutex
	mechanism Mechanism
	broker    *broker  // nil: none
	reach     []string // that Guard was given
}

// Enter cuts this process and its children off, or returns an *Error. reach lists the addresses (host:port, loopback only) that
// DialContext must still get to. It returns Guard where the system offers no block. A second Enter changes nothing.
//
// Where descriptors were inherited, it replaces the process by a new one of the same program and arguments, and does not return.
func Enter(reach []string) (Mechanism, error) {
	process.Lock()
	defer process.Unlock()
	if process.mechanism != "" {
		return process.mechanism, nil
	}
	if !supported() {
		process.mechanism, process.reach = Guard, slices.Clone(reach)
		return Guard, nil
	}
	if err := shed(); err != nil {
		return None, err
	}
	b, err := startBroker(reach)
	if err != nil {
		return None, err
	}
	if err := seal(); err != nil {
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

// Supported reports whether the system offers a block, and not only a guard.
func Supported() bool { return supported() }

// Active returns what keeps this process from the network.
func Active() Mechanism {
	process.Lock()
	defer process.Unlock()
	if process.mechanism == "" {
		return None
	}
	return process.mechanism
}

// Verify looks whether this process is still cut off. Under Guard there is nothing to see, and no error. Errors: *Error with Failed, or with
// Unsupported for a process that never entered.
func Verify() (Evidence, error) {
	switch m := Active(); m {
	case Seccomp:
		return verify()
	case Guard:
		return Evidence{Mechanism: Guard}, nil
	default:
		return Evidence{Mechanism: None}, &Error{
			Reason: Unsupported, Message: "this process is not cut off from the network", Hint: "run it with --offline",
		}
	}
}

// DialContext connects to loopback and to unix sockets, whatever else is named. In a process that is cut off only the addresses given to
// Enter can be had, from the broker.
func DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	process.Lock()
	mechanism, b := process.mechanism, process.broker
	process.Unlock()
	if mechanism == Seccomp && network != "unix" {
		return b.dial(ctx, network, address)
	}
	return guarded.DialContext(ctx, network, address)
}
