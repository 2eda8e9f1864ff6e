import assert from "node:assert/strict";
import { test } from "node:test";
import type { Topology } from "../../../../src/publishing/overview/answers.ts";
import { bandsOf, exposedBands, joinsAll } from "./bands.ts";
import { connectedTo, containerKey, drawingOf } from "./layout.ts";

type Part<Name extends keyof Topology> = Topology[Name] extends readonly (infer Item)[] ? Item : never;

const container = (id: number, name: string, group = "shop"): Part<"containers"> => ({
  ...{ id, name, group, agent_id: null, image: "x:1", state: "running", health: null, host_network: false },
});
const needs = (from: number, to: number): Part<"dependencies"> => ({ container_id: from, depends_on_id: to, source: "compose" });
const port = (id: number, host_port: number, facts: Partial<Part<"ports">> = {}): Part<"ports"> => ({
  ...{ container_id: id, container_port: 80, protocol: "tcp", host_ip: "0.0.0.0", host_port, reach: "every_network" },
  ...facts,
});
const topology = (facts: Partial<Topology>): Topology => ({
  ...{ containers: [], dependencies: [], endpoints: [], ports: [], networks: [], truncated: false },
  ...facts,
});

const SHOP = topology({
  containers: [container(1, "web"), container(2, "api"), container(3, "db"), container(4, "cron"), container(5, "vpn", "infra")],
  dependencies: [needs(1, 2), needs(2, 3), needs(1, 3), needs(4, 5)],
  endpoints: [{ id: 9, name: "shop", status: "up", container_id: 1, lead: "label" }],
  ports: [
    port(1, 8080),
    port(1, 8080, { host_ip: "::" }),
    port(3, 5432, { host_ip: "127.0.0.1", reach: "host" }),
    port(5, 51820, { host_ip: "fd00::1", protocol: "udp", reach: "one_network" }),
  ],
});

test("a group has its containers with what joins them, and a port on several addresses once", () => {
  const [shop, infra] = bandsOf(SHOP);
  assert.deepEqual(
    shop?.members.map(({ name, needs: needed, neededBy, entrances }) => [name, needed, neededBy, entrances.map(({ label }) => label)]),
    [
      ["web", [2, 3], [], [":8080"]],
      ["api", [3], [1], []],
      ["db", [], [2, 1], ["127.0.0.1:5432"]],
      ["cron", [5], [], []],
    ],
  );
  assert.deepEqual(infra?.members[0]?.entrances, [{ label: "[fd00::1]:51820/udp", reach: "one_network" }]);
});

test("the same group on another host is another one", () => {
  const agent_id = "6f1c1d3e-6f0e-4f7c-9f58-0d2f4cf8a001";
  const bands = bandsOf(topology({ containers: [container(1, "a"), { ...container(2, "b"), agent_id }] }));
  assert.deepEqual(
    bands.map(({ name, agentId }) => [name, agentId]),
    [
      ["shop", null],
      ["shop", agent_id],
    ],
  );
});

/** Of a topology's first group. */
function drawn(facts: Partial<Topology>) {
  const [band] = bandsOf(topology(facts));
  assert.ok(band);
  return drawingOf(band);
}

test("what is needed stands right of what needs it, as near as can be, and no two things at one place", () => {
  const { places, lines, columns, loose } = drawn({
    containers: [container(1, "web"), container(2, "api"), container(3, "db"), container(4, "job"), container(5, "lone")],
    dependencies: [needs(1, 2), needs(2, 3), needs(1, 3), needs(4, 3)],
  });
  const columnOf = (id: number): number | undefined => places.get(containerKey(id))?.column;
  assert.deepEqual([columnOf(1), columnOf(2), columnOf(3), columnOf(4), columns], [0, 1, 2, 1, 3]);
  assert.deepEqual(
    loose.map(({ name }) => name),
    ["lone"],
  );
  const taken = [...places.values()].map(({ column, row }) => `${column} ${row}`);
  assert.equal(new Set(taken).size, taken.length);
  // From web to db by a lane beside api and job.
  assert.equal(lines.length, 5);
  assert.equal([...places.values()].filter(({ member }) => member === undefined).length, 1);
  for (const { from, to } of lines) assert.equal((places.get(to)?.column ?? 0) - (places.get(from)?.column ?? 0), 1);
});

test("lines to one container share their lane", () => {
  const containers = [container(1, "a"), container(2, "b"), container(3, "middle"), container(4, "db")];
  const { places } = drawn({ containers, dependencies: [needs(1, 3), needs(2, 3), needs(3, 4), needs(1, 4), needs(2, 4)] });
  assert.equal([...places.values()].filter(({ member }) => member === undefined).length, 1);
});

