package main

// List prices in USD of us-east-1, read on 21 November 2026 from the pages named, without the free tier.
// Check them before relying on them.
const (
	// aws.amazon.com/lambda/pricing: arm64, first tier.
	lambdaGBSecond  = 0.0000133334
	lambdaRequest   = 0.20 / 1e6
	lambdaTmpSecond = 0.0000000309 // of a GB of /tmp beyond the first half

	// aws.amazon.com/api-gateway/pricing: a REST API, the only kind with API keys. An HTTP API costs 1.00.
	gatewayRequest = 3.50 / 1e6

	// aws.amazon.com/s3/pricing: Standard. Transfer to Lambda in the same region is free.
	s3Get     = 0.0004 / 1000
	s3GBMonth = 0.023

	// aws.amazon.com/rds/postgresql/pricing, in one zone, and gp3 storage.
	rdsGBMonth = 0.115
)

// server is a machine that can run Postgres.
type server struct {
	name string
	hour float64 // USD per hour
	gb   float64 // of memory
}

var servers = []server{
	{"db.t4g.medium", 0.065, 4},
	{"db.r8g.xlarge", 0.478, 32},
}

const hoursAMonth = 730
