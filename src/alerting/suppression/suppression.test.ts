import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { SUPPRESSION_BOUNDS } from "../../contract/suppression.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { anAlert, openSuppression, type OpenedSuppression } from "../../../test/support/routing.ts";
import { type WatchedTasks, watchTasks } from "../../../test/support/watched-tasks.ts";
import type { Event } from "../../events.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { SilenceBody } from "./api.ts";
import type { MaintenanceRecord, SilenceRecord } from "./answers.ts";
import { KEPT } from "./period.ts";
import { createSilences } from "./silences.ts";
import { createSilenceStore } from "./store.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const SILENCES = "/api/v1/silence";
const WINDOWS = "/api/v1/status/maintenance";

/** As many silences as there may be, each until an hour after noon, and the body of one more. */
async function manySilences(database: Database, clock: FakeClock) {
  const bus = createBus<Event>(silentLog);
  const service = createSilences({
    store: createSilenceStore(database),
    bus,
    clock,
    alerts: () => [],
    groupOf: () => undefined,
    changed: () => undefined,
  });
  const bound: SilenceBody = { reason: "x", ends_at: "2026-03-01T13:00:00Z", matchers: { source: "container" } };
  for (let count = 0; count < SUPPRESSION_BOUNDS.records; count += 1) await service.create(bound);
  return { service, bound };
}

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let suppression: OpenedSuppression;
  let routes: DeclaredRoutes;

  const after = (minutes: number): string => new Date(noon.getTime() + minutes * 60_000).toISOString();

  async function open(): Promise<void> {
    const coverOf = (components: readonly number[]) => components.map((id) => ({ type: "container", id: String(id + 40) }));
    suppression = await openSuppression(database, clock, {
      active: [anAlert(), anAlert({ id: 2, source: "endpoint" })],
      components: { coverOf, hasComponent: (id) => id < 10 },
    });
    routes = declaredRoutes(createTestServer({ routes: suppression.routes }), suppression.routes);
  }

  /** Moves the hands, then looks, as happens every second. */
  async function pass(minutes: number): Promise<void> {
    clock.jump(new Date(clock.now().getTime() + minutes * 60_000));
    await suppression.look();
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    await open();
  });

  const silence = async (body: object = {}): Promise<SilenceRecord> =>
    (await routes.check(
      "POST",
      SILENCES,
      {},
      {
        reason: "disk swap",
        ends_at: after(60),
        matchers: { source: "container" },
        ...body,
      },
    )) as SilenceRecord;
  const plan = async (body: object = {}): Promise<MaintenanceRecord> =>
    (await routes.check(
      "POST",
      WINDOWS,
      {},
      {
        title: "disk swap",
        starts_at: after(0),
        ends_at: after(60),
        entities: [{ entity_type: "container", entity_id: "42" }],
        ...body,
      },
    )) as MaintenanceRecord;
  const listed = async (all = false): Promise<string[]> => {
    const { silences } = await routes.check("GET", SILENCES, all ? { all: true } : {});
    return (silences as SilenceRecord[]).map(({ id, status }) => `${id} ${status}`);
  };
  const windows = async (): Promise<string[]> => {
    const { maintenance } = await routes.check("GET", WINDOWS);
    return (maintenance as MaintenanceRecord[]).map(({ id, status }) => `${id} ${status}`);
  };

  describe("without anybody looking", () => {
    /** What was published until so many seconds after noon. */
    async function until(seconds: number): Promise<string[]> {
      while (clock.now().getTime() < noon.getTime() + seconds * 1000) {
        await clock.advance(500);
        await tasks.idle();
      }
      return suppression.published();
    }

    let tasks: WatchedTasks;
    let runs = 0;

    beforeEach(async () => {
      tasks = watchTasks(createScheduler(clock, silentLog), (what) => void (runs += what === "begin" ? 1 : 0));
      suppression = await openSuppression(database, clock, { scheduler: tasks.scheduler });
      routes = declaredRoutes(createTestServer({ routes: suppression.routes }), suppression.routes);
      runs = 0;
    });

    it("a silence expires within the second, and a window begins and ends", async () => {
      await until(40);
      await silence({ ends_at: after(3) });
      await plan({ starts_at: after(0.75), ends_at: after(1.25), entities: [{ entity_type: "container", entity_id: "42" }] });
      const published = ["silence.created", "maintenance.created"];
      const changes: [atSeconds: number, name: string][] = [
        [45, "maintenance.started"],
        [75, "maintenance.ended"],
        [180, "silence.expired"],
      ];
      for (const [atSeconds, name] of changes) {
        assert.deepEqual(await until(atSeconds - 0.5), published);
        published.push(name);
        assert.deepEqual(await until(atSeconds + 0.5), published);
      }
    });

    it("nothing runs but twice a minute as long as nothing is planned", async () => {
      await until(600);
      assert.ok(runs <= 21, `${runs} runs`);
    });

    it("what a set clock made due is found within half a minute", async () => {
      await silence({ ends_at: after(60) });
      clock.jump(new Date(after(61)));
      assert.deepEqual(await until(61 * 60 + 31), ["silence.created", "silence.expired"]);
    });
  });

  describe("silences", () => {
    it("hold back what they match from their start to their end, and are over by themselves", async () => {
      const made = await silence({ starts_at: after(10), ends_at: after(20), created_by: "  ada " });
      assert.deepEqual(made, {
        id: made.id,
        reason: "disk swap",
        starts_at: after(10),
        ends_at: after(20),
        matchers: { source: "container" },
        created_by: "ada",
        created_at: noon.toISOString(),
        cancelled_at: null,
        status: "pending",
      });
      assert.equal(suppression.silencing(anAlert(), clock.now()), undefined);
      await pass(10);
      assert.deepEqual(suppression.silencing(anAlert(), clock.now()), { id: made.id, reason: "disk swap", until: new Date(after(20)) });
      assert.equal(suppression.silencing(anAlert({ source: "endpoint" }), clock.now()), undefined);
      assert.deepEqual(await listed(), [`${made.id} active`]);
      clock.jump(new Date(after(20)));
      assert.equal(suppression.silencing(anAlert(), clock.now()), undefined, "before anybody looked");
      assert.deepEqual(await listed(), []);
      await suppression.look();
      await suppression.look();
      assert.deepEqual(await listed(true), [`${made.id} expired`]);
      assert.deepEqual(suppression.published(), ["silence.created", "silence.expired"]);
      assert.equal(suppression.changes(), 3, "made, begun, over");
    });

    it("are the same after a restart, and what was missed is published once", async () => {
      await silence({ ends_at: after(5) });
      const later = await silence({ matchers: { label: "team=shop", agent_id: "local" }, starts_at: after(30) });
      clock.jump(new Date(after(10)));
      await open();
      await suppression.look();
      assert.deepEqual(suppression.published(), ["silence.expired"]);
      const { silences } = await routes.check("GET", SILENCES);
      assert.deepEqual(silences, [later]);
      await open();
      await suppression.look();
      assert.deepEqual(suppression.published(), []);
      await pass(20);
      assert.equal(suppression.silencing(anAlert({ labels: { team: "shop" } }), clock.now())?.id, later.id);
    });

    it("are published as expired by one of two servers alone", async () => {
      await silence({ ends_at: after(5) });
      const first = suppression;
      await open();
      await pass(5);
      await first.look();
      assert.deepEqual([first.published(), suppression.published()], [["silence.created"], ["silence.expired"]]);
    });

    it("are cancelled once", async () => {
      const { id } = await silence();
      await routes.check("DELETE", `${SILENCES}/{id}`, { id });
      assert.equal(suppression.silencing(anAlert(), clock.now()), undefined);
      assert.deepEqual(await listed(), []);
      const again = await routes.ask("DELETE", `${SILENCES}/${id}`);
      assert.equal(again.status, 409);
      assert.match(JSON.stringify(again.body), /is over already: it was cancelled at 2026-03-01T12:00:00.000Z/);
      assert.equal((await routes.ask("DELETE", `${SILENCES}/4711`)).status, 404);
      await pass(120);
      assert.deepEqual(suppression.published(), ["silence.created", "silence.cancelled"]);
      await open();
      assert.deepEqual(await listed(true), [`${id} cancelled`]);
    });

    it("name the one that lasts longest", async () => {
      await silence({ ends_at: after(30) });
      const { id } = await silence({ ends_at: after(90) });
      await silence({ ends_at: after(60) });
      assert.equal(suppression.silencing(anAlert(), clock.now())?.id, id);
    });

    it("show before they are made which active alerts they would match", async () => {
      const preview = await routes.check("POST", `${SILENCES}/preview`, {}, { matchers: { entity_id: "42", source: "endpoint" } });
      assert.partialDeepStrictEqual(preview, { total: 1, alerts: [{ id: 2, source: "endpoint", entity_name: "web" }] });
      assert.equal((await routes.ask("POST", `${SILENCES}/preview`, { matchers: {} })).status, 400);
      assert.deepEqual(suppression.events, []);
    });

    it("are bounded in number, and so is what is over", async () => {
      const { service, bound } = await manySilences(database, clock);
      await assert.rejects(service.create(bound), /There are 1000 silences in force already/);
      clock.jump(new Date(after(61)));
      for (let round = 0; round < 3; round += 1) await service.advance();
      await service.create({ ...bound, ends_at: after(62) });
      clock.jump(new Date(after(63)));
      await service.advance();
      assert.equal(service.list(true).total, 1000);
      assert.equal(service.list(false).total, 0);
    });

    it("are kept for looking back, but not for ever", async () => {
      const { id } = await silence({ ends_at: after(5) });
      await pass(5);
      await pass(KEPT.days * 1440);
      assert.deepEqual(await listed(true), [`${id} expired`]);
      await pass(60);
      assert.deepEqual(await listed(true), []);
      await open();
      assert.deepEqual(await listed(true), []);
    });
  });

  describe("maintenance windows", () => {
    it("begin and end by themselves, and cover what they name and what depends on it", async () => {
      const made = await plan({ starts_at: after(10), ends_at: after(20), description: " new\u0000 disks " });
      assert.deepEqual(made, {
        id: made.id,
        title: "disk swap",
        description: "new disks",
        starts_at: after(10),
        ends_at: after(20),
        components: [],
        entities: [{ entity_type: "container", entity_id: "42" }],
        status: "scheduled",
        created_at: noon.toISOString(),
        updated_at: noon.toISOString(),
      });
      const endpoint = anAlert({ entity: { type: "endpoint", id: "1" }, parents: [{ type: "container", id: "42" }] });
      assert.equal(suppression.maintaining(anAlert(), clock.now()), undefined);
      await pass(10);
      const running = { id: made.id, title: "disk swap", until: new Date(after(20)) };
      assert.deepEqual(
        [anAlert(), endpoint].map((alert) => suppression.maintaining(alert, clock.now())),
        [running, running],
      );
      assert.equal(suppression.maintaining(anAlert({ entity: { type: "container", id: "7" } }), clock.now()), undefined);
      await pass(10);
      assert.equal(suppression.maintaining(anAlert(), clock.now()), undefined);
      assert.deepEqual(suppression.published(), ["maintenance.created", "maintenance.started", "maintenance.ended"]);
      assert.equal(suppression.changes(), 3);
    });

    it("cover what their components stand for", async () => {
      await plan({ components: [2], entities: undefined });
      assert.ok(suppression.maintaining(anAlert(), clock.now()));
      assert.equal(suppression.maintaining(anAlert({ entity: { type: "container", id: "43" } }), clock.now()), undefined);
      assert.deepEqual(suppression.published(), ["maintenance.created", "maintenance.started"]);
    });

    it("are refused with components that do not exist, which are named; those that were deleted since may stay", async () => {
      const body = { title: "x", starts_at: after(1), ends_at: after(2), components: [2, 77, 78] };
      const { status, body: refused } = await routes.ask("POST", WINDOWS, body);
      assert.equal(status, 409);
      assert.deepEqual((refused["error"] as { details: unknown }).details, [
        { path: "components", message: "There is no component 77, 78" },
      ]);
      const { id } = await plan({ components: [2], entities: undefined });
      await routes.check("PUT", `${WINDOWS}/{id}`, { id }, { components: [2, 3] });
      assert.equal((await routes.ask("PUT", `${WINDOWS}/${id}`, { components: [2, 77] })).status, 409);
    });

    it("begin and end as they should over a restart", async () => {
      const { id } = await plan({ starts_at: after(10), ends_at: after(20) });
      clock.jump(new Date(after(15)));
      await open();
      assert.equal(suppression.maintaining(anAlert(), clock.now())?.id, id, "at once");
      await suppression.look();
      await open();
      await suppression.look();
      assert.deepEqual(suppression.published(), [], "its start is published once");
      clock.jump(new Date(after(60)));
      await open();
      await suppression.look();
      assert.deepEqual(suppression.published(), ["maintenance.ended"]);
    });

    it("are published as started by one of two servers alone", async () => {
      await plan({ starts_at: after(5) });
      const first = suppression;
      await open();
      await pass(5);
      await first.look();
      assert.deepEqual([first.published(), suppression.published()], [["maintenance.created"], ["maintenance.started"]]);
    });

    it("are listed running ones first, then the next, then the latest that is over", async () => {
      const early = await plan({ ends_at: after(5) });
      const over = await plan({ starts_at: after(2), ends_at: after(6) });
      const later = await plan({ starts_at: after(40) });
      const next = await plan({ starts_at: after(30) });
      const running = await plan();
      await pass(10);
      assert.deepEqual(await windows(), [
        `${running.id} active`,
        `${next.id} scheduled`,
        `${later.id} scheduled`,
        `${over.id} ended`,
        `${early.id} ended`,
      ]);
    });

    it("are changed in part, ended early, and deleted", async () => {
      const { id } = await plan();
      assert.equal((await routes.check("PUT", `${WINDOWS}/{id}`, { id }, { title: "fans" }))["title"], "fans");
      clock.jump(new Date(after(5)));
      const ended = await routes.check("PUT", `${WINDOWS}/{id}`, { id }, { ends_at: after(4) });
      assert.partialDeepStrictEqual(ended, { title: "fans", status: "ended", ends_at: after(5) });
      const other = await plan({ starts_at: after(0), ends_at: after(9) });
      await routes.check("DELETE", `${WINDOWS}/{id}`, { id: other.id });
      assert.equal(suppression.maintaining(anAlert(), clock.now()), undefined);
      assert.deepEqual(
        suppression.published().map((type) => type.replace("maintenance.", "")),
        ["created", "started", "updated", "updated", "ended", "created", "started", "deleted", "ended"],
      );
      await open();
      assert.deepEqual(await windows(), [`${id} ended`]);
      for (const method of ["PUT", "DELETE"] as const) {
        const { status } = await routes.ask(method, `${WINDOWS}/4711`, method === "PUT" ? { title: "x" } : undefined);
        assert.equal(status, 404);
      }
    });

    it("are left as they were by a change that is refused", async () => {
      const { id } = await plan();
      const { status, body } = await routes.ask("PUT", `${WINDOWS}/${id}`, { title: "x", ends_at: after(-90), entities: [] });
      assert.equal(status, 409);
      assert.deepEqual(
        (body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path),
        ["ends_at", "entities"],
      );
      assert.equal(((await routes.check("GET", WINDOWS))["maintenance"] as MaintenanceRecord[])[0]?.title, "disk swap");
    });
  });
});
