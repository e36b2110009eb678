package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// scenario is a collection, its functions and its load.
type scenario struct {
	records   float64
	functions int
	memoryMB  float64
	queries   int // per month
}

// outcome is the result of a simulated month.
type outcome struct {
	scenario
	function
	shards        int     // per function
	p50, p95, p99 float64 // seconds
	coldShare     float64 // share of queries that wait for a new instance
	maxInstances  int     // of a function at one time
	query         float64 // USD per query: functions, gateway, S3 requests
	storage       float64 // USD per month of S3 storage
}

// problem returns why the scenario is infeasible, or "".
func (o *outcome) problem() string {
	switch {
	case o.tmpGB > tmpGB:
		return "shards do not fit into /tmp"
	case o.cold > gatewaySeconds:
		return "starts too slowly"
	}
	return ""
}

// function returns the properties of each function.
func (s scenario) function(m measured) (f function, shards int) {
	records := s.records / float64(s.functions)
	mb := records * m.bytes / 1e6
	shards = int(math.Ceil(mb / shardMB))
	vCPUs := s.memoryMB / vCPUMB
	core := vCPUCore * min(vCPUs, float64(shards)) // one shard per processor
	return function{
		memoryMB: s.memoryMB, tmpGB: math.Ceil(mb/1024/tmpFill*2) / 2, spread: m.spread,
		warm:    (m.query + m.shard*float64(shards) + m.record*records) / core,
		cold:    startSeconds + s3Seconds + mb/transferMBSecond + m.openMB*mb/(vCPUCore*min(vCPUs, openAtOnce)),
		fetches: 2 + math.Ceil(mb/partMB),
	}, shards
}

const month = hoursAMonth * 3600 // seconds

// maxSample limits the simulated queries; the rest of the month looks alike.
const maxSample = 50_000

// simulate simulates a month, or as much of it as has maxSample queries.
func (s scenario) simulate(m measured) outcome {
	f, shards := s.function(m)
	fleets := make([]*fleet, s.functions)
	for i := range fleets {
		fleets[i] = &fleet{function: f, random: rand.New(rand.NewPCG(1, uint64(i)))}
	}
	random := rand.New(rand.NewPCG(2, 3))
	took := make([]float64, min(s.queries, maxSample))
	colds, at := 0, 0.0
	for q := range took {
		at += random.ExpFloat64() * month / float64(s.queries)
		begun := 0
		for _, f := range fleets {
			before := f.started
			took[q] = max(took[q], f.answer(at))
			begun += f.started - before
		}
		colds += min(1, begun)
	}
	o := outcome{
		scenario: s, function: f, shards: shards,
		coldShare: float64(colds) / float64(len(took)), query: gatewayRequest,
	}
	for _, f := range fleets {
		o.query += f.cost(len(took)) / float64(len(took))
		o.maxInstances = max(o.maxInstances, f.maxInstances)
	}
	o.storage = s.records * m.bytes / 1e9 * s3GBMonth
	slices.Sort(took)
	o.p50, o.p95, o.p99 = took[len(took)/2], took[len(took)*95/100], took[len(took)*99/100]
	return o
}

// postgres returns the smallest server with room for the collection, or the largest one, and its monthly cost
// in USD.
func (s scenario) postgres(m measured) (name string, usd float64) {
	gb := s.records * m.bytes * postgresTimes / 1e9
	fit := servers[len(servers)-1]
	for _, one := range slices.Backward(servers) {
		if gb*postgresMemory <= one.gb {
			fit = one
		}
	}
	return fit.name, fit.hour*hoursAMonth + gb*rdsGBMonth
}
