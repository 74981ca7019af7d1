// Package textless blanks the texts of the rules, so that tests can show that nothing depends on them.
package textless

import (
	"reflect"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// identifiers are the fields whose strings are identifiers. All others are for people.
var identifiers = []string{
	"Name", "IDs", "About", // of rules, situations, peers and their remarks
	"ID", "Doc", "Section", "Who", "Observable", "Scope", "Key", // of requirements
}

// Blank replaces every text of the catalogue of requirements, of rules, situations and peers by "x" until the test ends.
// No other test may run at the same time. It returns the number of texts.
func Blank(t testing.TB) (n int) {
	blank := func(v any) { n += replace(t, reflect.ValueOf(v)) }
	for r := range rfc.All() {
		blank(r)
	}
	for r := range rpcrules.All() {
		blank(r)
	}
	blank(&rules.Situations)
	for _, p := range slices.Concat(peers.RNICs, peers.UpperLayers) {
		blank(p)
	}
	return n
}

// replace replaces the texts in v, and returns how many it found.
func replace(t testing.TB, v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		if text := v.String(); text != "" {
			v.SetString("x")
			t.Cleanup(func() { v.SetString(text) })
			return 1
		}
	case reflect.Pointer:
		return replace(t, v.Elem())
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			if v.Index(i).Kind() != reflect.Pointer { // the rules that a deviation breaks are not part of it
				n += replace(t, v.Index(i))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !slices.Contains(identifiers, f.Name) {
				n += replace(t, v.Field(i))
			}
		}
	}
	return n
}
