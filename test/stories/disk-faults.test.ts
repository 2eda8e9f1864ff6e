/** The production build on a SQLite file whose disk fails, or that was damaged. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it, type TestContext } from "node:test";
import { createFaultyDisk, type FaultPlace } from "../support/disk-faults.ts";
import { fixtureNames, loadIntoSqlite } from "../support/filled-schema/fixtures.ts";
import { type Program, spawnProgram, startProgram, temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

const NOWHERE = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };
const EXCLUSIONS = "/api/v1/updates/exclusions";

interface Ready {
  storage: { connected: boolean; error: string | null };
}

/** Saves something and answers the status. */
async function save({ url }: Program, image: string): Promise<number> {
  const body = JSON.stringify({ image });
  return (await fetch(url + EXCLUSIONS, { method: "POST", headers: { "content-type": "application/json" }, body })).status;
}

async function saved(program: Program): Promise<string[]> {
  const { exclusions } = await program.get<{ exclusions: { image: string }[] }>(EXCLUSIONS);
  return exclusions.map(({ image }) => image).sort();
}

async function ready({ url }: Program): Promise<{ status: number } & Ready> {
  const answer = await fetch(`${url}/api/v1/ready`);
  return { ...((await answer.json()) as Ready), status: answer.status };
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a disk that fails under a running program", () => {
  const cases: [what: string, places: FaultPlace[], reason: RegExp][] = [
    ["writes to the log of the database", [{ call: "write", pathEnd: ".db-wal" }], /disk I\/O error/],
    ["syncs of the log of the database", [{ call: "sync", pathEnd: ".db-wal" }], /disk I\/O error/],
  ];
  for (const [what, places, reason] of cases) {
    it(`by refusing ${what} is reported, loses nothing that was answered, and is used again once it is well`, async (t) => {
      const disk = createFaultyDisk();
      const program = await startProgram({ env: { ...NOWHERE, ...disk.env } });
      t.after(() => program.kill());
      assert.equal(await save(program, "shop/before"), 201);
      disk.fail(...places);
      assert.equal(await save(program, "shop/during"), 503);
      const { status, storage } = await ready(program);
      assert.equal(status, 503);
      assert.match(storage.error ?? "", reason);
      assert.equal((await program.get<Ready>("/api/v1/health")).storage.connected, false);
      assert.match(program.log(), /"database lost"/);
      disk.heal();
      await until(async () => (await ready(program)).status === 200);
      assert.equal(await save(program, "shop/after"), 201);
      assert.deepEqual(await saved(program), ["shop/after", "shop/before"]);
      await program.kill();
      const next = await startProgram({ env: NOWHERE, dataDir: program.dataDir });
      t.after(() => next.kill());
      assert.deepEqual(await saved(next), ["shop/after", "shop/before"]);
    });
  }

  it("by refusing reads is reported once for as long as it lasts, answers nothing wrong, and is used again once it is well", async (t) => {
    const disk = createFaultyDisk();
    const dataDir = temporaryFolder();
    loadIntoSqlite(fixtureNames().at(-1) ?? "", join(dataDir, "binnacle.db"));
    const program = await startProgram({ env: { ...NOWHERE, ...disk.env }, dataDir });
    t.after(() => program.kill());
    const expected = await saved(program);
    disk.fail({ call: "read", pathEnd: ".db" }, { call: "read", pathEnd: ".db-wal" });
    // Nobody asked for these rows yet, so they are in no cache.
    const answer = await until(async () => {
      const asked = await fetch(`${program.url}/api/v1/webhooks/1/deliveries`);
      return asked.status === 503 ? asked : undefined;
    });
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, "storage_unavailable");
    assert.match((await ready(program)).storage.error ?? "", /binnacle\.db is damaged, or its disk cannot be read.*restore a backup/);
    // The database is looked for every second; it must not be found while its disk refuses to read.
    const from = performance.now();
    await until(async () => {
      assert.equal((await ready(program)).status, 503);
      return performance.now() - from > 2500;
    });
    assert.equal(count(program.log(), '"database lost"'), 1);
    disk.heal();
    await until(async () => (await ready(program)).status === 200);
    assert.equal(await save(program, "shop/after"), 201);
    assert.deepEqual(await saved(program), [...expected, "shop/after"].sort());
    assert.equal((await fetch(`${program.url}/api/v1/webhooks/1/deliveries`)).status, 200);
  });
});

describe("a damaged database file", () => {
  /** Starts the program on a filled file with one page overwritten; answers its exit code and what it wrote. */
  async function startDamaged(t: TestContext, harm: (bytes: Buffer, pageOf: (table: string) => [number, number]) => void) {
    const dataDir = temporaryFolder();
    const path = join(dataDir, "binnacle.db");
    loadIntoSqlite(fixtureNames().at(-1) ?? "", path);
    const file = new DatabaseSync(path);
    const [{ page_size: pageSize }] = file.prepare("PRAGMA page_size").all() as [{ page_size: number }];
    const root = file.prepare("SELECT rootpage AS page FROM sqlite_master WHERE name = ?");
    const bytes = readFileSync(path);
    harm(bytes, (table) => {
      const page = Number(root.get(table)?.["page"]);
      return [(page - 1) * pageSize, page * pageSize];
    });
    file.close();
    writeFileSync(path, bytes);
    const program = spawnProgram({ env: { ...NOWHERE, SERVICE_ADDR: "127.0.0.1:0" }, dataDir });
    t.after(() => program.kill());
    return { code: await program.exited, log: program.log() };
  }

  const cases: [what: string, harm: Parameters<typeof startDamaged>[1], sentence: RegExp][] = [
    ["its schema", (bytes) => bytes.fill(0xee, 100, 4096), /binnacle\.db cannot be used: it is damaged.*restore a backup/],
    [
      "its list of migrations",
      (bytes, pageOf) => bytes.fill(0xee, ...pageOf("schema_migrations")),
      /binnacle\.db is damaged.*restore a backup/,
    ],
    [
      "the containers",
      (bytes, pageOf) => bytes.fill(0xee, ...pageOf("containers")),
      /(while the program started|could not be prepared and was left as it was): the file .*binnacle\.db is damaged.*restore a backup/,
    ],
  ];
  for (const [what, harm, sentence] of cases) {
    it(`is named at the start with what to do when ${what} cannot be read`, async (t) => {
      const { code, log } = await startDamaged(t, harm);
      assert.equal(code, 2, log);
      assert.match(log, sentence);
      assert.doesNotMatch(log, /\n {4}at /, "no stack");
    });
  }
});
