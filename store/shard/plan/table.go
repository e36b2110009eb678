package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// scenarios are the rows of the table.
var scenarios = []scenario{
	{100_000, 1, 1769, 10_000},
	{100_000, 1, 1769, 1_000_000},
	{100_000, 1, 3538, 1_000_000},
	{300_000, 1, 1769, 1_000_000},
	{300_000, 1, 3538, 1_000_000},
	{1_000_000, 1, 3538, 1_000_000},
	{1_000_000, 4, 1769, 1_000_000},
	{3_000_000, 10, 1769, 1_000_000},
	{3_000_000, 10, 1769, 10_000_000},
	{10_000_000, 1, 10240, 1_000_000},
	{10_000_000, 34, 1769, 1_000_000},
}

// write prints the measurements and a line per scenario.
func write(to io.Writer, m measured) error {
	fmt.Fprintf(to, "measured on one core: %.2f ms a query, %.2f ms a shard, "+
		"%.2f ms a thousand records of %.0f bytes; %.1f ms to open a MB; spread %.2f\n\n",
		m.query*1e3, m.shard*1e3, m.record*1e6, m.bytes, m.openMB*1e3, m.spread)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "records\tfunctions\tshards\tqueries\tms\tms\tms\tcold\tcold\tat\t"+
		"USD\tUSD\tPostgres\tcheaper from\t\t")
	fmt.Fprintln(w, "\tof MB\tof each\ta month\tp50\tp95\tp99\t%\ts\tonce\t"+
		"a million\ta month\tUSD a month\tqueries a month\t\t")
	for _, s := range scenarios {
		o := s.simulate(m)
		server, usd := s.postgres(m)
		fmt.Fprintf(w, "%s\t%d × %.0f\t%d\t%s\t%.0f\t%.0f\t%.0f\t%.2f\t%.1f\t%d\t%.2f\t%.2f\t%s %.0f\t%s\t%s\t\n",
			thousands(s.records), s.functions, s.memoryMB, o.shards, thousands(float64(s.queries)),
			o.p50*1e3, o.p95*1e3, o.p99*1e3, o.coldShare*100, o.cold, o.maxInstances,
			o.query*1e6, o.query*float64(s.queries)+o.storage,
			server, usd, thousands(max(0, usd-o.storage)/o.query), o.problem())
	}
	return w.Flush()
}

// thousands formats a number with commas.
func thousands(x float64) string {
	digits := fmt.Sprintf("%.0f", x)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
