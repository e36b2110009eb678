//go:build unix

package bench

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	pgxvec "github.com/pgvector/pgvector-go/pgx"

	"lens/store"
	"lens/store/postgres/pgtest"
)

// pgVector searches halves inline: a part of the rows exactly, by their primary key, all of them by HNSW with ef 200.
func pgVector(tb testing.TB, all []float32, dim int) contender {
	conn, err := pgx.Connect(tb.Context(), pgtest.Database(tb))
	must(tb, err)
	tb.Cleanup(func() { must(tb, conn.Close(context.Background())) })
	run := func(sql string, args ...any) {
		_, err := conn.Exec(tb.Context(), sql, args...)
		must(tb, err)
	}
	run("CREATE EXTENSION IF NOT EXISTS vector")
	must(tb, pgxvec.RegisterTypes(tb.Context(), conn))
	run(fmt.Sprintf("CREATE TABLE turns (ord int PRIMARY KEY, v halfvec(%d)); ALTER TABLE turns ALTER v SET STORAGE PLAIN", dim))
	n := 0
	_, err = conn.CopyFrom(tb.Context(), pgx.Identifier{"turns"}, []string{"ord", "v"}, pgx.CopyFromFunc(func() ([]any, error) {
		if n == len(all)/dim {
			return nil, nil
		}
		n++
		return []any{n, pgvector.NewHalfVector(all[(n-1)*dim : n*dim])}, nil
	}))
	must(tb, err)
	run("SET maintenance_work_mem = '2GB'; SET max_parallel_workers_per_gather = 0; SET hnsw.ef_search = 200; SET jit = off")
	run("CREATE INDEX ON turns USING hnsw (v halfvec_ip_ops)")
	run("ANALYZE turns")
	c := contender{name: "pgvector", wall: true, partial: true}
	must(tb, conn.QueryRow(tb.Context(), "SELECT pg_total_relation_size('turns')").Scan(&c.memory))
	c.search = func(query []float32, lo, hi int) (found []store.Neighbor) {
		rows, err := conn.Query(context.Background(), nearestSQL(hi-lo == len(all)/dim), pgvector.NewHalfVector(query), lo, hi, top)
		must(tb, err)
		found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[store.Neighbor])
		must(tb, err)
		return found
	}
	return c
}

// nearestSQL hides the index from a search of a part: after the fact it would be filtered to little or nothing.
func nearestSQL(whole bool) string {
	if whole {
		return "SELECT ord, -(v <#> $1) FROM turns WHERE $2::int < $3::int ORDER BY v <#> $1 LIMIT $4"
	}
	return "SELECT ord, -d FROM (SELECT ord, v <#> $1 AS d FROM turns WHERE ord > $2::int AND ord <= $3::int OFFSET 0) near ORDER BY d LIMIT $4"
}
