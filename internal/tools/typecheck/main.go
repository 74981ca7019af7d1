// Typecheck checks the types of every package and test of this module as a compiler for other systems would, in a tenth of the time
// that compilers take.
//
//	go run ./internal/tools/typecheck linux/s390x windows/amd64
//
// It finds what the system does not have, and constants that the size of a word does not hold. Of packages from elsewhere, it reads the
// declarations only.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, target := range os.Args[1:] {
		n, err := check(target, "./...")
		if err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", target, err)
		}
		failed = failed || err != nil || n > 0
	}
	if failed {
		os.Exit(1)
	}
}

// check prints the errors that packages and their tests have for a target, such as linux/s390x, and returns how many there are.
func check(target, pattern string) (errors int, err error) {
	system, processor, _ := strings.Cut(target, "/")
	all, err := packages.Load(&packages.Config{
		// Without NeedExportFile nothing is compiled: types come from the source.
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule,
		Tests: true,
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
	}, pattern)
	if err != nil {
		return 0, err
	}
	fmt.Printf("typecheck: %s: %d packages and tests\n", target, len(all))
	return packages.PrintErrors(all), nil
}
