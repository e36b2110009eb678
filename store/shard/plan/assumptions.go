package main

// What is neither measured here nor on a price list. Each is on the careful side of what it is taken from.
const (
	// At 1,769 MB a function has one vCPU's worth of time, and of it in proportion: docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html.
	// That vCPU is taken to do half of what a core of the machine that was measured does.
	vCPUMB   = 1769
	vCPUCore = 0.5

	// The most /tmp that a function can have, in GB, and how much of it shards may fill: docs.aws.amazon.com/lambda/latest/dg/configuration-ephemeral-storage.html.
	tmpGB   = 10
	tmpFill = 0.9

	// For how long the gateway waits for an answer: docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html.
	gatewaySeconds = 29

	// To begin a process of Go and open a model, before anything is fetched.
	startSeconds = 0.5

	// From S3 to one instance: 400 to 700 Mbit/s were measured by others.
	transferMBSecond = 60

	// "roughly 100–200 milliseconds" to the first byte: docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html.
	s3Seconds = 0.1

	// For how long an idle instance is kept is not promised. Others saw 10 minutes, and more.
	idleSeconds = 600

	// From the gateway into the function and back.
	invokeSeconds = 0.01

	// Of Lens: a shard, a part of it that is fetched by one request, how many shards are opened at once, how old the manifest may be, and
	// how many times as old it must be for a query to wait for another.
	shardMB        = 64
	partMB         = 8
	openAtOnce     = 4
	refreshSeconds = 10
	maxStaleFactor = 6

	// A row of Postgres with its text, its terms and its vector takes about as much as a record of a shard does, and as much again is wanted
	// for indexes and for work; a third of it should fit into memory.
	postgresTimes  = 2
	postgresMemory = 1.0 / 3
)
