import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import pg from "pg";
import { createPostgresDatabase, sharedPostgres } from "../support/databases.ts";
import { spawnProgram, startProgram, temporaryFolder } from "../support/program.ts";
import { LICENSES, mintLicense } from "../../tools/license.ts";

/** Why each file is what it is: name, mode, size, time and contents. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const { mode, size, mtimeMs } = statSync(path);
      const bytes = statSync(path).isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
      return [name, mode.toString(8), size, mtimeMs, bytes].join(" ");
    });
}

async function doctor(dataDir: string, env: Record<string, string> = {}): Promise<{ code: number | null; text: string }> {
  const { exited, log } = spawnProgram({ args: ["doctor"], env: { SERVICE_ADDR: "127.0.0.1:9", ...env }, dataDir });
  const code = await exited;
  return { code, text: log() };
}

const licence = () => mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 30 });
const lineOf = (text: string, subject: string): string => text.split("\n").find((line) => line.includes(` ${subject}: `)) ?? "";

describe("doctor only reads", () => {
  it("makes nothing in an empty folder, nor a folder", async () => {
    const folder = temporaryFolder();
    const before = filesOf(folder);
    const { text } = await doctor(folder, { SERVICE_LICENSE_KEY: licence() });
    assert.match(lineOf(text, "database"), /^ok .*is empty; the first start prepares it/);
    assert.match(lineOf(text, "licence"), /pro edition/);
    assert.deepEqual(filesOf(folder), before);
    const absent = join(folder, "a/b");
    const { text: again } = await doctor(folder, { SERVICE_DATA_DIR: absent });
    assert.match(lineOf(again, "data folder"), /^ok .*is not there yet; it will be made/);
    assert.deepEqual(filesOf(folder), before);
  });

  it("leaves the folder of a program byte for byte, after a clean end and after a kill", async () => {
    const program = await startProgram();
    const { dataDir } = program;
    await program.kill();
    const killed = filesOf(dataDir);
    assert.ok(killed.some((line) => line.startsWith("binnacle.db-wal")));
    const { text } = await doctor(dataDir, { SERVICE_LICENSE_KEY: licence() });
    assert.match(lineOf(text, "database"), /^ok .*its schema is current/);
    assert.deepEqual(filesOf(dataDir), killed);
    const restarted = await startProgram({ dataDir });
    await restarted.stop();
    const stopped = filesOf(dataDir);
    assert.match(lineOf((await doctor(dataDir)).text, "database"), /^ok .*its schema is current/);
    assert.deepEqual(filesOf(dataDir), stopped);
  });

  it("says how many migrations wait, and applies none", async () => {
    const program = await startProgram();
    const { dataDir } = program;
    await program.stop();
    const path = join(dataDir, "binnacle.db");
    const file = new DatabaseSync(path);
    file.exec("DELETE FROM schema_migrations WHERE name IN (SELECT name FROM schema_migrations ORDER BY name DESC LIMIT 2)");
    file.close();
    const before = filesOf(dataDir);
    assert.match(lineOf((await doctor(dataDir)).text, "database"), /^ok .*2 migrations wait for the next start, from \d{3}-/);
    assert.deepEqual(filesOf(dataDir), before);
  });

  it("says what is wrong with the key of the stored secrets", async () => {
    const program = await startProgram({ env: { SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true" } });
    const { dataDir } = program;
    const body = JSON.stringify({ name: "Ops", type: "webhook", url: "http://127.0.0.1:9/s3cret" });
    const made = await fetch(`${program.url}/api/v1/channels`, { method: "POST", headers: { "content-type": "application/json" }, body });
    assert.equal(made.status, 201);
    await program.stop();
    assert.equal(readFileSync(join(dataDir, "binnacle.db"), "latin1").includes("s3cret"), false);
    assert.match(lineOf((await doctor(dataDir)).text, "stored secrets"), /^ok .*the key is there, for this user alone/);
    const path = join(dataDir, "secret.key");
    chmodSync(path, 0o644);
    assert.match(lineOf((await doctor(dataDir)).text, "stored secrets"), /^warn .*other users can read .*secret\.key; run chmod 600/);
    const other = await doctor(dataDir, { SERVICE_SECRET_KEY: "0".repeat(64) });
    assert.match(lineOf(other.text, "stored secrets"), /^fail .*does not open the secrets in the database/);
    rmSync(path);
    const missing = await doctor(dataDir);
    assert.match(lineOf(missing.text, "stored secrets"), /^fail .*secret\.key is missing, and the database holds secrets/);
    assert.equal(missing.code, 1);
    const refused = spawnProgram({ env: { SERVICE_ADDR: "127.0.0.1:0" }, dataDir });
    assert.equal(await refused.exited, 2);
    assert.match(refused.log(), /Stored secrets cannot be opened: their key is missing/);
  });

  it("says that another program has the file", async () => {
    const program = await startProgram();
    assert.match(lineOf((await doctor(program.dataDir)).text, "database"), /^fail .*another program that is running uses it/);
    await program.stop();
  });

  it("asks the program that is running how its database is", async (t) => {
    const program = await startProgram();
    t.after(() => program.stop());
    const { text } = await doctor(program.dataDir, { SERVICE_ADDR: `127.0.0.1:${program.port}` });
    assert.equal(lineOf(text, "database"), "ok    database: sqlite, in use by the program that is running");
  });

  it("says that the program that is running has lost its database", async (t) => {
    const storage = { engine: "postgresql", connected: false };
    const health = { status: "ok", version: "1.2.3", mode: "server", storage, runtime: { connected: true } };
    const running = createServer((_, response) => void response.end(JSON.stringify(health)));
    t.after(() => running.close());
    await once(running.listen(0, "127.0.0.1"), "listening");
    const { port } = running.address() as AddressInfo;
    const { text } = await doctor(temporaryFolder(), { SERVICE_ADDR: `127.0.0.1:${port}` });
    assert.equal(
      lineOf(text, "database"),
      "fail  database: postgresql, in use by the program that is running, which has lost it; see its log",
    );
  });

  it("takes a database of the future for what it is", async () => {
    const program = await startProgram();
    await program.stop();
    const file = new DatabaseSync(join(program.dataDir, "binnacle.db"));
    file.exec("INSERT INTO schema_migrations (name, applied_at) VALUES ('999-later', 1)");
    file.close();
    rmSync(join(program.dataDir, "binnacle.db-lock"), { force: true });
    const { code, text } = await doctor(program.dataDir);
    assert.equal(code, 1);
    assert.match(lineOf(text, "database"), /^fail .*newer version.*999-later/);
  });
});

describe("doctor only reads PostgreSQL", () => {
  let server: Awaited<ReturnType<typeof sharedPostgres>>;
  after(() => server.stop());

  async function schemaOf(url: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ table_name: string }>(
      "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2, 3",
    );
    const tables = new Set(rows.map(({ table_name }) => table_name));
    const contents = [];
    for (const name of tables) contents.push((await client.query(`SELECT xmin, t.* FROM ${name} t ORDER BY 1::text, 2::text`)).rows);
    await client.end();
    return [rows, contents];
  }

  it("in an empty database, in one with waiting migrations, and in a current one", async () => {
    server = await sharedPostgres();
    const url = await createPostgresDatabase(server.url);
    const folder = temporaryFolder();
    const env = { SERVICE_DATABASE_URL: url };
    assert.match(lineOf((await doctor(folder, env)).text, "database"), /^ok .*is empty; the first start prepares it/);
    assert.deepEqual(await schemaOf(url), [[], []]);

    const program = await startProgram({ env, dataDir: folder });
    await program.stop();
    const current = await schemaOf(url);
    assert.match(lineOf((await doctor(folder, env)).text, "database"), /^ok .*its schema is current/);
    assert.deepEqual(await schemaOf(url), current);

    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("DELETE FROM schema_migrations WHERE name = (SELECT MAX(name) FROM schema_migrations)");
    await client.end();
    const before = await schemaOf(url);
    assert.match(lineOf((await doctor(folder, env)).text, "database"), /^ok .*1 migration waits for the next start/);
    assert.deepEqual(await schemaOf(url), before);
  });
});
