package conform

import (
	"strings"
	"testing"
)

// library returns a few cases.
func library() []Question {
	section := func(document, number string, cases ...Case) Section {
		return Section{Document: document, Number: number, Cases: func() []Case { return cases }}
	}
	yes := Text("")
	return Questions([]Section{
		section("RFC5041", "5.2", Case{Name: "zero", Requirements: []string{"DDP-5.2-11"}, Ask: yes}),
		section("RFC5041", "7.1", Case{Name: "msn", Requirements: []string{"DDP-7.1-5"}, Ask: yes},
			Case{Name: "mo", Requirements: []string{"DDP-7.1-3"}, Ask: yes, Crasher: true}),
		section("RFC5044", "7.1.2", Case{Name: "key", Requirements: []string{"MPA-7.1.1-2"}, Ask: yes}),
	})
}

func TestSelect(t *testing.T) {
	for _, tt := range []struct{ words, want string }{
		{"", "zero msn mo key"},
		{"RFC5041", "zero msn mo"},
		{"rfc5041/7", "msn mo"},
		{"RFC5041/7.1", "msn mo"},
		{"RFC5041/7.1/mo", "mo"},
		{"DDP-7.1-5 RFC5044/7.1", "msn key"},
		{"RFC5041/7.1/mo RFC5041", "zero msn mo"},
	} {
		some, err := Select(library(), strings.Fields(tt.words))
		var names []string
		for _, q := range some {
			names = append(names, q.Name)
			if named := strings.HasPrefix(tt.words, "RFC5041/7.1/mo"); q.Named != (named && q.Name == "mo") {
				t.Errorf("%q: %s is named: %v", tt.words, q.Name, q.Named)
			}
		}
		if got := strings.Join(names, " "); err != nil || got != tt.want {
			t.Errorf("%q: %s, %v", tt.words, got, err)
		}
	}
}

func TestSelectErrors(t *testing.T) {
	for _, tt := range []struct{ word, want string }{
		{"RFC5041/7.2", "RFC5041/7.1?"},
		{"DDP-7.1-9", "no case tests DDP-7.1-9"},
		{"RFC5041/7.1/m", "RFC5041/7.1/m"},
		{"RFC504", "RFC5041"},
		{"unheard-of", "requirement; tested documents are RFC5041, RFC5044"},
		{"rfc5041/7.1/Kye", "did you mean RFC5044/7.1.2/key?"},
		{"RFC5041/5.2/mo", "did you mean RFC5041/7.1/mo?"},
	} {
		if _, err := Select(library(), []string{tt.word}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v", tt.word, err)
		}
	}
}
