import assert from "node:assert/strict";
import { test } from "node:test";
import { containerRecord } from "../containers/record.fixture.ts";
import { endpointRecord } from "../endpoints/record.fixture.ts";
import { heartbeatRecord } from "../heartbeats/record.fixture.ts";
import { addressOf, boundTiles, pagesOf, type Tile, tilesOf, type TileGroup, worstFirst } from "./tiles.ts";

const group = (name: string, count: number): TileGroup => ({
  key: name,
  name,
  leftOut: 0,
  tiles: Array.from({ length: count }, (_, id) => ({ type: "container", id, name: `${name}-${id}`, status: "ok", words: "Running" })),
});

const seen = (): boolean => false;
const AGENT = "6f1c1d3e-6f0e-4f7c-9f58-0d2f4cf8a001";

test("what is not seen is not healthy, and what was wrong is not over", () => {
  const containers = [
    containerRecord({ id: 1, name: "here" }),
    containerRecord({ id: 2, name: "there", agent_id: AGENT }),
    containerRecord({ id: 3, name: "broken", agent_id: AGENT, state: "exited", exit_code: 1 }),
  ];
  const [shop] = tilesOf(
    { groups: [{ name: "shop", source: "compose", containers }], endpoints: [], heartbeats: [] },
    (_type, agentId) => agentId === AGENT,
  );
  assert.deepEqual(
    shop?.tiles.map(({ name, status, words }) => [name, status, words]),
    [
      ["here", "ok", "Running"],
      ["there", "idle", "Last known: Running"],
      ["broken", "down", "Last known: Exited 1"],
    ],
  );
});

test("an endpoint that its host cannot look at is a tile as it was, with the reason", () => {
  const away = endpointRecord({ last_check_at: "2026-11-21T10:00:00.000Z", last_error: "This host has no network." });
  const [endpoints] = tilesOf({ groups: [], endpoints: [away], heartbeats: [] }, seen);
  assert.deepEqual(
    endpoints?.tiles.map(({ status, words }) => [status, words]),
    [["idle", "Last known: Up, This host has no network."]],
  );
});

test("of many thousands those without trouble are counted, seen or not, and all others shown", () => {
  const broken = { type: "container", id: 99, name: "broken", status: "down", words: "Dead" } as const;
  const many = { ...group("b", 4), tiles: [...group("b", 4).tiles, broken] };
  assert.deepEqual(
    boundTiles([group("a", 3), { ...many, tiles: many.tiles.map((tile) => (tile.id === 3 ? { ...tile, status: "idle" } : tile)) }], 5).map(
      ({ tiles, leftOut }) => [tiles.length, leftOut, tiles.at(-1)?.status],
    ),
    [
      [3, 0, "ok"],
      [3, 2, "down"],
    ],
  );
});

test("every container, endpoint and heartbeat is a tile, but for what is ignored, removed or inactive", () => {
  const containers = [
    containerRecord({ id: 1, name: "web" }),
    containerRecord({ id: 2, name: "db", state: "exited", exit_code: 137, oom_killed: true, health: null }),
    containerRecord({ id: 3, is_ignored: true }),
    containerRecord({ id: 4, archived_at: "2026-03-01T12:00:00.000Z" }),
  ];
  const tiles = tilesOf(
    {
      groups: [{ name: "shop", source: "compose", containers }],
      endpoints: [
        endpointRecord({ id: 5, name: "shop", status: "down", last_failure_class: "timeout" }),
        endpointRecord({ id: 6, active: false }),
      ],
      heartbeats: [],
    },
    seen,
  );
  assert.deepEqual(
    tiles.map(({ name, tiles: own }) => [name, own.map((tile) => [tile.name, tile.status, tile.words, addressOf(tile)])]),
    [
      [
        "shop",
        [
          ["web", "ok", "Running", "/containers/1"],
          ["db", "down", "Exited 137, OOM killed", "/containers/2"],
        ],
      ],
      ["Endpoints", [["shop", "down", "Down, timed out", "/endpoints/5"]]],
    ],
  );
  assert.deepEqual(
    tilesOf({ groups: [], endpoints: [], heartbeats: [heartbeatRecord({ id: 9, name: "backup" })] }, seen).map(({ key }) => key),
    ["heartbeats"],
  );
});

test("groups in trouble come first, the others keep their order", () => {
  const troubled = (name: string, ...statuses: Tile["status"][]): TileGroup => ({
    ...{ key: name, name, leftOut: 0 },
    tiles: statuses.map((status, id) => ({ type: "container", id, name: `${name}-${id}`, status, words: "" })),
  });
  const groups = [troubled("a", "ok", "idle"), troubled("b", "ok", "degraded"), troubled("c", "maintenance"), troubled("d", "ok", "down")];
  assert.deepEqual(
    worstFirst(groups).map(({ name }) => name),
    ["d", "b", "a", "c"],
  );
});

test("groups are dealt to pages whole, larger ones in parts", () => {
  const dealt = (groups: TileGroup[]): string[] =>
    pagesOf(groups, 4).map((page) => page.map(({ name, tiles }) => `${name}: ${tiles.length}`).join(", "));
  assert.deepEqual(dealt([]), []);
  assert.deepEqual(dealt([group("a", 3), group("b", 1), group("c", 2)]), ["a: 3, b: 1", "c: 2"]);
  assert.deepEqual(dealt([group("a", 1), group("b", 9)]), ["a: 1", "b (1 of 3): 4", "b (2 of 3): 4", "b (3 of 3): 1"]);
});
