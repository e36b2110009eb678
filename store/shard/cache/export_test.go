package cache

import (
	"io"
	"os"
)

// WriteBy makes the cache write what it fetches by what wrap returns.
func (c *Cache) WriteBy(wrap func(*os.File) io.WriterAt) { c.writer = wrap }
