/**
 * The baseline of `ingest`: grpc-js and protobuf as they come. One bidirectional method takes batches of the same protocol, inserts a row for each
 * event, and answers after the commit. With
 * the argument `tls` it speaks TLS.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fromBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerDuplexStream } from "@grpc/grpc-js";
import { makeSelfSigned } from "../../../src/fleet/own-certificate.ts";
import { type AgentMessage, AgentMessageSchema, INGEST_SERVICE } from "../../../src/fleet/wire/index.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { serveQuestions } from "../questions.ts";

type Call = ServerDuplexStream<AgentMessage, Uint8Array>;

const database = new DatabaseSync(join(temporaryFolder(), "rows.db"));
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 67108864;
  CREATE TABLE events (id INTEGER PRIMARY KEY, container_id INTEGER, at INTEGER, cpu REAL, memory INTEGER, memory_limit INTEGER, rx INTEGER,
    tx INTEGER, disk_read INTEGER, disk_write INTEGER)`);
const insert = database.prepare(
  `INSERT INTO events (container_id, at, cpu, memory, memory_limit, rx, tx, disk_read, disk_write) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const SAVED = Buffer.alloc(8);
const containers = new Map<string, number>();
let waiting: { call: Call; message: AgentMessage }[] = [];

/** What arrived within one turn of the event loop is committed together. */
function commit(): void {
  const group = waiting;
  waiting = [];
  database.exec("BEGIN IMMEDIATE");
  for (const { message } of group) insertAll(message);
  database.exec("COMMIT");
  for (const { call } of group) call.write(SAVED);
}

function insertAll({ body }: AgentMessage): void {
  if (body.case !== "batch") return;
  for (const { observedAtMs, body: event } of body.value.events) {
    if (event.case !== "hostSampled") continue;
    const { hostname, cpuPercent = 0, memoryBytes = 0, memoryTotalBytes = 0, load, diskBytes = 0, diskTotalBytes = 0 } = event.value;
    const id = containers.get(hostname) ?? containers.size + 1;
    containers.set(hostname, id);
    insert.run(id, observedAtMs, cpuPercent, memoryBytes, memoryTotalBytes, load[0] ?? 0, load[1] ?? 0, diskBytes, diskTotalBytes);
  }
}

function secure(): ServerCredentials {
  const { certificate, key } = makeSelfSigned(["localhost", "127.0.0.1"], new Date());
  return ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }]);
}

const server = new Server();
server.addService(
  { push: { ...INGEST_SERVICE.push, requestDeserialize: (bytes: Buffer): AgentMessage => fromBinary(AgentMessageSchema, bytes) } },
  {
    push(call: Call) {
      call.on("error", () => undefined);
      call.on("data", (message: AgentMessage) => {
        if (waiting.push({ call, message }) === 1) setImmediate(commit);
      });
    },
  },
);
server.bindAsync("127.0.0.1:0", process.argv[2] === "tls" ? secure() : ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  serveQuestions(port);
});
