// Package shard publishes an archive's chunks as an index of immutable objects in a folder or a bucket, and reads it there.
package shard
