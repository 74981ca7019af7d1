package ddp

import "testing"

// TestEmptySegment checks that an untagged message is whole only if all octets before an empty segment came, in any order.
func TestEmptySegment(t *testing.T) {
	type segment struct {
		Span
		last bool
	}
	for _, c := range []struct {
		name     string
		segments []segment
		whole    bool
	}{
		{"alone", []segment{{Span{0, 0}, true}}, true},
		{"last, after the others", []segment{{Span{0, 3}, false}, {Span{3, 3}, true}}, true},
		{"last, before the others", []segment{{Span{3, 3}, true}, {Span{0, 3}, false}}, true},
		{"behind a hole", []segment{{Span{57, 57}, true}, {Span{0, 3}, false}}, false},
		{"behind a hole that is filled", []segment{{Span{57, 57}, true}, {Span{0, 3}, false}, {Span{3, 57}, false}}, true},
		{"within", []segment{{Span{0, 8}, false}, {Span{4, 4}, false}, {Span{8, 9}, true}}, true},
	} {
		var o Octets
		o.Begin(Span{})
		for _, s := range c.segments {
			if over, ok := o.Add(s.Span, s.last); over != (Span{}) || !ok {
				t.Errorf("%s: %v came twice, %v", c.name, over, ok)
			}
		}
		if o.Whole() != c.whole {
			t.Errorf("%s: whole is %v", c.name, o.Whole())
		}
	}
}
