package cache

import (
	"io"
	"os"
)

// WriteBy wraps the file that the cache writes to.
func (c *Cache) WriteBy(wrap func(*os.File) io.WriterAt) { c.writer = wrap }
