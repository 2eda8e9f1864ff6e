import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { type Kysely, sql } from "kysely";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createLogCapture } from "../../test/support/log-capture.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { repetitions } from "../../test/support/repetitions.ts";
import { chanceOf } from "../../test/support/seed.ts";
import { mountSmallDisk } from "../../test/support/small-disk.ts";
import { until } from "../../test/support/until.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { isServiceError, StartError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import type { Database } from "./database.ts";
import { CHECKPOINT_PAGES, createCheckpoint, openFile } from "./sqlite-file.ts";
import { openSqlite } from "./sqlite.ts";

interface Schema {
  entries: { id: number };
}

const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
const opened: Database[] = [];
after(async () => {
  for (const database of opened) await database.stop();
  rmSync(folder, { recursive: true, force: true });
});

const unavailable = (error: unknown): boolean => isServiceError(error, "storage_unavailable");
const startError = (sentence: RegExp) => (error: unknown) => error instanceof StartError && sentence.test(error.message);

let count = 0;
/** A new path in its own folder. */
function newPath(): string {
  const own = join(folder, String((count += 1)));
  mkdirSync(own);
  return join(own, "x.db");
}

async function open(path: string, clock: Clock = systemClock) {
  const database = openSqlite({ path, clock, log: silentLog });
  opened.push(database);
  await database.start();
  const { read, write } = database.tables<Schema>();
  await write((tx) => sql`CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY)`.execute(tx));
  return {
    database,
    add: (id: number) => write((tx: Kysely<Schema>) => tx.insertInto("entries").values({ id }).execute()),
    ids: async (): Promise<number[]> => (await read.selectFrom("entries").select("id").orderBy("id").execute()).map(({ id }) => id),
  };
}

