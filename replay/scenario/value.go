package scenario

import "fmt"

// A Value is what a header field holds: a number, or a variable and a number that is added to it modulo 2^64.
type Value struct {
	Var    string // the name of the variable; empty for a number
	Number uint64
}

// Constant is the Value n.
func Constant(n uint64) Value { return Value{Number: n} }

// Values are what variables stand for, by their names. A variable that is not there is not known yet.
type Values map[string]uint64

// Resolve is the number that v is. It is false if its variable is not known.
func (v Value) Resolve(values Values) (n uint64, ok bool) {
	if v.Var == "" {
		return v.Number, true
	}
	n, ok = values[v.Var]
	return n + v.Number, ok
}

// Match compares v with the number that is in its place on the wire, which has so many bits. If its variable is not
// known, values learns it.
func (v Value) Match(n uint64, bits int, values Values) bool {
	mask := ^uint64(0) >> (64 - bits)
	want, known := v.Resolve(values)
	if !known {
		values[v.Var] = (n - v.Number) & mask
		return true
	}
	return want&mask == n
}

// Fields are header fields and their values.
type Fields []Field

// A Field is a header field and its value. Its name is that of the field tables of codec/ddp and codec/rdmap, the
// Label, without the blanks: "SinkSTag", "RequestIdentifier".
type Field struct {
	Name  string
	Value Value
}

// Lookup is the value of the named field; false if it is not there.
func (f Fields) Lookup(name string) (Value, bool) {
	for i := range f {
		if f[i].Name == name {
			return f[i].Value, true
		}
	}
	return Value{}, false
}

// An Unknown is a variable whose value is asked for before it is known.
type Unknown struct{ Name string }

// Error names the variable.
func (u *Unknown) Error() string { return fmt.Sprintf("$%s is not known yet", u.Name) }
