package gemini

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"lens/internal/lazyregexp"
)

// months are prefixes of month names, without accents, in the languages of the log: English, German, French, Spanish,
// Italian, Portuguese, Dutch, Danish, Swedish, Norwegian, Polish, Russian, Turkish, Czech, Indonesian, Finnish and
// Ukrainian. No two months share one.
var months = [12]string{
	"jan ene gen sty янв oca led tammi січ",
	"feb fev lut фев sub uno peb helmi лют",
	"mar mrt maart мар bre maalis бер",
	"apr avr abr kwi апр nis dub huhti кві",
	"may mai mag mei maj мая kve touko тра",
	"jun juin giu cze июн haz cervn kesa чер",
	"jul juil lug lip июл tem cervenc heina лип",
	"aug aout ago sie авг agu srp elo сер",
	"sep set wrz сен eyl zar syys вер",
	"oct okt ott out paz окт eki rij loka жов",
	"nov lis ноя kas marras лис",
	"dec dez dic des gru дек ara pro joulu гру",
}

// zones are the time zone abbreviations of the log, in hours east of Greenwich. Other zones are written as GMT+02:00.
var zones = map[string]float64{
	"utc": 0, "gmt": 0, "wez": 0, "wet": 0, "bst": 1, "wesz": 1, "west": 1, "cet": 1, "mez": 1,
	"cest": 2, "mesz": 2, "eet": 2, "oez": 2, "eest": 3, "oesz": 3, "msk": 3, "ist": 5.5, "wib": 7,
	"jst": 9, "kst": 9, "aest": 10, "aedt": 11, "brt": -3, "est": -5, "edt": -4,
	"cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8, "hst": -10,
}

var (
	clock     = lazyregexp.New(`\b(\d{1,2}):(\d{2})(?::(\d{2}))?\b`)
	dotted    = lazyregexp.New(`\b(\d{1,2})\.(\d{2})\.(\d{2})\b`) // Danish, Finnish, Indonesian
	utcOffset = lazyregexp.New(`(?i)(?:gmt|utc)\s*([+-])(\d{1,2})(?::?(\d{2}))?`)
	numbers   = lazyregexp.New(`\d+`)
	words     = lazyregexp.New(`\p{L}+`)
)

// maxDate is the greatest length of a date, in bytes.
const maxDate = 80

// dateOf parses a line as a date with a time of day and returns it in UTC; a time without a known zone counts as UTC.
// False: it is not a date.
func dateOf(line string) (time.Time, bool) {
	s := strings.TrimSpace(line)
	if len(s) > maxDate {
		return time.Time{}, false
	}
	s = fold(s)
	offset := 0.0
	if m := utcOffset().FindStringSubmatch(s); m != nil {
		hours, _ := strconv.Atoi(m[2]) // digits
		minutes, _ := strconv.Atoi("0" + m[3])
		if offset = float64(hours) + float64(minutes)/60; m[1] == "-" {
			offset = -offset
		}
		s = strings.Replace(s, m[0], "", 1)
	}
	at := clock().FindStringSubmatchIndex(s)
	if at == nil {
		at = dotted().FindStringSubmatchIndex(s)
	}
	if at == nil {
		return time.Time{}, false
	}
	hour, minute, second := number(s, at, 1), number(s, at, 2), number(s, at, 3)
	rest := s[:at[0]] + " " + s[at[1]:]
	month, half := 0, 0
	for _, word := range words().FindAllString(rest, -1) {
		if m := monthOf(word); m > 0 && month == 0 {
			month = m
		}
		if h := dayHalf(word, rest); h > 0 {
			half = h
		}
		if hours, ok := zones[word]; ok && offset == 0 {
			offset = hours
		}
	}
	year, month, day, ok := calendar(numbers().FindAllString(rest, -1), month)
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	switch {
	case half == afternoon && hour < 12:
		hour += 12
	case half == morning && hour == 12:
		hour = 0
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if t.Day() != day {
		return time.Time{}, false
	}
	return t.Add(-time.Duration(offset * float64(time.Hour))), true
}

func number(s string, at []int, group int) int {
	if at[2*group] < 0 {
		return 0
	}
	n, _ := strconv.Atoi(s[at[2*group]:at[2*group+1]]) // digits
	return n
}

// calendar decides which number is the day, the month and the year. month is 0 when the date does not name it: then it
// is the number in the middle, unless that is greater than 12.
func calendar(found []string, month int) (year, m, day int, ok bool) {
	var n []int
	for _, f := range found {
		if len(f) > 4 {
			return 0, 0, 0, false
		}
		v, _ := strconv.Atoi(f) // digits
		n = append(n, v)
	}
	if month > 0 && len(n) == 2 {
		n = []int{n[0], month, n[1]}
	}
	if len(n) != 3 {
		return 0, 0, 0, false
	}
	if n[0] > 31 {
		n[0], n[2] = n[2], n[0]
	}
	if n[1] > 12 && n[0] <= 12 {
		n[0], n[1] = n[1], n[0]
	}
	day, m, year = n[0], n[1], n[2]
	return year, m, day, year >= 2000 && year < 2200 && m >= 1 && m <= 12 && day >= 1 && day <= 31
}

// monthOf returns the month with the longest prefix of word, 0 for none.
func monthOf(word string) (month int) {
	longest := 0
	for i, names := range months {
		for name := range strings.FieldsSeq(names) {
			if len(name) > longest && strings.HasPrefix(word, name) {
				month, longest = i+1, len(name)
			}
		}
	}
	return month
}

const (
	morning   = 1
	afternoon = 2
)

// dayHalf returns morning or afternoon if word, in the text all, means one of them; else 0.
func dayHalf(word, all string) int {
	switch word {
	case "am", "午前", "上午", "오전":
		return morning
	case "pm", "午後", "下午", "오후":
		return afternoon
	case "a", "p": // a. m., p. m.
		if strings.Contains(all, word+".m") || strings.Contains(all, word+". m") || strings.Contains(all, word+" m") {
			return map[string]int{"a": morning, "p": afternoon}[word]
		}
	}
	return 0
}

// latinMarks is the last accent of Latin letters. Those of kana come later and make another letter.
const latinMarks = 0x036F

// fold returns s in lower case and without accents. White space, and the characters for year, month and day, become
// spaces.
func fold(s string) string {
	var b strings.Builder
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("年月日년월일", r) {
			return ' '
		}
		return r
	}, strings.ToLower(s))
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.Mn, r) || r > latinMarks {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}
