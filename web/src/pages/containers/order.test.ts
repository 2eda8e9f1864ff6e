import assert from "node:assert/strict";
import { test } from "node:test";
import { containerRecord } from "../../entities/containers/record.fixture.ts";
import { SORT_KEYS } from "../../entities/containers/filter.ts";
import { otherOrder } from "../../lists/sort.ts";
import { FIRST_ORDER, orderContainers } from "./order.ts";

const used = (cpu_percent: number | null, memory_bytes: number | null) => ({ ...USED, cpu_percent, memory_bytes });
const USED = containerRecord().resources ?? ({} as NonNullable<ReturnType<typeof containerRecord>["resources"]>);
const groups = [
  {
    name: "shop",
    source: "compose" as const,
    containers: [
      containerRecord({
        id: 1,
        name: "web",
        resources: used(2, 100),
        restart_count: 4,
        uptime_24h: 99,
        image: "b",
        last_state_change_at: "2026-03-01T12:00:00.000Z",
      }),
      containerRecord({
        id: 2,
        name: "db",
        resources: used(9, 50),
        uptime_24h: null,
        image: "a",
        last_state_change_at: "2026-03-03T12:00:00.000Z",
      }),
    ],
  },
  {
    name: "batch",
    source: "label" as const,
    containers: [
      containerRecord({
        id: 3,
        name: "Cron",
        resources: null,
        state: "exited",
        exit_code: 1,
        uptime_24h: 10,
        image: "c",
        last_state_change_at: "2026-03-02T12:00:00.000Z",
      }),
    ],
  },
];
const ids = (sort: (typeof SORT_KEYS)[number], order = FIRST_ORDER[sort]): number[] =>
  orderContainers(groups, { sort, order }).map(({ id }) => id);

test("each column first shows the worst, the most or the latest; names come by the alphabet", () => {
  assert.deepEqual(Object.fromEntries(SORT_KEYS.map((key) => [key, ids(key)])), {
    name: [3, 2, 1],
    image: [2, 1, 3],
    state: [3, 2, 1],
    cpu: [2, 1, 3],
    memory: [1, 2, 3],
    uptime: [3, 1, 2],
    restarts: [1, 3, 2],
    since: [2, 3, 1],
  });
});

test("turned round, what is unknown still stands last", () => {
  const turned = (key: (typeof SORT_KEYS)[number]): number[] => ids(key, otherOrder(FIRST_ORDER[key]));
  assert.deepEqual(
    [turned("cpu"), turned("uptime"), turned("name")],
    [
      [1, 2, 3],
      [1, 3, 2],
      [1, 2, 3],
    ],
  );
});
