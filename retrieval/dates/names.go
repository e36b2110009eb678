package dates

import (
	"strings"
	"sync"
	"time"
)

// language is a set of languages.
type language int

const (
	en language = 1 << iota
	de
	nl
	fr
	es
)

// words makes a table of words of the languages in which each occurs.
func words(lists map[language]string) map[string]language {
	all := make(map[string]language)
	for l, list := range lists {
		for _, word := range strings.Fields(list) {
			all[word] |= l
		}
	}
	return all
}

// name is the name of a month or a season.
type name struct {
	number    int // of the month, from 1; of the season, from 0
	languages language
	short     bool // an abbreviation: a date only beside a number
}

// names makes a table of lists that have the names in their order, the first of them being first. Slashes separate
// synonyms.
func names(first int, short, full map[language]string) map[string]name {
	all := make(map[string]name)
	add := func(lists map[language]string, short bool) {
		for l, list := range lists {
			for i, synonyms := range strings.Fields(list) {
				for synonym := range strings.SplitSeq(synonyms, "/") {
					known, ok := all[synonym]
					all[synonym] = name{first + i, known.languages | l, short && (!ok || known.short)}
				}
			}
		}
	}
	add(full, false)
	add(short, true)
	return all
}

// vocabulary is every word that matters, as fold writes it.
type vocabulary struct {
	months, seasons map[string]name
	thirds          map[string]name // of a month, before its name

	ambiguous map[string]language // months and seasons that are other words, too

	prepositions        map[string]language // before a month, a season or a year
	holidayPrepositions map[string]language
	dayPrepositions     map[string]language
	yearPrepositions    map[string]language
	articles            map[string]language
	parts               map[string]language // before "of" and a month: the end of May, au mois de mai
	of                  map[string]language
	since, after        map[string]language // what leaves the end open: with the days that are named, without them
	upTo, before        map[string]language // what leaves the beginning open
	between, and        map[string]language // from May to June
	through             map[string]language // May to June 2023
	numbered            map[string]language // what has such a number: Windows 2000
	counted             map[string]language // what a number before it counts, so that the number is not a year
	glue                map[string]language // follows a season or a holiday that names nothing: in the summer when

	begins map[string]bool // the words that a date can begin with

	units      map[string]unit
	weekdays   map[string]time.Weekday
	numbers    map[string]int
	lastBefore map[string]language // last week
	lastAfter  map[string]language // la semana pasada
	past       map[string]language // the past three weeks
	this       map[string]language
	daysBack   map[string]int      // yesterday
	ago        map[string]language // after a number and a unit
}

