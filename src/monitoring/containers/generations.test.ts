import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { runtimeChanged, sighting } from "../../../test/support/sightings.ts";
import { until } from "../../../test/support/until.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { ContainerRecord } from "./api.ts";
import type { ContainerList } from "./answers.ts";
import { type Containers, createContainers } from "./index.ts";
import type { ContainerTables } from "./rows.ts";

const AGENT = "0b9c54a0-0000-4000-8000-000000000001";
const NOON = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

const compose = (number = 1): Record<string, string> => ({
  "com.docker.compose.project": "shop",
  "com.docker.compose.service": "web",
  "com.docker.compose.container-number": String(number),
});
const task = (slot: number, id: string): Record<string, string> => ({
  "com.docker.swarm.service.name": "web",
  "com.docker.swarm.task.name": `web.${slot}.${id}`,
});
const made = (externalId: string, createdAt: number, facts: Partial<ContainerSighting> = {}): Partial<ContainerSighting> => ({
  externalId,
  image: `shop/web:${externalId}`,
  createdAt: after(createdAt),
  startedAt: after(createdAt),
  ...facts,
});
const waiting = (externalId: string, createdAt: number, facts: Partial<ContainerSighting> = {}): Partial<ContainerSighting> =>
  made(externalId, createdAt, { state: "created", startedAt: null, ...facts });
const stopped = { state: "exited" as const, exitCode: 143, stopRequested: true };
const seen = (seconds: number, facts: Partial<ContainerSighting>): Observation => ({
  kind: "container.seen",
  observedAt: after(seconds),
  container: sighting(facts),
});
const gone = (seconds: number, externalId: string): Observation => ({ kind: "container.gone", observedAt: after(seconds), externalId });
const inventory = (seconds: number, ...containers: Partial<ContainerSighting>[]): Observation => ({
  kind: "container.inventory",
  observedAt: after(seconds),
  containers: containers.map(sighting),
});

