package s3test_test

import (
	"testing"

	"lens/store/shard/s3/s3test"
)

// A test requests an empty bucket. The first request starts the server.
func ExampleNew() {
	_ = func(t *testing.T) {
		t.Log(s3test.New(t).Address())
	}
}
