// The baseline of `start`: what any program of this kind must do, and nothing else.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(process.argv[3]);
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, text TEXT)");
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ status: "ok" }));
});
server.listen(Number(process.argv[2]), "127.0.0.1");