/** A container is one over all that are made in its place. */
onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let events: Event[];
  let kept: Event[];
  let containers: Containers;

  async function open(): Promise<void> {
    [events, kept] = [[], []];
    const bus = createBus<Event>(silentLog);
    bus.keepBy(async (_unit, some) => void kept.push(...some));
    bus.subscribe("test", (event) => events.push(event));
    const scheduler = createScheduler(clock, silentLog);
    const logSource = { async *logs() {} };
    containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource, downAfterMs: 30_000 });
    await containers.start();
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    await open();
  });

  /** One after another, as they come. */
  async function see(...observations: Observation[]): Promise<void> {
    for (const observation of observations) await containers.observe(null, [observation]);
  }
  async function list(archived = false): Promise<ContainerRecord[]> {
    const { groups } = JSON.parse(String(await containers.service.list({ archived, ignored: false }))) as ContainerList;
    return groups.flatMap((group) => group.containers);
  }
  const shown = async () => (await list()).map(({ id, name, external_id, state }) => [id, name, external_id, state]);
  const generations = async (id = 1) => (await containers.service.generations(id, { limit: 20, offset: 0 })).generations;
  const ends = async (id = 1) => (await generations(id)).map(({ number, external_id, end_reason }) => [number, external_id, end_reason]);
  async function steps(id = 1): Promise<string[]> {
    const { transitions } = await containers.service.transitions(id, {
      since: after(-86_400).toISOString(),
      limit: 100,
      offset: 0,
    });
    return transitions.map(({ new_state, timestamp }) => `${(Date.parse(timestamp) - NOON.getTime()) / 1000} ${new_state}`).toReversed();
  }
  const types = (): string[] => events.map(({ type }) => type);

  it("keeps its id and history when it is removed and run again under its name", async () => {
    await see(inventory(0, made("a", 0)), seen(60, made("a", 0, { ...stopped, finishedAt: after(60) })), gone(61, "a"));
    assert.deepEqual([await shown(), (await list(true)).map(({ id }) => id)], [[], [1]]);
    await see(seen(70, waiting("b", 70)), seen(71, made("b", 70, { startedAt: after(71) })));
    assert.deepEqual(await shown(), [[1, "web", "b", "running"]]);
    const [record] = await list();
    assert.deepEqual([record?.generation, record?.recreated_at, record?.first_seen_at], [2, after(70).toISOString(), NOON.toISOString()]);
    assert.deepEqual(await steps(), ["0 running", "60 exited", "70 created", "71 running"]);
    assert.deepEqual(await generations(), [
      {
        ...{ number: 2, agent_id: null, external_id: "b", image: "shop/web:b", image_digest: null, created_at: after(70).toISOString() },
        ...{ started_at: after(71).toISOString(), ended_at: null, end_reason: null },
      },
      {
        ...{ number: 1, agent_id: null, external_id: "a", image: "shop/web:a", image_digest: null, created_at: NOON.toISOString() },
        ...{ started_at: NOON.toISOString(), ended_at: after(60).toISOString(), end_reason: "stopped" },
      },
    ]);
    await open();
    assert.deepEqual([await shown(), (await list())[0]?.generation], [[[1, "web", "b", "running"]], 2], "after a start too");
  });

  it("keeps it through what Compose does: the new one waits under another name until the old one is gone", async () => {
    const labels = compose();
    await see(inventory(0, made("a", 0, { name: "shop-web-1", labels })));
    await see(seen(10, waiting("b", 10, { name: "0123456789ab_shop-web-1", labels })));
    assert.deepEqual(await shown(), [
      [2, "0123456789ab_shop-web-1", "b", "created"],
      [1, "shop-web-1", "a", "running"],
    ]);
    await see(seen(20, made("a", 0, { name: "shop-web-1", labels, ...stopped })), gone(21, "a"));
    assert.deepEqual(await shown(), [[1, "0123456789ab_shop-web-1", "b", "created"]]);
    await see(seen(22, waiting("b", 10, { name: "shop-web-1", labels })), seen(23, made("b", 10, { name: "shop-web-1", labels })));
    assert.deepEqual(await shown(), [[1, "shop-web-1", "b", "running"]]);
    assert.deepEqual(await steps(), ["0 running", "20 exited", "20 created", "23 running"]);
    assert.deepEqual(await ends(), [
      [2, "b", null],
      [1, "a", "stopped"],
    ]);
    assert.deepEqual(await list(true), []);
    await assert.rejects(containers.service.find(2), /no container 2/);
    await open();
    assert.deepEqual(await shown(), [[1, "shop-web-1", "b", "running"]]);
  });

  it("keeps the events of a re-creation with what makes them true", async () => {
    const labels = compose();
    await see(inventory(0, made("a", 0, { name: "shop-web-1", labels })));
    await see(seen(10, waiting("b", 10, { name: "0123456789ab_shop-web-1", labels })), gone(21, "a"));
    await see(seen(23, made("b", 10, { name: "shop-web-1", labels })));
    assert.deepEqual(await shown(), [[1, "shop-web-1", "b", "running"]]);
    assert.ok(types().includes("container.archived") && types().includes("container.removed"));
    assert.deepEqual(kept, events);
    assert.ok(events.every((event, index) => event === kept[index]));
  });

  it("distinguishes the containers of a scaled service, and one that is run once", async () => {
    const once = { ...compose(), "com.docker.compose.oneoff": "True" };
    await see(
      inventory(
        0,
        made("a", 0, { name: "shop-web-1", labels: compose(1) }),
        made("b", 0, { name: "shop-web-2", labels: compose(2) }),
        made("c", 0, { name: "shop-web-run-1", labels: once }),
      ),
    );
    await see(inventory(300, made("d", 200, { name: "shop-web-2", labels: compose(2) })));
    assert.deepEqual(await shown(), [[2, "shop-web-2", "d", "running"]]);
  });

  it("hands over to a task of Swarm that runs before the old one ends, and leaves that one in the list", async () => {
    await see(inventory(0, made("a", 0, { name: "web.1.x", labels: task(1, "x") })));
    await see(seen(10, made("b", 10, { name: "web.1.y", labels: task(1, "y") })));
    assert.deepEqual(await shown(), [
      [1, "web.1.x", "a", "running"],
      [2, "web.1.y", "b", "running"],
    ]);
    await see(seen(20, made("a", 0, { name: "web.1.x", labels: task(1, "x"), ...stopped })));
    assert.deepEqual(await shown(), [
      [3, "web.1.x", "a", "exited"],
      [1, "web.1.y", "b", "running"],
    ]);
    await see(gone(30, "a"), inventory(31, made("b", 10, { name: "web.1.y", labels: task(1, "y") })));
    assert.deepEqual(
      [await shown(), await ends()],
      [
        [[1, "web.1.y", "b", "running"]],
        [
          [2, "b", null],
          [1, "a", "stopped"],
        ],
      ],
    );
  });

  it("is not down because of a task of Swarm that failed, once the next one of its slot runs", async () => {
    const failed = { state: "exited" as const, exitCode: 1 };
    const [first, second] = [made("a", 0, { labels: task(1, "a") }), made("b", 15, { labels: task(1, "b") })];
    await see(inventory(0, first), seen(10, { ...first, ...failed, finishedAt: after(10) }), seen(15, second));
    const down = (): number[] => events.flatMap((event) => (event.type === "container.down" && event.data.down ? [event.data.id] : []));
    await clock.advance(60_000);
    assert.deepEqual([(await list()).length, down(), containers.announce()], [2, [], []]);
    await see(seen(70, { ...second, ...failed, finishedAt: after(70) }));
    await clock.advance(45_000);
    assert.ok(down().includes(1));
  });

  it("was re-created while nobody looked", async () => {
    await see(inventory(0, made("a", 0)));
    await see(inventory(600, made("b", 300)));
    assert.deepEqual(
      [await shown(), await ends()],
      [
        [[1, "web", "b", "running"]],
        [
          [2, "b", null],
          [1, "a", "removed"],
        ],
      ],
    );
    assert.deepEqual(await steps(), ["0 running", "300 exited", "300 running"]);
    assert.ok(!types().includes("container.removed"));
  });

  it("keeps what it is when it is renamed, and when it is re-created under its new name", async () => {
    await see(inventory(0, made("a", 0)), seen(10, made("a", 0, { name: "api" })));
    assert.deepEqual(await shown(), [[1, "api", "a", "running"]]);
    await see(seen(20, made("a", 0, { name: "api", ...stopped })), gone(21, "a"), seen(30, made("b", 30, { name: "api" })));
    assert.deepEqual(await shown(), [[1, "api", "b", "running"]]);
  });

  it("goes over to the one that got its name, as tools do that rename the old one first", async () => {
    await see(inventory(0, made("a", 0)), seen(10, made("a", 0, { name: "web-old" })), seen(11, waiting("b", 11)));
    await see(seen(20, made("a", 0, { name: "web-old", ...stopped })), seen(21, made("b", 11, { startedAt: after(21) })), gone(30, "a"));
    assert.deepEqual(
      [await shown(), await ends()],
      [
        [[1, "web", "b", "running"]],
        [
          [2, "b", null],
          [1, "a", "stopped"],
        ],
      ],
    );
  });

  it("goes over to one that was made ahead under another name, and renamed once the old one was gone", async () => {
    await see(inventory(0, made("a", 0)), seen(10, waiting("b", 10, { name: "web.next" })));
    await see(seen(20, made("a", 0, stopped)), seen(21, made("b", 10, { name: "web.next", startedAt: after(21) })), gone(30, "a"));
    assert.deepEqual(await shown(), [[2, "web.next", "b", "running"]]);
    await see(seen(31, made("b", 10, { startedAt: after(21) })));
    assert.deepEqual(
      [await shown(), await ends()],
      [
        [[1, "web", "b", "running"]],
        [
          [2, "b", null],
          [1, "a", "stopped"],
        ],
      ],
    );
    await see(seen(40, made("b", 10, stopped)), gone(41, "b"), seen(42, made("old", -5000, { name: "api" })), seen(43, made("old", -5000)));
    assert.deepEqual(await shown(), [[3, "web", "old", "running"]], "one that was there long before keeps its own");
  });

  it("goes over by the commands that Binnacle prints: made ahead, the old one renamed, the new one renamed, started, the old one removed", async () => {
    await see(inventory(0, made("a", 0)), seen(10, waiting("b", 10, { name: "web.next" })), seen(20, made("a", 0, stopped)));
    await see(seen(21, made("a", 0, { ...stopped, name: "web.previous" })), seen(22, waiting("b", 10)));
    await see(seen(23, made("b", 10, { startedAt: after(23) })), gone(30, "a"));
    assert.deepEqual(
      [await shown(), await ends()],
      [
        [[1, "web", "b", "running"]],
        [
          [2, "b", null],
          [1, "a", "stopped"],
        ],
      ],
    );
  });

  it("is not taken over by one that has its own past, nor by an older one, when that is renamed to its name", async () => {
    await see(inventory(0, made("a", 0), made("x", 0, { name: "api" })), gone(10, "x"), seen(11, made("b", 11, { name: "api" })));
    await see(gone(20, "a"), seen(21, made("b", 11)));
    assert.deepEqual(await shown(), [[2, "web", "b", "running"]]);
    const [older, newer] = [made("old", 100, { name: "job" }), made("new", 200, { name: "cron" })];
    await see(seen(200, older), seen(201, newer), seen(202, { ...newer, name: "cron-old" }), seen(203, { ...older, name: "cron" }));
    assert.equal(containers.present.find(null, "old")?.identity, "name:job");
  });

  it("is another than a workload of the same name and another kind, also when one of them is scaled to nothing", async () => {
    const of = (kind: string): Partial<ContainerSighting> => made(kind, 0, { name: "web", unit: `${kind}/web`, runtime: "kubernetes" });
    const [first, second] = [of("Deployment"), { ...of("StatefulSet"), createdAt: after(10) }];
    await see(inventory(0, first), seen(10, second), seen(20, { ...first, ...stopped, exitCode: 0 }), seen(21, second));
    assert.equal(containers.present.find(null, "StatefulSet")?.id, 2);
  });

  it("is not brought back by reports about the one before it", async () => {
    await see(inventory(0, made("a", 0)), gone(10, "a"), seen(20, made("b", 20)), seen(21, made("a", 0)));
    assert.deepEqual(await shown(), [[1, "web", "b", "running"]]);
  });

  it("is two when a renamed one stays beside the one that got its name, and each is itself over re-creations", async () => {
    const old = made("a", 0, { name: "web-old" });
    await see(inventory(0, made("a", 0)), seen(10, old), seen(20, made("b", 20)), inventory(300, old, made("b", 20)));
    assert.deepEqual(
      [...(await shown())].map(([id]) => id),
      [2, 1],
    );
    await see(inventory(700, old, made("b", 20)), seen(800, made("b", 20, stopped)), gone(801, "b"), seen(802, made("c", 802)));
    await see(seen(900, { ...old, ...stopped }), gone(901, "a"), seen(902, made("d", 902, { name: "web-old" })));
    assert.deepEqual(await shown(), [
      [2, "web", "c", "running"],
      [1, "web-old", "d", "running"],
    ]);
  });

  it("keeps the newest thousand of those that were there, for 90 days", async () => {
    const { write, read } = database.tables<ContainerTables>();
    await see(inventory(0, made("a", 0)));
    const row = {
      container_id: 1,
      agent_id: null,
      image: "x",
      image_digest: null,
      created_at: null,
      started_at: null,
      end_reason: "stopped",
    };
    await write(async (tx) => {
      for (let number = 0; number < 1_003; number += 1)
        await tx
          .insertInto("container_generations")
          .values({ ...row, external_id: `old-${number}`, ended_at: after(-1000 - number).getTime() })
          .execute();
    });
    await clock.advance(61_000);
    const count = async () => (await read.selectFrom("container_generations").select("external_id").execute()).length;
    await until(async () => (await count()) === 1_000);
    assert.equal(
      (await read.selectFrom("container_generations").select("external_id").where("external_id", "=", "old-1000").execute()).length,
      0,
    );
    clock.jump(after(91 * 86_400));
    await open();
    await clock.advance(61_000);
    await until(async () => (await count()) === 0);
  });

  it("is removed for good only by a whole listing, ten minutes after it went", async () => {
    await see(inventory(0, made("a", 0)), seen(60, made("a", 0, { state: "exited", exitCode: 1 })), gone(60, "a"));
    assert.deepEqual(types().slice(-1), ["container.archived"]);
    await open();
    assert.equal(containers.present.get(1)?.archivedAt?.getTime(), after(60).getTime(), "a start of ours changes nothing");
    await see(inventory(659));
    await see(seen(700, made("other", 700, { name: "other" })));
    assert.deepEqual(types(), ["container.discovered"]);
    await see(inventory(960, made("other", 700, { name: "other" })));
    assert.deepEqual(types().slice(1), ["container.removed"]);
    assert.equal(containers.present.get(1), undefined);
    await see(seen(1000, made("b", 1000)));
    assert.deepEqual((await shown())[1], [1, "web", "b", "running"], "it is the same all the same when it comes back later");
  });

  it("records what was re-created more than once while its agent was cut off", async () => {
    await containers.observe(AGENT, [inventory(0, made("a", 0)), gone(9, "none")]);
    await containers.observe(AGENT, [inventory(600, made("c", 400))]);
    await containers.record(AGENT, [
      seen(100, made("a", 0, { state: "exited", exitCode: 1, finishedAt: after(100) })),
      gone(110, "a"),
      seen(200, made("b", 200)),
      seen(300, made("b", 200, { ...stopped, finishedAt: after(300) })),
      gone(310, "b"),
      seen(400, made("c", 400)),
    ]);
    assert.deepEqual(await steps(), ["0 running", "100 exited", "200 running", "300 exited", "400 running"]);
    assert.deepEqual(await ends(), [
      [3, "c", null],
      [2, "b", "stopped"],
      [1, "a", "failed"],
    ]);
    await clock.advance(60_000);
    await until(() => containers.present.get(1)?.generation === 3, { what: "the list counts them too" });
    assert.deepEqual([...(await containers.idsOf(AGENT, ["a", "b", "c"])).values()], [1, 1, 1]);
  });

  it("does not end a restart loop because it was removed: one in its place has to be quiet for ten minutes", async () => {
    await see(inventory(0, made("a", 0)), runtimeChanged(true, after(0)));
    for (let round = 1; round <= 3; round += 1) {
      await see(seen(round * 2, made("a", 0, { state: "restarting", exitCode: 1, restartCount: round })));
      await see(seen(round * 2 + 1, made("a", 0, { startedAt: after(round * 2 + 1), restartCount: round })));
    }
    const loops = () => events.flatMap((event) => (event.type === "container.restart_alert" ? [event.data.severity] : []));
    await see(inventory(60));
    await clock.advance(565_000);
    await see(inventory(570, made("b", 565)));
    await clock.advance(595_000);
    assert.deepEqual(loops(), ["warning"]);
    await clock.advance(10_000);
    await until(() => loops().length === 2);
  });
});