test("what a container needs of another group is in no drawing", () => {
  const { loose, lines } = drawn({ containers: [container(1, "cron"), container(2, "vpn", "infra")], dependencies: [needs(1, 2)] });
  assert.deepEqual([loose.length, lines.length], [1, 0]);
});

test("needs that lead in a circle end", () => {
  const { places } = drawn({ containers: [container(1, "a"), container(2, "b")], dependencies: [needs(1, 2), needs(2, 1), needs(2, 2)] });
  assert.deepEqual([places.get(containerKey(1))?.column, places.get(containerKey(2))?.column], [0, 1]);
});

test("a chain of thousands is placed without recursion", () => {
  const containers = Array.from({ length: 2_000 }, (_, id) => container(id, `c${id}`));
  const { places } = drawn({ containers, dependencies: containers.slice(1).map(({ id }) => needs(id - 1, id)) });
  assert.equal(places.get(containerKey(1_999))?.column, 1_999);
});

test("pointing at something shows all that hangs on it and all that it hangs on", () => {
  const { lines } = drawn({
    containers: [container(1, "web"), container(2, "api"), container(3, "db"), container(4, "job")],
    dependencies: [needs(1, 2), needs(2, 3), needs(4, 3)],
  });
  const shown = (id: number): string[] => [...connectedTo(containerKey(id), lines)].toSorted();
  assert.deepEqual(shown(2), [1, 2, 3].map(containerKey));
  assert.deepEqual(shown(4), [3, 4].map(containerKey));
});

test("a container on its host's network is reached like its host", () => {
  const onHost = { ...container(1, "exporter"), host_network: true };
  const bands = exposedBands(bandsOf(topology({ containers: [onHost, container(2, "db")] })));
  assert.deepEqual(
    bands.flatMap(({ members }) => members.map(({ name, entrances }) => [name, entrances])),
    [["exporter", [{ label: "host network", reach: "every_network" }]]],
  );
});

test("exposed is what is reached from outside of its host, with all that it needs", () => {
  const bands = exposedBands(bandsOf(SHOP));
  assert.deepEqual(
    bands.map(({ name, members }) => [name, members.map((member) => member.name)]),
    [
      ["shop", ["web", "api", "db"]],
      ["infra", ["vpn"]],
    ],
  );
  assert.deepEqual(exposedBands(bandsOf(topology({ containers: [container(1, "a")], ports: [port(1, 80, { reach: "host" })] }))), []);
});

test("a network stands left of all that it joins, within a group; one of a single container is left out, a service is not", () => {
  const network = (name: string, ids: number[], facts: Partial<Part<"networks">> = {}): Part<"networks"> => ({
    ...{ kind: "docker_network", agent_id: null, name, container_ids: ids, service_type: null, ports: [] },
    ...facts,
  });
  const service: Partial<Part<"networks">> = { kind: "kubernetes_service", service_type: "NodePort", ports: ["80:30080"] };
  const joined = topology({
    ...SHOP,
    networks: [network("shop_default", [1, 3, 5]), network("lone", [2]), network("shop/cron", [4], service)],
  });
  const [shop, infra] = bandsOf(joined);
  assert.ok(shop !== undefined && infra !== undefined);
  assert.deepEqual(
    shop.networks.map(({ name, members }) => [name, members]),
    [
      ["shop_default", [1, 3]],
      ["shop/cron", [4]],
    ],
  );
  assert.deepEqual(
    shop.networks.map((each) => [joinsAll(each, shop), joinsAll({ ...each, members: [1, 2, 3, 4] }, shop)]),
    [
      [false, true],
      [false, false],
    ],
  );
  assert.deepEqual(infra.networks, [], "of the network one container alone is in this group");
  const drawing = drawingOf(shop);
  const places = [...drawing.places.values()];
  const columnOf = (name: string): number | undefined => places.find(({ member, network: own }) => (member ?? own)?.name === name)?.column;
  const [left, ...joinedBy] = ["shop_default", "web", "db"].map(columnOf);
  assert.ok(joinedBy.every((column) => column !== undefined && left !== undefined && left < column));
  assert.ok((columnOf("shop/cron") ?? 9) < (columnOf("cron") ?? 0));
  assert.deepEqual(drawing.loose, [], "what a service leads to is joined");
  const [exposed] = exposedBands(bandsOf(topology({ ...SHOP, networks: [network("front", [1, 3]), network("jobs", [1, 4])] })));
  assert.deepEqual(
    exposed?.networks.map(({ name }) => name),
    ["front"],
    "of the other one container alone is left",
  );
});
