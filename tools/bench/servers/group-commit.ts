/** The baseline of `pings`: bare node:http that inserts a row for each request, commits every 5 ms, and answers after the commit. */
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../../../test/support/program.ts";
import { serveQuestions } from "../questions.ts";

const GROUP_MS = 5;
const database = new DatabaseSync(join(temporaryFolder(), "pings.db"));
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE pings (id INTEGER PRIMARY KEY, path TEXT NOT NULL, received_at INTEGER NOT NULL);
`);
const insert = database.prepare("INSERT INTO pings (path, received_at) VALUES (?, ?)");
let waiting: { path: string; at: number; response: ServerResponse }[] = [];

const server = createServer((request, response) => {
  if (waiting.push({ path: request.url ?? "", at: Date.now(), response }) === 1) setTimeout(commit, GROUP_MS);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveQuestions(typeof address === "object" && address !== null ? address.port : 0);
});

function commit(): void {
  const group = waiting;
  waiting = [];
  database.exec("BEGIN IMMEDIATE");
  for (const { path, at } of group) insert.run(path, at);
  database.exec("COMMIT");
  for (const { response } of group) {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": 11 });
    response.end('{"ok":true}');
  }
}
