package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// function is one of the functions that share a collection. Times are in seconds.
type function struct {
	memoryMB float64
	tmpGB    float64
	warm     float64 // median time of a query in a warm instance
	cold     float64 // additional time in a new instance
	fetches  float64 // S3 requests of a new instance
	spread   float64 // see measured
}

// fleet is the instances of a function.
type fleet struct {
	function
	random *rand.Rand

	instances    []instance
	maxInstances int     // at one time
	billed       float64 // seconds
	started      int
	gets         float64 // S3 requests
}

// instance records when an instance becomes free and when it last checked for a new generation.
type instance struct{ free, checked float64 }

// answer simulates a query at a time, not before the previous ones, and returns its duration.
func (f *fleet) answer(at float64) float64 {
	f.instances = slices.DeleteFunc(f.instances, func(i instance) bool { return at-i.free > idleSeconds })
	took := f.warm * math.Exp(f.spread*f.random.NormFloat64())
	best := -1
	for i, one := range f.instances {
		if one.free <= at && (best < 0 || one.free > f.instances[best].free) { // the last one used, so that others can stop
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

// cost returns the cost of a number of queries in USD, without storage and gateway.
func (f *fleet) cost(queries int) float64 {
	second := f.memoryMB/1024*lambdaGBSecond + max(0, f.tmpGB-0.5)*lambdaTmpSecond
	return f.billed*second + float64(queries)*lambdaRequest + f.gets*s3Get
}
