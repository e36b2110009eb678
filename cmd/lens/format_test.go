package main

import (
	"testing"
	"time"
)

func TestNumbers_Format(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(0, "turn"), "0 turns"},
		{count(1, "turn"), "1 turn"},
		{count(1560, "message"), "1,560 messages"},
		{grouped(999), "999"},
		{grouped(1000), "1,000"},
		{grouped(int64(-1234567)), "-1,234,567"},
		{grouped(-123), "-123"},
		{about(0), "unknown"},
		{about(9 * time.Second), "under 10 seconds"},
		{about(72 * time.Second), "70 seconds"},
		{about(100 * time.Second), "2 minutes"},
		{about(80 * time.Minute), "80 minutes"},
		{about(5 * time.Hour), "5 hours"},
		{dollars(0), "$0.00"},
		{dollars(0.001), "less than $0.01"},
		{dollars(1.239), "$1.24"},
		{upperFirst("ärgerlich"), "Ärgerlich"},
		{upperFirst(""), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