// readVocabulary returns the vocabulary, which is made for the first question.
var readVocabulary = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		months: names(1, map[language]string{
			en: "jan feb mar apr may jun jul aug sep/sept oct nov dec",
			de: "jan feb mar/mrz apr mai jun jul aug sep/sept okt nov dez",
			nl: "jan feb mrt apr mei jun jul aug sep/sept okt nov dec",
			fr: "janv/jan fevr/fev mars avr mai juin juil aout sept oct nov dec",
			es: "ene feb mar abr may jun jul ago sep/sept oct nov dic",
		}, map[language]string{
			en: "january february march april may june july august september october november december",
			de: "januar/janner februar/feber marz/maerz april mai juni juli august september oktober november dezember",
			nl: "januari februari maart april mei juni juli augustus september oktober november december",
			fr: "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre " +
				"decembre", //nolint:misspell // French
			es: "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
		}),
		seasons: names(0, nil, map[language]string{
			en: "spring summer autumn/fall winter",
			de: "fruhling/fruhjahr sommer herbst winter",
			nl: "lente/voorjaar zomer herfst/najaar winter",
			fr: "printemps ete automne hiver",
			es: "primavera verano otono invierno",
		}),
		thirds: names(0, nil, map[language]string{
			en: "early mid late", de: "anfang mitte ende", nl: "begin half/midden eind", fr: "debut mi fin",
		}),
		ambiguous: words(map[language]string{en: "may march spring fall", fr: "mars ete"}),

		prepositions: words(map[language]string{
			en: "in during since until till throughout around before after early late mid",
			de: "im seit bis ab anfang ende mitte wahrend",
			nl: "in sinds tot vanaf begin eind midden tijdens rond",
			fr: "en depuis debut fin mi pendant avant apres",
			es: "en desde hasta durante",
		}),
		holidayPrepositions: words(map[language]string{en: "at over on", de: "zu an uber", nl: "met", fr: "a", es: "por"}),
		dayPrepositions: words(map[language]string{
			en: "on by since until till before after from of to", de: "am seit bis ab vom", nl: "op sinds tot vanaf",
			fr: "le au du depuis avant apres", es: "el desde hasta del al",
		}),
		yearPrepositions: words(map[language]string{
			en: "by from of through for year back", de: "jahr jahre von fur", nl: "jaar van voor", fr: "annee de vers",
			es: "ano de para",
		}),
		articles: words(map[language]string{
			en: "the", de: "der den dem das", nl: "de het", fr: "le la l les", es: "el la los",
		}),
		parts: words(map[language]string{
			en: "end beginning start middle half week month rest", de: "monat", nl: "maand", fr: "mois fin debut milieu",
			es: "mes finales principios mediados",
		}),
		of: words(map[language]string{en: "of", de: "vom", nl: "van", fr: "de du d", es: "de del"}),
		since: words(map[language]string{
			en: "since", de: "seit ab", nl: "sinds vanaf", fr: "depuis", es: "desde",
		}),
		after:  words(map[language]string{en: "after", de: "nach", nl: "na", fr: "apres"}),
		upTo:   words(map[language]string{en: "until till", de: "bis", nl: "tot", es: "hasta"}),
		before: words(map[language]string{en: "before", de: "vor", nl: "voor", fr: "avant"}),
		between: words(map[language]string{
			en: "from between", de: "von zwischen vom", nl: "van tussen", fr: "de du entre", es: "de entre desde del",
		}),
		and: words(map[language]string{
			en: "to and until till through", de: "bis und", nl: "tot en", fr: "a au et", es: "a y hasta al",
		}),
		through: words(map[language]string{en: "to through until till", de: "bis", nl: "tot"}),
		numbered: words(map[language]string{
			en: "port room version number no nr id error code line page chapter issue bug ticket step windows office studio " +
				"server excel exchange sharepoint word rfc iso isbn",
		}),
		counted: words(map[language]string{
			en: "word words character characters token tokens dollars pounds euros usd gbp eur people calories kcal kg " +
				"km miles meters lines rows mb gb px times items points steps pages users requests bytes hours days " +
				"weeks months years",
			de: "worter zeichen euro leute kalorien zeilen",
		}),
		glue: words(map[language]string{
			en: "i we you he she it they my our the a an of and or but when while with without for from to at on in by as if " +
				"that what which who how did do does was were is are have had s before after about this last",
			de: "ich wir du er sie es mein unser der die das ein eine und oder aber als wenn mit ohne fur von zu bei in war " +
				"waren hat haben gemacht",
			nl: "ik we wij je hij zij het mijn ons de een en of maar toen als met zonder voor van bij in was waren heb hebben",
			fr: "je j nous tu il elle on mon notre le la les un une et ou mais quand avec sans pour de du a en dans etait",
			es: "yo nosotros mi el la los un una y o pero cuando con sin para de a en que fue",
		}),

		units: values(map[string]unit{
			"day days tag tage tagen dag dagen jour jours dia dias":                inDays,
			"week weeks woche wochen weken semaine semaines semana semanas":        inWeeks,
			"weekend weekends wochenende weekeinde":                                inWeekends,
			"month months monat monate monaten maand maanden mois mes meses":       inMonths,
			"quarter quarters quartal kwartaal trimestre":                          inQuarters,
			"year years jahr jahre jahren jaar jaren an ans annee annees ano anos": inYears,
			"hour hours stunde stunden uur uren heure heures hora horas":           inHours,
			"minute minutes": inMinutes,
		}),
		weekdays: values(map[string]time.Weekday{
			"sunday sonntag zondag dimanche domingo":         time.Sunday,
			"monday montag maandag lundi lunes":              time.Monday,
			"tuesday dienstag dinsdag mardi martes":          time.Tuesday,
			"wednesday mittwoch woensdag mercredi miercoles": time.Wednesday,
			"thursday donnerstag donderdag jeudi jueves":     time.Thursday,
			"friday freitag vrijdag vendredi viernes":        time.Friday,
			"saturday samstag zaterdag samedi sabado":        time.Saturday,
		}),
		numbers: values(map[string]int{
			"a an one ein eine einem einer een un une una":           1,
			"two couple zwei twee deux dos":                          2,
			"three few drei paar drie trois quelques tres unos unas": 3,
			"four several vier quatre cuatro":                        4, "five funf vijf cinq cinco": 5, "six sechs zes seis": 6,
			"seven sieben zeven sept siete": 7, "eight acht huit ocho": 8, "nine neun negen neuf nueve": 9,
			"ten zehn tien dix diez": 10, "eleven elf onze": 11, "twelve zwolf twaalf douze doce": 12,
		}),
		lastBefore: words(map[language]string{
			en: "last previous",
			de: "letzte letzten letzter letztes letztem vorige vorigen voriges vergangene vergangenen vergangenes",
			nl: "vorige vorig afgelopen laatste",
		}),
		lastAfter: words(map[language]string{fr: "dernier derniere passe passee", es: "pasado pasada"}),
		past: words(map[language]string{
			en: "past last", de: "letzten vergangenen", nl: "afgelopen laatste", fr: "derniers dernieres", es: "ultimos ultimas",
		}),
		this: words(map[language]string{
			en: "this", de: "diese diesen dieser dieses diesem", nl: "deze dit", fr: "cette ce cet", es: "este esta",
		}),
		daysBack: values(map[string]int{
			"today heute vandaag hoy": 0, "yesterday gestern gisteren ayer": 1, "vorgestern eergisteren anteayer": 2,
		}),
		ago: words(map[language]string{en: "ago back", nl: "geleden"}),
	}
	v.begins = values(map[string]bool{
		"day avant aujourd vor hace il past week q1 q2 q3 q4 first second third fourth last": true,
	})
	for _, h := range holidays {
		v.begins[h.words[0]] = true
	}
	addKeys(v.begins, v.months)
	addKeys(v.begins, v.seasons)
	addKeys(v.begins, v.thirds)
	addKeys(v.begins, v.units)
	addKeys(v.begins, v.weekdays)
	addKeys(v.begins, v.numbers)
	addKeys(v.begins, v.daysBack)
	for _, words := range []map[string]language{v.between, v.lastBefore, v.past, v.this} {
		addKeys(v.begins, words)
	}
	return v
})

