import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { until } from "../../../test/support/until.ts";
import { NOON, pulled, WEB, updateStory } from "../../../test/support/update-story.ts";
import { startUpdates, type WatchedUpdates } from "../../../test/support/updates.ts";
import { RegistryError } from "../../images/index.ts";
import { SCANS_KEPT } from "./store.ts";
import type { UpdateTables } from "./rows.ts";

const HOUR_MS = 3_600_000;

updateStory((story) => {
  const { restart, ask, record, status, summary, scan } = story;

  it("says what went wrong with an image on that image alone", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    const other = story.memory.push("registry.lan:5000/shop/api:1.0.0", { content: "api" });
    story.memory.break("registry.lan:5000", new RegistryError("unauthorized", "registry.lan:5000 asks for a login\u001b[31m."));
    const images = [
      pulled("web", "web:1.0.0", old),
      pulled("api", "registry.lan:5000/shop/api:1.0.0", other),
      pulled("built", "shop/own:1", { digest: "sha256:1", platforms: [{ digest: "", configDigest: "sha256:1" }] }),
      pulled("odd", "Not a name", other),
      pulled("by-id", other.digest, other),
    ];
    await story.watched.show(...images);
    await scan();
    assert.equal(await status("web"), "up_to_date");
    const api = await record("api");
    assert.deepEqual([api.status, api.check_error], ["unknown", "registry.lan:5000 asks for a login."]);
    const built = await record("built");
    assert.deepEqual([built.status, built.check_error], ["unknown", null]);
    assert.match(built.status_reason ?? "", /may have been built or loaded/);
    assert.match((await record("odd")).check_error ?? "", /name/);
    assert.match((await record("by-id")).status_reason ?? "", /image's id/);
    const { last_scan: last } = await summary();
    assert.deepEqual(last?.errors.map(({ image }) => image).toSorted(), ["Not a name", "registry.lan:5000/shop/api:1.0.0"]);
    assert.deepEqual([last?.status, last?.total, last?.scanned], ["completed", 4, 4]);
    assert.equal(story.watched.updates.severitiesOf(story.watched.idOf("api")), undefined);

    story.memory.break("registry.lan:5000", undefined);
    story.memory.push("registry.lan:5000/shop/api:1.1.0", { content: "new" });
    await story.clock.advance(1000);
    await scan();
    assert.equal(await status("api"), "available");
    story.memory.break("registry.lan:5000", new RegistryError("timeout", "Too slow."));
    await scan();
    const kept = await record("api");
    assert.deepEqual([kept.status, kept.check_error], ["available", "Too slow."]);
    assert.equal(story.watched.published("update.detected").length, 1);
  });

  it("holds nobody up for a registry that hangs, and is stopped at once", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    const slow = Array.from({ length: 30 }, (_, index) =>
      pulled(`s${index}`, `slow.example/x${index}:1.0.0`, story.memory.push(`slow.example/x${index}:1.0.0`, { content: "s" })),
    );
    story.memory.break("slow.example", "hangs");
    await story.watched.show(...slow, pulled("web", "web:1.0.0", old));
    const { body } = (await ask("POST", "/scan")) as { body: { scan_id: string } };
    await until(async () => (await status("web")) === "up_to_date");
    await assert.rejects(ask("POST", "/scan"), /runs already/);
    await until(async () => (await summary()).scanning?.scanned === 1);
    assert.equal(story.memory.requests.filter((request) => request.includes("slow.example")).length, 4);
    await story.clock.advance(1000);
    assert.equal(story.watched.published("update.scan_progress").length, 1);

    // The clock stands still: what waited for the registry would wait for ever.
    await story.watched.stop();
    await restart();
    const ended = (await ask("GET", "/scan/{scan_id}", { params: { scan_id: body.scan_id } })) as { status: string; failure: string };
    assert.deepEqual([ended.status, ended.failure], ["failed", "It was stopped with the program."]);
    assert.equal(await status("web"), "up_to_date");
    await assert.rejects(ask("GET", "/scan/{scan_id}", { params: { scan_id: "x" } }), /no scan/);
  });

  it("gives up on an image whose registry never ends", async () => {
    story.memory.break("slow.example", "hangs");
    await story.watched.show(pulled("slow", "slow.example/x:1.0.0", story.memory.push("slow.example/x:1.0.0", { content: "s" })));
    await ask("POST", "/scan");
    await until(() => story.memory.requests.length > 0);
    await story.clock.advance(120_000);
    await until(() => story.watched.published("update.scan_completed").length === 1);
    assert.match((await record("slow")).check_error ?? "", /two minutes/);
  });

  it("ends the scan that a crash left, and lets only one program scan", async () => {
    story.memory.break("docker.io", "hangs");
    await story.watched.show(pulled("web", "web:1.0.0", story.memory.push(`${WEB}:1.0.0`, { content: "old" })));
    const { body } = (await ask("POST", "/scan")) as { body: { scan_id: string } };
    // A second program on the same database, while the first is at it or was killed.
    const second = await startUpdates({
      database: story.database,
      clock: createFakeClock(new Date(NOON.getTime() + 1000)),
      memory: story.memory,
    });
    const later = await startUpdates({
      database: story.database,
      clock: createFakeClock(new Date(NOON.getTime() + 60_000)),
      memory: story.memory,
    });
    try {
      const handle = (of: WatchedUpdates, path: string) =>
        of.updates.routes.find((route) => route.path.endsWith(path))?.handle as (request: object) => Promise<unknown>;
      if (story.databaseName === "postgresql") {
        const known = (await handle(later, "{scan_id}")({ params: { scan_id: body.scan_id } })) as { status: string };
        assert.equal(known.status, "failed");
      }
      const known = (await handle(second, "{scan_id}")({ params: { scan_id: body.scan_id } })) as { status: string; failure: string };
      assert.deepEqual([known.status, known.failure], ["failed", "The program that ran it was ended."]);
      await handle(later, "/scan")({});
      await assert.rejects(handle(second, "/scan")({}), /runs already/);
      // The first is not dead after all: it sees that another one took over, and leaves it alone.
      await story.clock.advance(5000);
      await until(() => story.watched.published("update.scan_completed").length === 1);
      assert.equal(story.watched.published("update.scan_completed")[0]?.status, "failed");
      await assert.rejects(handle(second, "/scan")({}), /runs already/);
    } finally {
      await second.stop();
      await later.stop();
    }
  });

  it("scans by itself: 30 s after the first start, then by the interval, and not again after a restart", async () => {
    const intervalMs = HOUR_MS;
    await restart({ intervalMs });
    await story.watched.show(pulled("web", "web:1.0.0", story.memory.push(`${WEB}:1.0.0`, { content: "old" })));
    const scans = (): number => story.watched.published("update.scan_completed").length;
    assert.equal((await summary()).next_scan_at, new Date(NOON.getTime() + 30_000).toISOString());
    await story.clock.advance(29_000);
    assert.equal(scans(), 0);
    await story.clock.advance(1_000);
    await until(() => scans() === 1);
    assert.equal(story.watched.published("update.scan_started")[0]?.trigger, "schedule");
    await restart({ intervalMs, chance: () => 0 });
    await story.clock.advance(HOUR_MS * 0.9);
    assert.equal(scans(), 0);
    await story.clock.advance(HOUR_MS / 10);
    await until(() => scans() === 1);
    await restart({ intervalMs, chance: () => 1 });
    const { next_scan_at: next, last_scan_at: last } = await summary();
    assert.equal(Date.parse(next ?? "") - Date.parse(last ?? ""), HOUR_MS * 0.9);
    await story.clock.advance(HOUR_MS * 0.9);
    await until(() => scans() === 1);
    assert.equal((await summary()).counts.up_to_date, 1);
  });

  it("tries again after 30 s when a scan could not begin", async () => {
    await restart({ intervalMs: HOUR_MS });
    const tables = story.database.tables<UpdateTables>();
    await tables.write((tx) => sql`alter table update_scan_claim rename to lost_claim`.execute(tx));
    await story.clock.advance(30_000);
    await until(async () => (await summary()).next_scan_at === new Date(NOON.getTime() + 60_000).toISOString());
    assert.deepEqual(story.watched.published("update.scan_started"), []);
    await tables.write((tx) => sql`alter table lost_claim rename to update_scan_claim`.execute(tx));
    await story.clock.advance(30_000);
    await until(() => story.watched.published("update.scan_completed").length === 1);
  });

  it("waits no longer than the interval where the clock was set back", async () => {
    await restart({ intervalMs: HOUR_MS });
    await story.clock.advance(30_000);
    await until(() => story.watched.published("update.scan_completed").length === 1);
    story.clock.jump(new Date(NOON.getTime() - 365 * 24 * HOUR_MS));
    await restart({ intervalMs: HOUR_MS });
    await story.clock.advance(1.1 * HOUR_MS);
    await until(() => story.watched.published("update.scan_completed").length === 1);
  });

  it("asks nobody by itself when that is switched off, and still when somebody asks", async () => {
    await restart({ intervalMs: null });
    await story.watched.show(pulled("web", "web:1.0.0", story.memory.push(`${WEB}:1.0.0`, { content: "old" })));
    assert.equal((await summary()).next_scan_at, null);
    await story.clock.advance(HOUR_MS / 10);
    assert.deepEqual(story.watched.published("update.scan_started"), []);
    await story.scan();
    assert.equal((await summary()).counts.up_to_date, 1);
    assert.equal((await summary()).next_scan_at, null);
  });

  it("keeps the latest scans, and forgets images that no container has had for a week", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    const other = story.memory.push("docker.io/library/other:1.0.0", { content: "old" });
    await story.watched.show(pulled("web", "web:1.0.0", old), pulled("other", "other:1.0.0", other));
    await scan();
    await story.clock.advance(1000);
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await story.clock.advance(600_000);
    await story.watched.show(pulled("web", "web:1.0.0", old));
    story.clock.jump(new Date(NOON.getTime() + 8 * 24 * HOUR_MS));
    await scan();
    const tables = story.database.tables<UpdateTables>();
    assert.equal((await tables.read.selectFrom("update_images").select("subject").execute()).length, 1);
    const { trigger: started_by, ...rest } = {
      trigger: "manual",
      status: "completed",
      failure: null,
      started_at: 1,
      completed_at: 1,
      total: 0,
      scanned: 0,
      updates_found: 0,
      errors: "[]",
    };
    const rows = Array.from({ length: SCANS_KEPT + 20 }, (_, index) => ({ scan_id: `s${index}`, started_by, ...rest }));
    await tables.write((tx) => tx.insertInto("update_scans").values(rows).execute());
    await scan();
    assert.equal((await tables.read.selectFrom("update_scans").select("id").execute()).length, SCANS_KEPT);
  });
});
