import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { temporaryFolder } from "../../../test/support/program.ts";
import { contentsOf, emptyStores, type Store } from "../../../test/support/stores.ts";
import { StartError } from "../../platform/errors.ts";
import { openBackup, restoreInto, writeBackup } from "./index.ts";

const ENGINES = ["sqlite", "postgresql"] as const;
const stores = emptyStores();
after(() => stores.stop());

const FACTS = { programVersion: "1.2.3", takenAt: new Date("2026-03-01T12:00:00Z"), files: { "note.txt": Buffer.from("kept") } };

async function backUp(store: Store): Promise<string> {
  const path = join(temporaryFolder(), "test.backup");
  const source = await store.source();
  try {
    await writeBackup(source, path, FACTS);
  } finally {
    await source.close();
  }
  return path;
}

async function restore(path: string, store: Store, revocation?: Parameters<typeof restoreInto>[2]) {
  const source = await openBackup(path);
  const target = await store.target();
  try {
    return await restoreInto(target, source, revocation);
  } finally {
    await target.close();
    await source.close();
  }
}

for (const from of ENGINES)
  for (const into of ENGINES)
    describe(`a backup of ${from}, restored into ${into}`, () => {
      it("has every row of every table, and the last ids given out", async () => {
        const store = await stores.filled(from);
        const path = await backUp(store);
        assert.equal(statSync(path).mode & 0o777, 0o600);
        const restored = await stores.of(into);
        const { rows, kept } = await restore(path, restored);
        const wanted = await contentsOf(store);
        assert.ok(Object.keys(wanted.rows).length > 50, "the filled database has rows in nearly all tables");
        assert.deepEqual(await contentsOf(restored), wanted);
        assert.equal(rows, Object.values(wanted.rows).flat().length);
        assert.equal(kept, null);
      });
    });

for (const engine of ENGINES)
  describe(`a restore over a database of ${engine}`, () => {
    it("keeps what was there before", async () => {
      const store = await stores.filled(engine);
      const empty = await stores.filled("sqlite");
      const path = await backUp(empty);
      const { kept } = await restore(path, store);
      assert.match(kept ?? "", engine === "sqlite" ? /binnacle\.db\.before-restore-\d{8}T\d{6}Z$/ : /public_before_restore_\d{8}t\d{6}z$/);
      assert.deepEqual(await contentsOf(store), await contentsOf(empty));
    });

    it("takes back what the backup lets in, and nothing else", async () => {
      const filled = await stores.filled(engine);
      const path = await backUp(filled);
      // Before anything that the filled database has expires.
      const at = new Date("2020-01-01T00:00:00Z");
      const sessionsEndAt = new Date("2020-01-31T00:00:00Z");
      const restored = await stores.of(engine);
      await restore(path, restored, { at, sessionsEndAt });
      const { rows: before } = await contentsOf(filled);
      const { rows, counters } = await contentsOf(restored);
      const changed = Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(rows[name]));
      assert.deepEqual(changed.toSorted(), ["ended_sessions", "enrollment_tokens", "mcp_codes", "mcp_connections", "mcp_tokens"]);
      assert.deepEqual([rows["mcp_tokens"], rows["mcp_codes"]], [undefined, undefined]);
      assert.ok(rows["ended_sessions"]?.includes(JSON.stringify(["*", at.getTime(), sessionsEndAt.getTime()])));
      assert.deepEqual(counters, (await contentsOf(filled)).counters);
      const source = await restored.source();
      const tables = new Map<string, Record<string, unknown>[]>();
      for await (const batch of source.read())
        tables.set(
          batch.table.name,
          batch.rows.map((row) => Object.fromEntries(batch.table.columns.map((column, index) => [column, row[index]]))),
        );
      await source.close();
      const open = tables.get("enrollment_tokens")?.filter((each) => each["consumed_at"] === null) ?? [];
      assert.ok(open.length > 0 && open.every((each) => Number(each["expires_at"]) <= at.getTime()));
      const connections = tables.get("mcp_connections") ?? [];
      assert.ok(
        connections.some((each) => each["revoked_at"] === at.getTime()) && connections.every((each) => each["revoked_at"] !== null),
      );
    });

    it("refuses a damaged backup, and changes nothing", async () => {
      const path = await backUp(await stores.filled("sqlite"));
      const text = gunzipSync(readFileSync(path)).toString();
      const lines = text.split("\n").slice(0, -1);
      const store = await stores.filled(engine);
      const before = await contentsOf(store);
      const cases: readonly (readonly [string, Buffer, RegExp])[] = [
        ["no gzip", Buffer.from(text), /incorrect header check/],
        ["cut", readFileSync(path).subarray(0, -100), /unexpected end of file/],
        ["no trailer", gzipSync(`${lines.slice(0, -1).join("\n")}\n`), /ends too early/],
        ["a row lost", gzipSync(text.replace(/"rows":\[\[.*?\](,|\])/, '"rows":[$1'.replace(",", ""))), /./],
        ["a byte changed", gzipSync(text.replace("shop", "shoq")), /checksum is another/],
        ["a table lost", gzipSync(`${[...lines.slice(0, 2), ...lines.slice(3)].join("\n")}\n`), /checksum is another/],
        ["more after its end", gzipSync(`${text}{}\n`), /something after its end/],
        ["something else", gzipSync("hello\n"), /a line is not as a backup has it/],
      ];
      // What reads a backup is the same before both databases.
      for (const [name, bytes, reason] of engine === "sqlite" ? cases : cases.slice(4, 5)) {
        const damaged = join(temporaryFolder(), "damaged.backup");
        writeFileSync(damaged, bytes);
        await assert.rejects(restore(damaged, store), (error) => error instanceof StartError && reason.test(error.message), name);
      }
      assert.deepEqual(await contentsOf(store), before);
      if (engine === "sqlite")
        assert.deepEqual(
          readdirSync(dirname(store.place)).filter((name) => /before-restore|incoming/.test(name)),
          [],
        );
    });
  });

it("refuses a backup of a newer program, and one of other migrations", async () => {
  const path = await backUp(await stores.filled("sqlite"));
  const text = gunzipSync(readFileSync(path)).toString();
  const store = await stores.of("sqlite");
  const changed = async (from: string | RegExp, to: string): Promise<string> => {
    writeFileSync(path, gzipSync(text.replace(from, to)));
    return restore(path, store).then(
      () => "",
      (error: Error) => error.message,
    );
  };
  assert.match(
    await changed('"001-containers"', '"999-future"'),
    /The backup .* was written by a newer version of the program \(it has 999-future\)/,
  );
  assert.match(await changed(/("name":"009-alerts","checksum":")../, "$1zz"), /prepared by another form of the migration 009-alerts/);
  assert.match(
    await changed('"format_version":1', '"format_version":2'),
    /has the format 2, which this version of the program does not know/,
  );
});

it("does not write over a file, and leaves nothing of a backup that fails", async () => {
  const store = await stores.filled("sqlite");
  const path = await backUp(store);
  const source = await store.source();
  await assert.rejects(writeBackup(source, path, FACTS), /is there already/);
  await assert.rejects(writeBackup(source, "/proc/none/x.backup", FACTS), StartError);
  await source.close();
  assert.deepEqual(readdirSync(dirname(path)), ["test.backup"]);
});
