package main

import (
	"strings"
	"testing"

	"lens/retrieval"
)

// What is usual is said of every topic, and that there is more or less of one only where it is much, and no chance.
func TestPrintAbout(t *testing.T) {
	out, printed := fakeScreen(t)
	out.color = false
	printAbout(out, &retrieval.About{Turns: 100, Conversations: 20, Others: 500, Topics: []retrieval.AboutTopic{
		{Label: "Rust", Turns: 40, Conversations: 9, Share: .4, Usual: .1, Z: 3, Unusual: true},
		{Label: "Docker", Turns: 32, Conversations: 1, Share: .32, Usual: .08, Z: .5, Mostly: &retrieval.AboutTitle{
			Title: "An interview", Turns: 32,
		}},
		{Label: "Oven", Turns: 10, Conversations: 3, Share: .1, Usual: .2, Z: 3},
		{Label: "Stew", Turns: 8, Conversations: 2, Share: .08, Usual: 0, Z: 1, Mostly: &retrieval.AboutTitle{
			Title: "Sunday", Turns: 7,
		}},
		{Label: "Letters", Turns: 2, Conversations: 2, Share: .02, Usual: .3, Z: -2.5, Less: true},
		{Label: "Steam", Turns: 2, Conversations: 2, Share: .02, Usual: .024, Z: -2.5},
		{Label: "Games", Turns: 1, Conversations: 1, Share: .01, Usual: .1, Z: -1},
	}})
	want := `all time · 100 turns · 20 chats
40% (40 turns in 9 chats): Rust; usually 10%, more than usual
32% (32 turns in 1 chat): “An interview”, in the topic Docker; usually 8%
10% (10 turns in 3 chats): Oven; usually 20%
8% (8 turns in 2 chats): Stew, mostly “Sunday” (7); usually none
2% (2 turns in 2 chats): Steam; usually 2.4%
1% (1 turn in 1 chat): Games; usually 10%
less than usual: Letters (2%, usually 30%)
“More” and “less than usual”: in turns as well as in chats, and unlikely to be chance
`
	if got := printed(); got != want {
		t.Errorf("it says\n%s", got)
	}
	out, printed = fakeScreen(t)
	rust := retrieval.AboutTopic{Label: "Rust", Turns: 2, Share: 1}
	printAbout(out, &retrieval.About{Turns: 2, Others: 500, Topics: []retrieval.AboutTopic{rust}})
	if got := printed(); strings.Contains(got, "by chance") {
		t.Errorf("it explains what it does not say:\n%s", got)
	}
	more, less := retrieval.AboutTopic{Label: "Rust", Unusual: true}, retrieval.AboutTopic{Label: "Oven", Less: true}
	for want, topic := range map[string]retrieval.AboutTopic{
		"“More than usual”: in turns": more, "“Less than usual”: in turns": less,
	} {
		out, printed = fakeScreen(t)
		out.color = false
		printAbout(out, &retrieval.About{Turns: 100, Others: 500, Topics: []retrieval.AboutTopic{topic}})
		if got := printed(); !strings.Contains(got, "\n"+want) {
			t.Errorf("no line begins with %s:\n%s", want, got)
		}
	}
}
