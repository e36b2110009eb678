package main

// Assumptions: neither measured here nor on a price list. Each is on the cautious side of its source.
const (
	// At 1,769 MB a function has the time of one vCPU, and proportionally otherwise:
	// docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html.
	// That vCPU is assumed to be half as fast as a core of the measured machine.
	vCPUMB   = 1769
	vCPUCore = 0.5

	// The largest /tmp of a function, in GB, and the share that shards may fill:
	// docs.aws.amazon.com/lambda/latest/dg/configuration-ephemeral-storage.html.
	tmpGB   = 10
	tmpFill = 0.9

	// How long the gateway waits for an answer:
	// docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html.
	gatewaySeconds = 29

	// Time to start a Go process and open a model, before fetching.
	startSeconds = 0.5

	// From S3 to one instance: others measured 400 to 700 Mbit/s.
	transferMBSecond = 60

	// "roughly 100–200 milliseconds" to the first byte:
	// docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html.
	s3Seconds = 0.1

	// How long an idle instance is kept is not documented. Others saw 10 minutes and more.
	idleSeconds = 600

	// From the gateway to the function and back.
	invokeSeconds = 0.01

	// Settings of Lens: the size of a shard and of a part fetched per request, shards opened at once, the age of
	// the manifest, and the multiple of that age at which queries wait for a refresh.
	shardMB        = 64
	partMB         = 8
	openAtOnce     = 4
	refreshSeconds = 10
	maxStaleFactor = 6

	// A Postgres row with its text, terms and vector takes about as much as a record in a shard, and as much
	// again for indexes and work space; a third of that should fit into memory.
	postgresTimes  = 2
	postgresMemory = 1.0 / 3
)
