package turn_test
import ("testing";"strings";"time";"lens/internal/cleantext";"lens/retrieval";"lens/tui/turn")
func TestZZ(t *testing.T){
 for _,p:=range []string{"[","> ","* ","- ","  - ","*a_","**a ","`","<","![","&#x41;","|a","|-","1. ","\\","a","世","a ","[a](","[a][","~~","<!--","<a ","#","\n","\t","```\n","- a\n  ","* * ","_a*","](","[^1]:","&amp;","http://a.b/","x@y.z ", "\u0301","क\u094d", "> - ", "|a\n|-\n", "a\n: b\n", "- [ ] ", "[a]: b\n"} {
  for _,n:=range []int{4000,64000}{
   s:=cleantext.Text(strings.Repeat(p,n/len(p)))
   for _,w:=range []int{1,80}{
   st:=time.Now()
   turn.Render(&retrieval.Turn{User: s, Assistant: s}, turn.Options{Width: w}, dark)
   if d:=time.Since(st); d>500*time.Millisecond { t.Logf("%q %d width %d: %v",p,n,w,d) }
   }
  }
 }
}
