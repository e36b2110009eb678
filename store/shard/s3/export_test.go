package s3

// PageBy makes the bucket list n objects at a time.
func (b *Bucket) PageBy(n int32) { b.pageSize = n }

// Parse is what New does with an address.
var Parse = parse
