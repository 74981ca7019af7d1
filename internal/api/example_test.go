package api_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/internal/api"
)

func ExamplePackage() {
	lines, err := api.Package("../spelling")
	for _, line := range lines {
		fmt.Println(line)
	}
	fmt.Println(err)
	// Output:
	// func Closest[T comparable](all iter.Seq[T], n int, far func(T) int) []T
	// func DidYouMean(words []string) string
	// func Distance(a, b string) int
	// func Fold(name string) string
	// func Nearest(word string, words []string, n int) []string
	// func Or(words []string) string
	// func Remoteness(word, w string) int
	// func Suggest(word string, words []string, n int) string
	// <nil>
}
