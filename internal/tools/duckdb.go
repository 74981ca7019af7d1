package tools

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// duckDB is what Require and IWARP_REQUIRE call the npm package @duckdb/node-api, installed for all.
const duckDB = "duckdb"

//go:embed duckdb.js
var duckDBScript string

// nodePath is where npm installs packages for all.
var nodePath = sync.OnceValue(func() string {
	out, _ := exec.Command("npm", "root", "-g").Output()
	return "NODE_PATH=" + strings.TrimSpace(string(out))
})

// installed reports whether there is a program, or DuckDB.
func installed(name string) bool {
	if name == duckDB {
		node := exec.Command("node", "-e", "require.resolve('@duckdb/node-api')")
		node.Env = append(os.Environ(), nodePath())
		return node.Run() == nil
	}
	_, err := exec.LookPath(name)
	return err == nil
}

// DuckDB answers SQL statements, one after the other: the rows of each, with values as texts. The test is skipped if there is no
// DuckDB, and fails if a statement does.
func DuckDB(t testing.TB, statements ...string) (answers [][][]string) {
	t.Helper()
	Require(t, duckDB)
	in, _ := json.Marshal(statements)
	node := exec.Command("node", "-e", duckDBScript)
	node.Env = append(os.Environ(), nodePath())
	node.Stdin = bytes.NewReader(in)
	var complaints bytes.Buffer
	node.Stderr = &complaints
	out, err := node.Output()
	if err == nil {
		err = json.Unmarshal(out, &answers)
	}
	if err != nil {
		t.Fatalf("DuckDB: %v\n%s", err, &complaints)
	}
	return answers
}
