// Package doctor runs a diagnosis. It knows no part of Lens: each part reports its own checks.
package doctor

import (
	"context"

	"lens/internal/errs"
)

// Status is the result of a check.
type Status string

// A warning is worth knowing; a failure needs fixing.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
)

// Check is one line of a diagnosis.
type Check struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // the next step

	Names []string `json:"names,omitempty"` // everything that the message counts, such as IDs
}

// Failed returns the failed check that describes err.
func Failed(name string, err error) Check {
	c := Check{Name: name, Status: Fail, Message: "internal error"}
	if f := errs.First(err); f.Message != "" {
		c.Message, c.Hint = f.Message, f.Hint
	}
	return c
}

// Warned is Failed for an error that is only worth knowing.
func Warned(name string, err error) Check {
	c := Failed(name, err)
	c.Status = Warn
	return c
}

// Probe checks one part. It changes nothing.
type Probe func(ctx context.Context) []Check

// Doctor holds the probes of a diagnosis, in the order of their reports.
type Doctor []Probe

// Diagnose runs all probes.
func (d Doctor) Diagnose(ctx context.Context) []Check {
	var all []Check
	for _, probe := range d {
		all = append(all, probe(ctx)...)
	}
	return all
}
