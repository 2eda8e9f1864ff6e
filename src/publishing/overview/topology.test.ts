import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../test/support/assistant.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { labelled } from "../../../test/support/endpoints.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { callTool } from "../../../test/support/tools.ts";
import type { ContainerSighting } from "../../observations.ts";
import { endpointBody } from "../../monitoring/endpoints/api.ts";
import { type Topology, topology } from "./answers.ts";

const AGENT = "7d444840-9dc0-4000-8000-000000000001";
const idOf = (name: string): string => Buffer.from(name).toString("hex").padEnd(64, "0").slice(0, 64);

function inShop(service: string, facts: Partial<ContainerSighting> = {}): ContainerSighting {
  const { labels, ...rest } = facts;
  const compose = { "com.docker.compose.project": "shop", "com.docker.compose.service": service };
  return sighting({
    ...{ externalId: idOf(service), name: service, project: { name: "shop", source: "compose" } as const },
    labels: { ...compose, ...labels },
    ...rest,
  });
}

onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  let world: AssistantWorld;

  beforeEach(async () => {
    world = await openAssistantWorld({ database: await databases.create(), clock: createFakeClock(noon) });
  });
  afterEach(() => world.stop());

  async function show(agentId: string | null, ...containers: ContainerSighting[]): Promise<void> {
    await world.see(agentId, { kind: "container.inventory", observedAt: noon, containers });
  }

  async function ask(query: Record<string, string> = {}): Promise<Topology> {
    return topology.parse(await world.check("GET", "/api/v1/topology", query));
  }

  /** `name of who -> name of whom`, for lists of ids. */
  function named({ containers, dependencies }: Topology): string[] {
    const names = new Map(containers.map(({ id, name }) => [id, name]));
    return dependencies.map(({ container_id: from, depends_on_id: to, source }) => `${names.get(from)} -> ${names.get(to)} (${source})`);
  }

  it("joins what Compose says to the containers of the same project and host", async () => {
    const needs = { "com.docker.compose.depends_on": "db:service_healthy:false,cache:service_started:true,gone:service_started:false" };
    const all = [inShop("web", { labels: needs }), inShop("db"), inShop("cache")];
    await show(null, ...all);
    await show(AGENT, inShop("web", { labels: needs }), inShop("db"));
    const elsewhere = { "com.docker.compose.project": "blog", "com.docker.compose.service": "db" };
    await show(null, ...all, sighting({ externalId: idOf("blog-db"), name: "blog-db", labels: elsewhere }));
    assert.deepEqual(named(await ask({ agent_id: "local" })), ["web -> db (compose)", "web -> cache (compose)"]);
    assert.deepEqual(named(await ask({ agent_id: AGENT })), ["web -> db (compose)"]);
    const { dependencies, containers } = await ask();
    assert.equal(dependencies.length, 3);
    const hosts = new Map(containers.map(({ id, agent_id: agentId }) => [id, agentId]));
    for (const { container_id: from, depends_on_id: to } of dependencies) assert.equal(hosts.get(from), hosts.get(to));
  });

  it("joins each container of a service that has several, and none to itself", async () => {
    const first = inShop("db", { labels: { "com.docker.compose.depends_on": "db:service_started:false" } });
    await show(null, first, inShop("db", { externalId: idOf("db-2"), name: "db-2" }));
    assert.deepEqual(named(await ask()), ["db -> db-2 (compose)"]);
  });

  it("joins a container to the one whose network it uses", async () => {
    await show(null, inShop("vpn"), inShop("torrent", { networkMode: `container:${idOf("vpn")}` }));
    assert.deepEqual(named(await ask()), ["torrent -> vpn (network_mode)"]);
  });

  it("says at which ports of a host a container is, and who reaches them", async () => {
    const port = { containerPort: 80, protocol: "tcp" } as const;
    await show(
      null,
      inShop("web", {
        ports: [
          { ...port, hostIp: "0.0.0.0", hostPort: 8080 },
          { ...port, hostIp: "::", hostPort: 8080 },
          { ...port, hostIp: "127.0.0.1", hostPort: 81 },
          { ...port, hostIp: "10.0.0.4", hostPort: 82 },
          { containerPort: 443, protocol: "tcp", hostIp: null, hostPort: null },
        ],
      }),
      inShop("on-host", { networkMode: "host", ports: [{ ...port, hostIp: "0.0.0.0", hostPort: 80 }] }),
    );
    const { ports, containers } = await ask();
    assert.deepEqual(
      containers.map(({ name, host_network: isOnHost }) => [name, isOnHost]),
      [
        ["on-host", true],
        ["web", false],
      ],
    );
    assert.deepEqual(
      ports.map(({ host_ip: ip, host_port: at, reach }) => [ip, at, reach]),
      [
        ["0.0.0.0", 8080, "every_network"],
        ["::", 8080, "every_network"],
        ["127.0.0.1", 81, "host"],
        ["10.0.0.4", 82, "one_network"],
      ],
    );
  });

  it("joins endpoints by their label, and by the published port that they check on the same host", async () => {
    const ports = [
      { containerPort: 80, protocol: "tcp" as const, hostIp: "0.0.0.0", hostPort: 8080 },
      { containerPort: 80, protocol: "tcp" as const, hostIp: "fd00::4", hostPort: 8081 },
    ];
    await show(null, inShop("web", { ports }), inShop("api", { endpoints: [labelled()] }));
    const targets = [
      "http://localhost:8080/health",
      "http://127.0.0.1:8080",
      "http://localhost:9090",
      "http://shop.example:8080",
      "http://[fd00::4]:8081/",
    ];
    for (const target of targets) {
      await world.endpoints.service.create(endpointBody.parse({ name: target, type: "http", target }));
    }
    const { containers, endpoints } = await ask();
    const names = new Map(containers.map(({ id, name }) => [id, name]));
    assert.deepEqual(endpoints.map(({ container_id: id, lead }) => `${names.get(id)} ${lead}`).toSorted(), [
      "api label",
      "web published_port",
      "web published_port",
      "web published_port",
    ]);
  });

  it("joins containers by the named networks of their engine, and workloads by the services that select their pods", async () => {
    await show(
      null,
      inShop("web", { networkMode: "shop_default" }),
      inShop("db", { networkMode: "shop_default" }),
      inShop("plain", { networkMode: "bridge" }),
      inShop("vpn", { networkMode: `container:${idOf("web")}` }),
      sighting({ externalId: idOf("lone"), name: "lone", networkMode: "shop_default" }),
    );
    await show(AGENT, inShop("other", { networkMode: "shop_default" }), inShop("api", { runtime: "kubernetes", networkMode: null }));
    const port = { name: null, port: 80, nodePort: 30_080, protocol: "tcp", target: "8080" } as const;
    const at = { id: "s", name: "api", namespace: "shop", createdAt: noon, labels: {}, externalAddresses: [], workloadIds: [idOf("api")] };
    world.played.services.set(idOf("api"), [
      { ...at, type: "NodePort", ports: [port, { ...port, port: 53, nodePort: null, protocol: "udp" }] },
    ]);
    const { networks, containers } = await ask();
    const names = new Map(containers.map(({ id, name }) => [id, name]));
    assert.deepEqual(
      networks.map(({ kind, agent_id: host, name, container_ids: ids, service_type: type, ports }) => [
        ...[kind, host, name, ids.map((id) => names.get(id)).toSorted(), type, ports],
      ]),
      [
        ["docker_network", null, "shop_default", ["db", "lone", "web"], null, []],
        ["docker_network", AGENT, "shop_default", ["other"], null, []],
        ["kubernetes_service", AGENT, "shop/api", ["api"], "NodePort", ["80:30080", "53/udp"]],
      ],
    );
    const [only] = (await ask({ group: "shop", agent_id: "local" })).networks;
    assert.equal(only?.container_ids.length, 2, "of one group only what is in it");
  });

  it("shows one group, and nothing that is ignored", async () => {
    const ignored = inShop("secret", { settings: { ...defaultSettings, ignored: true } });
    await show(null, inShop("web"), ignored, sighting({ externalId: idOf("lone"), name: "lone" }));
    assert.deepEqual((await ask()).containers.map(({ name }) => name).toSorted(), ["lone", "web"]);
    assert.deepEqual(
      (await ask({ group: "shop" })).containers.map(({ name }) => name),
      ["web"],
    );
    assert.deepEqual((await ask({ group: "nobody" })).containers, []);
  });

  it("ends at its limits and says so", async () => {
    // 75 of one service that need 75 of another: 5,625 dependencies.
    const needs = { "com.docker.compose.depends_on": "db:service_started:false" };
    const many = Array.from({ length: 75 }, (_, index) => [
      inShop("web", { externalId: idOf(`web-${index}`), name: `web-${index}`, labels: needs }),
      inShop("db", { externalId: idOf(`db-${index}`), name: `db-${index}` }),
    ]).flat();
    await show(null, ...many);
    const { dependencies, containers, truncated } = await ask();
    assert.deepEqual([containers.length, dependencies.length, truncated], [150, 5_000, true]);
    const shown = topology.parse(await callTool(world.overview.tools(), "get_topology", { group: "shop" }));
    assert.deepEqual([shown.containers.length, shown.dependencies.length, shown.truncated], [150, 400, true]);
  });
});
