package httpapi

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// minCompressed is the size in bytes below which a response is not worth compressing.
const minCompressed = 2 << 10

// newCompression returns what compresses the responses of a handler for clients that accept gzip. It must not be used
// for streams: it holds the beginning back.
//
// The size of a compressed response says something of its content to an attacker who chooses a part of it and watches
// the encrypted connection. A web page could choose a query, but requests from other origins are refused; and no
// response has a key.
func newCompression() func(http.Handler) http.HandlerFunc {
	compress, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minCompressed),
		gzhttp.CompressionLevel(1), // the fastest
		gzhttp.ContentTypes([]string{kindJSON, "text/html", "text/plain"}),
		gzhttp.EnableZstd(false),
	)
	if err != nil {
		panic(err) // the options above are valid
	}
	return compress
}
