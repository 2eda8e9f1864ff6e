/** The baseline of series-write and series-read: a table with a row a sample, as simple and as fast as that can be, for the number of containers given. */
import { rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../../../test/support/program.ts";
import { type ContainerReadings, type ReadingColumn, TICK_MS } from "../../../src/observations.ts";
import { serveQuestions } from "../questions.ts";
import { makeReadings } from "../readings.ts";

const START_MS = Date.UTC(2026, 2, 1);
const STEP_MS = 120_000;
const KEPT = [
  "cpuPercent",
  "memoryBytes",
  "memoryLimitBytes",
  "networkRxBytesPerSecond",
  "networkTxBytesPerSecond",
  "diskReadBytesPerSecond",
  "diskWriteBytesPerSecond",
] as const satisfies readonly ReadingColumn[];

const count = Number(process.argv[2]);
const folder = temporaryFolder();
const file = join(folder, "rows.db");
const database = new DatabaseSync(file);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 67108864;
  CREATE TABLE samples (container_id INTEGER, at INTEGER, cpu REAL, memory INTEGER, memory_limit INTEGER, rx INTEGER, tx INTEGER,
    disk_read INTEGER, disk_write INTEGER, PRIMARY KEY (container_id, at)) WITHOUT ROWID`);
const insert = database.prepare("INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
const history = database.prepare(`SELECT (at - :from) / ${STEP_MS} AS step, AVG(cpu) AS cpu, MAX(cpu) AS cpu_max, AVG(memory) AS memory,
    MAX(memory) AS memory_max, AVG(memory_limit) AS memory_limit, AVG(rx) AS rx, AVG(tx) AS tx, AVG(disk_read) AS disk_read,
    AVG(disk_write) AS disk_write
  FROM samples WHERE container_id = :id AND at >= :from AND at < :to GROUP BY step`);
const readings = makeReadings(count);
let nowMs = START_MS;

/** The last 24 hours of a container in steps of two minutes, asked of the database as one would, in the shape in which the program answers. */
const server = createServer(({ url }, response) => {
  const [, id] = /containers\/(\d+)\//.exec(url ?? "") ?? [];
  const to = (Math.floor(nowMs / STEP_MS) + 1) * STEP_MS;
  const from = to - 86_400_000;
  const steps = (to - from) / STEP_MS;
  const found = new Map(history.all({ id: Number(id), from, to }).map((row) => [row["step"], row]));
  const numbers = (name: string, digits = 1): (number | null)[] =>
    Array.from({ length: steps }, (_, step) => {
      const value = found.get(step)?.[name];
      return typeof value === "number" ? Math.round(value * digits) / digits : null;
    });
  const body = JSON.stringify({
    container_id: Number(id),
    range: "24h",
    step_seconds: STEP_MS / 1000,
    series: {
      timestamps: Array.from({ length: steps }, (_, step) => new Date(from + step * STEP_MS).toISOString()),
      cpu_percent: numbers("cpu", 100),
      cpu_percent_max: numbers("cpu_max", 100),
      memory_bytes: numbers("memory"),
      memory_bytes_max: numbers("memory_max"),
      memory_limit_bytes: numbers("memory_limit"),
      network_rx_bytes_per_second: numbers("rx"),
      network_tx_bytes_per_second: numbers("tx"),
      disk_read_bytes_per_second: numbers("disk_read"),
      disk_write_bytes_per_second: numbers("disk_write"),
    },
    breaches: [],
  });
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(body) });
  response.end(body);
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveQuestions(typeof address === "object" && address !== null ? address.port : 0, {
    /** So many ticks, a transaction each; answers the CPU time without that of making them. */
    write({ write }) {
      let cpu = 0;
      for (let tick = 0; tick < Number(write); tick += 1) {
        const made = readings.at(nowMs);
        const before = process.cpuUsage();
        database.exec("BEGIN IMMEDIATE");
        for (let place = 0; place < count; place += 1) insertSample(made, place, nowMs);
        database.exec("COMMIT");
        const { user, system } = process.cpuUsage(before);
        cpu += user + system;
        nowMs += TICK_MS;
      }
      return { cpu };
    },
    /** So many ticks, sorted by container as the table is: the best that it can come to be. */
    fill({ fill }) {
      const ticks = Number(fill);
      const made = Array.from({ length: 360 }, (_, tick) => readings.at(nowMs + tick * TICK_MS));
      for (let place = 0; place < count; place += 1) {
        database.exec("BEGIN IMMEDIATE");
        for (let tick = 0; tick < ticks; tick += 1) {
          const ofHour = made[tick % made.length];
          if (ofHour !== undefined) insertSample(ofHour, place, nowMs + tick * TICK_MS);
        }
        database.exec("COMMIT");
      }
      nowMs += ticks * TICK_MS;
      return {};
    },
    close() {
      database.close();
      const { size } = statSync(file);
      rmSync(folder, { recursive: true });
      return { bytes: size };
    },
  });
});

function insertSample({ columns }: ContainerReadings, place: number, atMs: number): void {
  const [cpu, ...whole] = KEPT.map((name) => columns[name][place] ?? 0);
  insert.run(place + 1, atMs, Math.round((cpu ?? 0) * 100) / 100, ...whole.map(Math.round));
}