func addKeys[T any](to map[string]bool, from map[string]T) {
	for word := range from {
		to[word] = true
	}
}

// values makes a table of the words of each key.
func values[T any](lists map[string]T) map[string]T {
	all := make(map[string]T)
	for list, value := range lists {
		for _, word := range strings.Fields(list) {
			all[word] = value
		}
	}
	return all
}

// unit is a stretch of the calendar.
type unit int

const (
	inDays unit = iota + 1
	inWeeks
	inWeekends
	inMonths
	inQuarters
	inYears
	inHours
	inMinutes
)

// holiday is a feast; its names are phrases.
type holiday int

const (
	christmas holiday = iota
	newYear
	newYearsEve
	easter
	thanksgiving
	halloween
	valentinesDay
)

// holidays are named by phrases, of which a longer one stands before its beginning.
var holidays = []struct {
	words     []string
	holiday   holiday
	languages language
}{
	{strings.Fields("christmas eve"), christmas, en},
	{strings.Fields("christmas day"), christmas, en},
	{strings.Fields("christmas"), christmas, en},
	{strings.Fields("xmas"), christmas, en},
	{strings.Fields("heiligabend"), christmas, de},
	{strings.Fields("weihnachten"), christmas, de},
	{strings.Fields("kerstmis"), christmas, nl},
	{strings.Fields("kerst"), christmas, nl},
	{strings.Fields("noel"), christmas, fr},
	{strings.Fields("navidad"), christmas, es},
	{strings.Fields("new year s eve"), newYearsEve, en},
	{strings.Fields("new years eve"), newYearsEve, en},
	{strings.Fields("new year s day"), newYear, en},
	{strings.Fields("new year s"), newYear, en},
	{strings.Fields("new year"), newYear, en},
	{strings.Fields("silvester"), newYearsEve, de},
	{strings.Fields("neujahr"), newYear, de},
	{strings.Fields("oud en nieuw"), newYearsEve, nl},
	{strings.Fields("nieuwjaar"), newYear, nl},
	{strings.Fields("nouvel an"), newYear, fr},
	{strings.Fields("nochevieja"), newYearsEve, es},
	{strings.Fields("ano nuevo"), newYear, es},
	{strings.Fields("easter"), easter, en},
	{strings.Fields("ostern"), easter, de},
	{strings.Fields("pasen"), easter, nl},
	{strings.Fields("paques"), easter, fr},
	{strings.Fields("semana santa"), easter, es},
	{strings.Fields("thanksgiving"), thanksgiving, en},
	{strings.Fields("halloween"), halloween, en | de | nl | fr | es},
	{strings.Fields("valentine s day"), valentinesDay, en},
	{strings.Fields("valentines day"), valentinesDay, en},
}
