package s3test_test

import (
	"testing"

	"lens/store/shard/s3/s3test"
)

// A test asks for a bucket and gets one that is empty. The first that asks starts the server.
func ExampleNew() {
	_ = func(t *testing.T) {
		t.Log(s3test.New(t).Address())
	}
}
