// Answers queries of DuckDB: standard input has a JSON array of statements, standard output gets the array of their rows, each an
// array of values as texts.
const { DuckDBInstance } = require('@duckdb/node-api');
const statements = JSON.parse(require('fs').readFileSync(0, 'utf8'));
(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const answers = [];
  for (const statement of statements) {
    const reader = await connection.runAndReadAll(statement);
    answers.push(reader.getRows().map((row) => row.map(String)));
  }
  process.stdout.write(JSON.stringify(answers));
})().catch((error) => { console.error(String(error)); process.exit(1); });
