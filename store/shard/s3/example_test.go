package s3_test

import (
	"context"
	"fmt"
	"net/http"

	"lens/store/shard/s3"
)

// New needs only an address; the rest comes from the SDK's settings.
func ExampleNew() {
	bucket, err := s3.New(context.Background(), http.DefaultTransport.(*http.Transport), "s3://archive/of/mine", s3.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for info, err := range bucket.List(context.Background(), "indexes/") {
		fmt.Println(info.Key, err)
	}
}
