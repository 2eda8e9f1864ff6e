import assert from "node:assert/strict";
import { test } from "node:test";
import { applyFilter, containerFilter, isIn, isNarrowed } from "./filter.ts";
import { containerRecord } from "./record.fixture.ts";

const AGENT = "6f1c1d3e-6f0e-4f7c-9f58-0d2f4cf8a001";
const groups = [
  {
    name: "shop",
    source: "compose" as const,
    containers: [
      containerRecord({ id: 1, name: "Storefront", image: "registry.example/shop/front:5" }),
      containerRecord({ id: 2, name: "cart", state: "exited", exit_code: 1 }),
      containerRecord({ id: 3, name: "search", health: "unhealthy", agent_id: AGENT }),
    ],
  },
  {
    name: "backup",
    source: "label" as const,
    containers: [
      containerRecord({ id: 4, name: "nightly", state: "completed", group: "backup" }),
      containerRecord({ id: 5, name: "weekly", state: "exited", stop_requested: true, exit_code: 143, group: "backup" }),
    ],
  },
];

function idsLeft(filter: Parameters<typeof applyFilter>[1]): number[] {
  return applyFilter(groups, filter).flatMap((group) => group.containers.map(({ id }) => id));
}

test("each part of the filter narrows, and all hold together", () => {
  assert.deepEqual(idsLeft({}), [1, 2, 3, 4, 5]);
  assert.deepEqual(idsLeft({ q: "STORE" }), [1]);
  assert.deepEqual(idsLeft({ q: "shop/front" }), [1]);
  assert.deepEqual(idsLeft({ q: "BACK" }), [4, 5], "by the group's name");
  assert.deepEqual(idsLeft({ q: "back", state: ["stopped"] }), [5]);
  assert.deepEqual(idsLeft({ state: ["exited", "completed"] }), [2, 4]);
  assert.deepEqual(idsLeft({ state: ["stopped"] }), [5]);
  assert.deepEqual(idsLeft({ state: ["unhealthy"] }), [3]);
  assert.deepEqual(idsLeft({ state: ["running"] }), [1, 3]);
  assert.deepEqual(idsLeft({ group: "backup" }), [4, 5]);
  assert.deepEqual(idsLeft({ host: "local" }), [1, 2, 4, 5]);
  assert.deepEqual(idsLeft({ host: AGENT }), [3]);
  assert.deepEqual(idsLeft({ host: "local", state: ["running"], q: "zzz" }), []);
});

test("a group without rows is left out", () => {
  assert.deepEqual(
    applyFilter(groups, { q: "nightly" }).map(({ name }) => name),
    ["backup"],
  );
});

test("an address is read with what it does not know dropped", () => {
  assert.deepEqual(containerFilter({ q: "web", state: "exited,nonsense", group: "", view: "removed", sort: "cpu", order: "up" }), {
    q: "web",
    state: ["exited"],
    group: undefined,
    view: "removed",
    sort: "cpu",
    order: undefined,
    columns: undefined,
  });
  assert.equal(isNarrowed(containerFilter({ view: "removed" })), false);
  assert.equal(isNarrowed(containerFilter({ group: "shop" })), true);
});

test("health only counts while it runs", () => {
  assert.equal(isIn(containerRecord({ state: "exited", health: "unhealthy" }), "unhealthy"), false);
});
