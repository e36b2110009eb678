//go:build ignore

// Command gateway is versitygw, an S3 server over a folder of files, reduced to what tests need: its other
// backends, its own tests and its command line take more than half of the build time.
//
// Its imports are not in go.mod: server.sh builds it with a copy of go.mod that adds them.
//
//	gateway ADDRESS HEALTH FOLDER
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if err := serve(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve serves S3 at address, and health checks at the path health, until it fails.
func serve(address, health, folder string) error {
	if err := (meta.XattrMeta{}).Test(folder); err != nil {
		return fmt.Errorf("extended attributes: %w", err)
	}
	files, err := posix.New(folder, meta.XattrMeta{}, posix.PosixOpts{})
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(context.Background(), files, &embedgw.Config{
		RootUserAccess:    os.Getenv("ROOT_ACCESS_KEY"),
		RootUserSecret:    os.Getenv("ROOT_SECRET_KEY"),
		Region:            "us-east-1",
		Ports:             []string{address},
		HealthPath:        health,
		MaxConnections:    1000,
		MaxRequests:       1000,
		MultipartMaxParts: 10_000,
		Quiet:             true,
	})
}
