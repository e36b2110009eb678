package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// function is one of those that a collection is divided among. Times are in seconds.
type function struct {
	memoryMB float64
	tmpGB    float64
	warm     float64 // the median of what a query takes of an instance that has everything open
	cold     float64 // what comes before that in an instance that begins
	fetches  float64 // requests to S3 when one begins
	spread   float64 // see measured
}

// fleet is the instances of a function.
type fleet struct {
	function
	random *rand.Rand

	instances    []instance
	maxInstances int     // of them at a time
	billed       float64 // seconds
	started      int
	gets         float64 // requests to S3
}

// instance is free from a time on, and has known of the present generation since another.
type instance struct{ free, checked float64 }

// answer answers a query that comes at a time, not before the ones before it, and returns how long that takes.
func (f *fleet) answer(at float64) float64 {
	f.instances = slices.DeleteFunc(f.instances, func(i instance) bool { return at-i.free > idleSeconds })
	took := f.warm * math.Exp(f.spread*f.random.NormFloat64())
	best := -1
	for i, one := range f.instances {
		if one.free <= at && (best < 0 || one.free > f.instances[best].free) { // the one that was used last: the others may end
			best = i
		}
	}
	switch {
	case best < 0:
		f.instances = append(f.instances, instance{checked: at})
		best = len(f.instances) - 1
		f.maxInstances = max(f.maxInstances, len(f.instances))
		f.started++
		f.gets += f.fetches
		took += f.cold
	case at-f.instances[best].checked >= refreshSeconds:
		if at-f.instances[best].checked >= maxStaleFactor*refreshSeconds {
			took += s3Seconds
		}
		f.instances[best].checked = at
		f.gets++
	}
	f.instances[best].free = at + took
	f.billed += took
	return took + invokeSeconds
}

// cost is what the fleet took so far for a number of queries, in USD, without storage and the gateway.
func (f *fleet) cost(queries int) float64 {
	second := f.memoryMB/1024*lambdaGBSecond + max(0, f.tmpGB-0.5)*lambdaTmpSecond
	return f.billed*second + float64(queries)*lambdaRequest + f.gets*s3Get
}
