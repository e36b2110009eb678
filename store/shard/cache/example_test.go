package cache_test

import (
	"context"
	"fmt"
	"os"

	"lens/store/shard/buckettest"
	"lens/store/shard/cache"
)

// An object is fetched when its file is first requested.
func Example() {
	dir, _ := os.MkdirTemp("", "lens-cache-")
	defer os.RemoveAll(dir)
	c, err := cache.New(dir, newBucket("a shard"), cache.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	path, release, err := c.File(context.Background(), buckettest.RefOf("a shard"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer release()
	text, _ := os.ReadFile(path)
	fmt.Printf("%s\n", text)
	// Output: a shard
}
