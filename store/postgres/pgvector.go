package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"lens/internal/errs"
)

// minPgvector is the first version with halfvec.
const minPgvector = "0.7.0"

// checkPgvector returns an error with instructions unless the server has a recent pgvector.
func (c *conn) checkPgvector(ctx context.Context) error {
	var offered, installed string
	var server int64
	err := c.each(ctx, "Pgvector", nil, func(r row) error {
		offered, installed, server = r.text(0), r.text(1), r.number(2)
		return nil
	})
	switch {
	case err != nil:
		return err
	case offered == "":
		return noPgvector("the server has no pgvector", installHint(server))
	case versionLess(offered, minPgvector):
		message := fmt.Sprintf("the server's pgvector %s is too old; Lens needs %s", offered, minPgvector)
		return noPgvector(message, installHint(server))
	case installed != "" && versionLess(installed, minPgvector):
		return noPgvector("the database's pgvector "+installed+" is too old",
			"ask its owner to run: ALTER EXTENSION vector UPDATE;")
	}
	return nil
}

func noPgvector(message, hint string) error {
	return &errs.Error{Code: errs.Unavailable, Op: "postgres: open", Message: message, Hint: hint}
}

func installHint(server int64) string {
	return fmt.Sprintf("install it on the server and try again: "+
		"`apt install postgresql-%d-pgvector` on Debian and Ubuntu, `brew install pgvector` on macOS, "+
		"the image pgvector/pgvector:pg%d with Docker; or omit the database URL to use SQLite", server, server)
}

// versionLess compares versions of numbers and dots.
func versionLess(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		x, _ := strconv.Atoi(as[i]) // a part that is not a number counts as 0
		y, _ := strconv.Atoi(bs[i])
		if x != y {
			return x < y
		}
	}
	return len(as) < len(bs)
}
