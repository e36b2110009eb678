package s3

// PageBy makes the bucket list n objects at a time.
func (b *Bucket) PageBy(n int32) { b.pageSize = n }

// Parse exports parse.
var Parse = parse