describe("a database file that goes away while the program runs", () => {
  it("refuses writes instead of losing them, still reads, and continues when the file is back", async () => {
    const path = newPath();
    const { database, add, ids } = await open(path);
    await add(1);
    const aside = join(folder, "aside");
    const files = ["", "-wal", "-shm"];
    mkdirSync(aside);
    for (const end of files) renameSync(`${path}${end}`, join(aside, `x${end}`));
    await assert.rejects(add(2), unavailable);
    await assert.rejects(add(3), unavailable);
    assert.match(database.status().error ?? "", /x\.db was removed or replaced.*Put it back, or restart/);
    assert.deepEqual(await ids(), [1]);
    assert.equal(existsSync(path), false, "no new file is begun behind its back");
    for (const end of files) renameSync(join(aside, `x${end}`), `${path}${end}`);
    await until(() => database.status().connected);
    await add(4);
    await database.stop();
    assert.deepEqual(await (await open(path)).ids(), [1, 4]);
  });

  for (const [how, harm] of Object.entries({
    deleted: (path: string) => ["", "-wal", "-shm"].forEach((end) => rmSync(`${path}${end}`)),
    "replaced by a copy": (path: string) => {
      cpSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
    "robbed of its write-ahead log": (path: string) => rmSync(`${path}-wal`),
  })) {
    it(`refuses writes when it was ${how}, and the next start works`, async () => {
      const path = newPath();
      const clock = createFakeClock();
      const { database, add } = await open(path, clock);
      await add(1);
      harm(path);
      await assert.rejects(add(2), unavailable);
      await clock.advance(3000);
      assert.equal(database.status().connected, false, "asking again does not make it another file");
      await database.stop();
      const next = await open(path);
      await next.add(3);
      assert.deepEqual(await next.ids(), how === "deleted" ? [3] : [1, 3]);
    });
  }
});

describe("a database file that cannot be written", () => {
  const asNobody = async (work: () => Promise<void>): Promise<void> => {
    const NOBODY = 65_534;
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  };
  const give = (path: string): void => {
    if (process.geteuid?.() !== 0) return;
    chmodSync(folder, 0o755);
    chownSync(path, 65_534, 65_534);
  };

  it("is reported at the start, with what to do", async () => {
    const path = newPath();
    give(join(path, ".."));
    await asNobody(async () => {
      const { database, add } = await open(path);
      await add(1);
      chmodSync(path, 0o444);
      await add(2);
      await database.stop();
      await assert.rejects(
        open(path),
        startError(/x\.db cannot be used: it, or a file beside it .* is read-only for this user\. Name another with SERVICE_DB/),
      );
      for (const name of readdirSync(join(path, ".."))) chmodSync(join(path, "..", name), 0o644);
      assert.deepEqual(await (await open(path)).ids(), [1, 2], "made read-only while open, it was still written");
    });
  });

  it("nor a folder that nothing can be made in", async () => {
    const path = newPath();
    chmodSync(join(path, ".."), 0o555);
    await asNobody(async () => {
      await assert.rejects(open(path), startError(/x\.db cannot be used: it cannot be opened or created by this user/));
      await assert.rejects(open(join(path, "deeper", "x.db")), startError(/cannot be used: EACCES.*SERVICE_DATA_DIR/));
    });
  });

  it("because the disk is full: writes are refused, reads still work, and it recovers when there is room", async () => {
    const disk = mountSmallDisk(1);
    try {
      const { database, add, ids } = await open(join(disk.folder, "x.db"));
      await add(1);
      const filler = join(disk.folder, "filler");
      assert.throws(() => writeFileSync(filler, Buffer.alloc(2_000_000)), /ENOSPC/);
      const refusedAt = await until(async () => {
        for (let id = 1000; id < 1100; id += 1) if (await add(id).then(() => false, unavailable)) return id;
        return undefined;
      });
      assert.equal(database.status().connected, false);
      const kept = await ids();
      assert.deepEqual(kept, [1, ...Array.from({ length: refusedAt - 1000 }, (_, index) => 1000 + index)]);
      rmSync(filler);
      await until(() => database.status().connected);
      await add(2);
      assert.deepEqual(await ids(), [1, 2, ...kept.slice(1)]);
      await database.stop();
    } finally {
      disk.remove();
    }
  });
});

describe("old versions of rows", () => {
  /** A file of 16 megabytes, twice what a connection keeps in memory. */
  async function openFilled(path: string): Promise<Awaited<ReturnType<typeof open>>> {
    const all = await open(path);
    await all.database.tables<object>().write(async (tx) => {
      await sql`CREATE TABLE filled (bytes BLOB)`.execute(tx);
      for (let row = 0; row < 16; row += 1) await sql`INSERT INTO filled VALUES (randomblob(1000000))`.execute(tx);
    });
    return all;
  }

  it("leave the file where the disk of temporary files is small", async () => {
    const disk = mountSmallDisk(1);
    const setting = new DatabaseSync(":memory:");
    try {
      setting.exec(`PRAGMA temp_store_directory = '${disk.folder}'`);
      const path = join(folder, "that's new.db");
      const { database, add } = await openFilled(path);
      await database.tables<object>().write((tx) => sql`DELETE FROM filled WHERE rowid > 13`.execute(tx));
      assert.equal(await database.forgetOldRows(["filled"]), true);
      assert.ok(statSync(path).size < 14_000_000);
      assert.equal(statSync(`${path}-wal`).size, 0);
      assert.deepEqual(setting.prepare("PRAGMA temp_store_directory").all(), []);
      await add(1);
    } finally {
      await opened.at(-1)?.stop();
      setting.exec("PRAGMA temp_store_directory = ''");
      setting.close();
      disk.remove();
    }
  });

  it("stay when the disk has no room for a copy, and the database is not lost", async () => {
    const disk = mountSmallDisk(36);
    try {
      const path = join(disk.folder, "x.db");
      // Its log is emptied when it is closed.
      await (await openFilled(path)).database.stop();
      writeFileSync(join(disk.folder, "filler"), Buffer.alloc(8_000_000));
      const { database, add, ids } = await open(path);
      await assert.rejects(database.forgetOldRows(["filled"]), /disk is full/);
      assert.equal(statSync(`${path}-wal`).size, 0);
      assert.deepEqual(database.status(), { connected: true, error: null });
      await add(1);
      assert.deepEqual(await ids(), [1]);
    } finally {
      await opened.at(-1)?.stop();
      disk.remove();
    }
  });
});

/** A separate process that opens the file and prints which entries were confirmed as saved. */
function startStorm(path: string): { child: ChildProcess; saved: number[]; exited: Promise<void> } {
  const url = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { openSqlite } from ${url("./sqlite.ts")};
    import { systemClock } from ${url("../platform/clock.ts")};
    import { silentLog } from ${url("../platform/log.ts")};
    import { sql } from ${JSON.stringify(import.meta.resolve("kysely"))};
    const database = openSqlite({ path: ${JSON.stringify(path)}, clock: systemClock, log: silentLog });
    await database.start();
    const { read, write } = database.tables();
    await write((tx) => sql\`CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY)\`.execute(tx));
    let next = (await sql\`SELECT COALESCE(MAX(id), 0) AS id FROM entries\`.execute(read)).rows[0].id;
    const storm = async () => {
      for (;;) {
        const id = (next += 1);
        await write((tx) => tx.insertInto("entries").values({ id }).execute());
        process.stdout.write(id + "\\n");
      }
    };
    await Promise.all(Array.from({ length: 20 }, storm));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  const saved: number[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => void saved.push(Number(line)));
  return { child, saved, exited: new Promise((resolve) => lines.once("close", resolve)) };
}

it("a stop leaves one whole file, used or not", async () => {
  const path = newPath();
  const database = openSqlite({ path, clock: systemClock, log: silentLog });
  await database.start();
  await database.stop();
  assert.deepEqual(readdirSync(join(path, "..")).sort(), ["x.db", "x.db-lock"]);
});

describe("several programs and sudden ends", () => {
  it("a second program is refused while one runs, and served once that one is gone, even killed", async () => {
    const path = newPath();
    const { child, saved, exited } = startStorm(path);
    await until(() => saved.length > 0);
    await assert.rejects(open(path), startError(/x\.db cannot be used: another program that is running uses it/));
    const before = saved.length;
    await until(() => saved.length > before, { what: "the first continues" });
    child.kill("SIGKILL");
    await exited;
    const { database } = await open(path);
    await database.stop();
    assert.equal(statSync(`${path}-lock`).size, 0);
  });

  const kills = repetitions({ gate: 5, long: 20 });
  it(`${kills} kills in a storm of writes lose nothing that was confirmed as saved`, async (context) => {
    const chance = chanceOf(context);
    const path = newPath();
    let confirmed = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, saved, exited } = startStorm(path);
      await until(() => saved.length > 0, { everyMs: 1 });
      await new Promise((resolve) => setTimeout(resolve, chance.below(50)));
      child.kill("SIGKILL");
      await exited;
      confirmed += saved.length;
      const { database, ids } = await open(path);
      const kept = new Set(await ids());
      assert.deepEqual(
        saved.filter((id) => !kept.has(id)),
        [],
        `lost after kill ${kill + 1}`,
      );
      await database.stop();
    }
    assert.ok(confirmed > 5 * kills, `only ${confirmed} writes were tried`);
  });
});

const PAGE_BYTES = 4096;

/** A database whose log grows by so many pages at a time. */
function growing() {
  const path = join(temporaryFolder(), "x.db");
  const file = openFile(path);
  file.exec("CREATE TABLE pages (content BLOB)");
  const { log, text } = createLogCapture();
  const add = (pages: number): void => {
    // Each row has its own overflow page.
    file.exec("BEGIN");
    for (let page = 0; page < pages; page += 1) file.exec(`INSERT INTO pages VALUES (zeroblob(${PAGE_BYTES}))`);
    file.exec("COMMIT");
  };
  const size = (suffix: string): number => statSync(path + suffix).size;
  const waiting = (): number => {
    const row = file.prepare("PRAGMA wal_checkpoint(NOOP)").get();
    return Number(row?.["log"]) - Number(row?.["checkpointed"]);
  };
  return { path, file, text, add, size, waiting, checkpoint: createCheckpoint({ path, file, log }) };
}

it("a log that has grown is moved into the file, and starts over", async () => {
  const { file, add, size, waiting, checkpoint } = growing();
  add(CHECKPOINT_PAGES / 2);
  await checkpoint();
  assert.ok(waiting() > 0, "a short one stays");
  add(CHECKPOINT_PAGES);
  const most = size("-wal");
  for (let time = 0; time < 4; time += 1) {
    await checkpoint();
    assert.equal(waiting(), 0);
    add(CHECKPOINT_PAGES);
  }
  assert.equal(size("-wal"), most);
  assert.ok(size("") > 4 * CHECKPOINT_PAGES * PAGE_BYTES);
  assert.equal(file.prepare("PRAGMA quick_check").get()?.["quick_check"], "ok");
  file.close();
});

it("what a reader still needs stays in the log, and is moved once it has grown by as much again", async () => {
  const { path, file, add, waiting, checkpoint } = growing();
  const reader = openFile(path);
  reader.exec("BEGIN; SELECT * FROM pages");
  add(CHECKPOINT_PAGES);
  await checkpoint();
  assert.ok(waiting() >= CHECKPOINT_PAGES);
  reader.exec("COMMIT");
  await checkpoint();
  assert.ok(waiting() >= CHECKPOINT_PAGES, "it is not tried at each commit");
  add(CHECKPOINT_PAGES);
  await checkpoint();
  assert.equal(waiting(), 0);
  reader.close();
  file.close();
});

it("a file that is gone is logged and not created, and nothing is lost", async () => {
  const { path, file, text, add, waiting, checkpoint } = growing();
  add(CHECKPOINT_PAGES);
  renameSync(path, `${path}.away`);
  await checkpoint();
  assert.ok(!existsSync(path));
  assert.match(text(), /could not be moved into the database file/);
  renameSync(`${path}.away`, path);
  add(CHECKPOINT_PAGES);
  await checkpoint();
  assert.equal(waiting(), 0);
  file.close();
});
