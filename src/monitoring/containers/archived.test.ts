import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import type { Event } from "../../events.ts";
import type { ContainerSighting } from "../../observations.ts";
import { createBus } from "../../platform/bus.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { createScheduler } from "../../platform/scheduler.ts";
import type { ListQuery } from "./api.ts";
import type { ContainerList } from "./answers.ts";
import { createContainers } from "./index.ts";

const COUNT = 25;

onBothDatabases((databases) => {
  let inventory: (afterMs: number, containers: Partial<ContainerSighting>[], unread?: string[]) => Promise<void>;
  let list: (query?: Partial<ListQuery>) => Promise<ContainerList>;

  /** All pages as one list of groups. */
  async function readAll(query: Partial<ListQuery>): Promise<ContainerList[]> {
    const pages = [await list(query)];
    for (let cursor = pages[0]?.next_cursor; cursor != null; cursor = pages.at(-1)?.next_cursor) {
      pages.push(await list({ ...query, cursor }));
      assert.ok(pages.length < 100, "the pages do not end");
    }
    return pages;
  }
  const idsOf = (pages: ContainerList[]): number[] =>
    pages.flatMap(({ groups }) => groups.flatMap(({ containers }) => containers.map(({ id }) => id)));

  beforeEach(async () => {
    const clock = createFakeClock(new Date("2026-03-01T12:00:00Z"));
    const logSource = { async *logs() {} };
    const { observe, service } = createContainers({
      database: await databases.create(),
      bus: createBus<Event>(silentLog),
      clock,
      scheduler: createScheduler(clock, silentLog),
      log: silentLog,
      logSource,
    });
    list = async (query) => JSON.parse(String(await service.list({ archived: true, ignored: false, ...query }))) as ContainerList;
    const seen = Array.from({ length: COUNT }, (_, index): Partial<ContainerSighting> => ({
      externalId: String(index).padStart(64, "a"),
      name: `${index % 2 === 0 ? "Shop" : "job"}-${index}`,
      image: index === 7 ? "registry/50%_off:1" : "shop/web:1",
      project: index % 3 === 0 ? null : { name: `group-${index % 3}`, source: "compose" as const },
      settings: { ...defaultSettings, ignored: index === 24 },
    }));
    const startMs = clock.now().getTime();
    inventory = (afterMs, containers, unread) =>
      observe(null, [
        {
          ...{ kind: "container.inventory", observedAt: new Date(startMs + afterMs), containers: containers.map(sighting) },
          ...(unread && { unread }),
        },
      ]);
    await inventory(0, seen);
    await inventory(1000, []);
  });

  it("lists no container as removed that was in the inventory but could not be read", async () => {
    const [before, odd] = [(await list()).total, "b".repeat(64)];
    await inventory(2000, [{ externalId: odd, name: "odd" }]);
    await inventory(3000, [], [odd]);
    assert.equal((await list()).total, before);
    await inventory(4000, []);
    assert.equal((await list()).total, before + 1);
  });

  it("lists removed containers page by page, each once, groups in one piece and those without a group last", async () => {
    const whole = await list();
    assert.equal(whole.total, COUNT - 1);
    assert.equal(whole.next_cursor, null);
    assert.deepEqual(
      whole.groups.map(({ name }) => name),
      ["group-1", "group-2", "Ungrouped"],
    );
    for (const limit of [1, 4, 24]) {
      const pages = await readAll({ limit });
      assert.equal(pages.length, Math.ceil((COUNT - 1) / limit));
      assert.ok(pages.every(({ total }) => total === COUNT - 1));
      assert.deepEqual(idsOf(pages), idsOf([whole]), `pages of ${limit}`);
    }
  });

  it("applies every filter before it counts", async () => {
    const found: [Partial<ListQuery>, number][] = [
      [{ ignored: true }, COUNT],
      // What is removed has no health.
      [{ health: "unhealthy" }, 0],
      [{ health: "none" }, COUNT - 1],
      [{ group: "group-1" }, 8],
      [{ search: "SHOP-1" }, 5],
      [{ search: "50%_" }, 1],
      [{ search: "%" }, 1],
      [{ agent_id: "local" }, COUNT - 1],
      [{ agent_id: "7d444840-9dc0-4000-8000-000000000001" }, 0],
      [{ state: "paused" }, 0],
    ];
    for (const [query, total] of found) {
      const pages = await readAll({ ...query, limit: 3 });
      assert.deepEqual([pages[0]?.total, idsOf(pages).length], [total, total], JSON.stringify(query));
    }
  });

  it("refuses a cursor of another list", async () => {
    const cursor = Buffer.from('["web",1]').toString("base64url");
    await assert.rejects(list({ cursor }), (error) => isServiceError(error, "unusable_values"));
  });
});
