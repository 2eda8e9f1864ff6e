import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { port } from "../../../test/support/security.ts";
import { defaultSettings } from "../../../test/support/sightings.ts";
import { INSIGHT_TYPES } from "../../events.ts";
import { ecosystemOf } from "./ecosystem.ts";
import { difference, type Exposed, findingText, INSIGHTS, insightsOf, databaseAt, reachOf } from "./insight.ts";
import { shortWords, wordsOf } from "./words.ts";

const SAFE: Exposed = { state: "running", ports: [], networkMode: "bridge", privileged: false, settings: defaultSettings };
const found = (facts: Partial<Exposed>): string[] => insightsOf({ ...SAFE, ...facts }).map(findingText);

const EVERYWHERE = "port_exposed_all_interfaces";
const DATABASE = "database_port_exposed";

const ROWS: [what: string, facts: Partial<Exposed>, findings: string[]][] = [
  ["nothing of a container that publishes nothing", {}, []],
  ["a port on all interfaces", { ports: [port(80, { hostPort: 8080 })] }, [`${EVERYWHERE} 80/tcp`]],
  ["the same on IPv6", { ports: [port(80, { hostIp: "::" })] }, [`${EVERYWHERE} 80/tcp`]],
  ["both at once as one finding", { ports: [port(80), port(80, { hostIp: "::" })] }, [`${EVERYWHERE} 80/tcp`]],
  ["several host ports of one port as one finding", { ports: [port(80), port(80, { hostPort: 81 })] }, [`${EVERYWHERE} 80/tcp`]],
  ["UDP apart from TCP", { ports: [port(53), port(53, { protocol: "udp" })] }, [`${EVERYWHERE} 53/tcp`, `${EVERYWHERE} 53/udp`]],
  ["nothing of a port on loopback", { ports: [port(80, { hostIp: "127.0.0.1" }), port(5432, { hostIp: "::1" })] }, []],
  ["nothing of another loopback address", { ports: [port(5432, { hostIp: "127.0.0.53" })] }, []],
  ["nothing of a port on one address", { ports: [port(80, { hostIp: "192.168.1.5" })] }, []],
  ["nothing of a port that is only exposed", { ports: [port(5432, { hostIp: null, hostPort: null })] }, []],
  ["a database on one address", { ports: [port(5432, { hostIp: "192.168.1.5" })] }, [`${DATABASE} 5432/tcp`]],
  ["a database behind another host port", { ports: [port(3306, { hostIp: "10.0.0.1", hostPort: 13306 })] }, [`${DATABASE} 3306/tcp`]],
  ["a database on all interfaces as both", { ports: [port(6379)] }, [`${EVERYWHERE} 6379/tcp`, `${DATABASE} 6379/tcp`]],
  ["no database by its host port alone", { ports: [port(8080, { hostIp: "10.0.0.1", hostPort: 5432 })] }, []],
  ["no database on UDP", { ports: [port(5432, { hostIp: "10.0.0.1", protocol: "udp" })] }, []],
  ["memcached on UDP", { ports: [port(11211, { hostIp: "10.0.0.1", protocol: "udp" })] }, [`${DATABASE} 11211/udp`]],
  ["a privileged container", { privileged: true }, ["privileged_container "]],
  [
    "the network of the host, without ports that are not published then",
    { networkMode: "host", ports: [port(80)] },
    ["host_network_mode "],
  ],
  ["nothing of ports in the network of another container", { networkMode: "container:abc", ports: [port(80)] }, []],
  ["nothing of a stopped container", { state: "exited", privileged: true, ports: [port(80)] }, []],
  ["nothing of one that was never started", { state: "created", privileged: true }, []],
  ["what a paused container exposes", { state: "paused", privileged: true }, ["privileged_container "]],
  ["nothing of an ignored container", { settings: { ignored: true }, privileged: true }, []],
];

describe("insights", () => {
  for (const [what, facts, findings] of ROWS) it(`find ${what}`, () => assert.deepEqual(found(facts), findings));

  it("stay as they were while a container restarts", () => {
    const known = insightsOf({ ...SAFE, ports: [port(3306)] });
    assert.deepEqual(insightsOf({ ...SAFE, state: "restarting", ports: [port(3306, { hostIp: null, hostPort: null })] }, known), known);
    assert.deepEqual(insightsOf({ ...SAFE, state: "restarting", privileged: true }).map(findingText), ["privileged_container "]);
  });

  it("say which reach an address has", () => {
    const reaches = ["0.0.0.0", "::", "0:0:0:0:0:0:0:0", "127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "fe80::1", "no address"];
    assert.deepEqual(reaches.map(reachOf), [
      ...["every network", "every network", "every network", "host", "host", "host"],
      ...["one network", "one network", "one network"],
    ]);
  });

  it("list what came and what went", () => {
    const before = insightsOf({ ...SAFE, ports: [port(80)], privileged: true });
    const after = insightsOf({ ...SAFE, ports: [port(81)], privileged: true });
    const { added, removed } = difference(before, after);
    assert.deepEqual([added.map(findingText), removed.map(findingText)], [[`${EVERYWHERE} 81/tcp`], [`${EVERYWHERE} 80/tcp`]]);
  });

  it("have words for people, and a snippet that names the service", () => {
    const [open] = insightsOf({ ...SAFE, ports: [port(80, { hostPort: 8080 }), port(80, { hostPort: 8080, hostIp: "::" })] });
    assert.ok(open !== undefined);
    const { what, snippet } = wordsOf({ name: "shop-web-1", unit: "web" }, open);
    assert.equal(what, "Port 80/tcp of shop-web-1 is published on all host interfaces: 0.0.0.0:8080 and [::]:8080.");
    assert.equal(snippet, 'services:\n  web:\n    ports:\n      - "127.0.0.1:8080:80"');
    for (const type of INSIGHT_TYPES) {
      const insight = { type, key: "", bindings: [], database: null };
      const words = wordsOf({ name: "web", unit: 'a "unit": x' }, insight);
      for (const sentence of [words.what, words.why, words.fix]) assert.match(sentence, /^[A-Z`w].*\.$/);
      assert.ok(words.title === INSIGHTS[type].title && shortWords(insight).length > 0);
      if (words.snippet?.startsWith("services:") === true) assert.match(words.snippet, /^ {2}"a \\"unit\\": x":$/m);
    }
  });
});

describe("the ecosystem of an image", () => {
  const base = "org.opencontainers.image.base.name";
  const rows: [image: string, labels: Record<string, string>, expected: string | null][] = [
    ["python:3.12-slim", {}, "python by known_image"],
    ["docker.io/library/node:22", {}, "node by known_image"],
    ["postgres:17", {}, "debian by known_image"],
    ["postgres:17-alpine3.20", {}, "alpine by known_image"],
    ["postgres@sha256:00", {}, "debian by known_image"],
    ["ghcr.io/me/python:1", {}, null],
    ["me/node", {}, null],
    ["shop/web:1", { [base]: "docker.io/library/alpine:3.20" }, "alpine by label"],
    ["shop/web:1", { [base]: "registry.example/strange:1" }, null],
    ["python:3", { [base]: "registry.example/strange:1" }, "python by known_image"],
    ["", {}, null],
  ];
  for (const [image, labels, expected] of rows) {
    it(`of ${image || "no name"} ${JSON.stringify(labels)} is ${expected ?? "unknown"}`, () => {
      const ecosystem = ecosystemOf({ image, labels });
      assert.equal(ecosystem === null ? null : `${ecosystem.name} by ${ecosystem.source}`, expected);
    });
  }
});

/** As the vendors document them. */
const PORTS: Readonly<Record<string, readonly number[]>> = {
  "SQL Server": [1433],
  "Oracle Database": [1521],
  etcd: [2379, 2380],
  Firebird: [3050],
  "MySQL or MariaDB": [3306],
  PostgreSQL: [5432],
  CouchDB: [5984],
  Qdrant: [6333],
  "Redis or Valkey": [6379],
  Neo4j: [7474, 7687],
  InfluxDB: [8086],
  Couchbase: [8091, 11210],
  ArangoDB: [8529],
  "Cassandra or ScyllaDB": [9042],
  Cassandra: [9160],
  "Elasticsearch or OpenSearch": [9200, 9300],
  memcached: [11211],
  Milvus: [19530],
  CockroachDB: [26257],
  "Redis Sentinel": [26379],
  MongoDB: [27017, 27018, 27019],
  RethinkDB: [28015],
  MySQL: [33060],
};

test("each database is known by its ports, and nothing else is taken for one", () => {
  const known = Array.from({ length: 65_536 }, (_, number) => [databaseAt(number, "tcp"), number] as const).filter(
    ([name]) => name !== undefined,
  );
  const expected = Object.entries(PORTS).flatMap(([name, ports]) => ports.map((number) => [name, number] as const));
  assert.deepEqual(
    known,
    expected.toSorted(([, one], [, other]) => one - other),
  );
});

test("over UDP it is memcached alone", () => {
  assert.equal(databaseAt(11_211, "udp"), "memcached");
  assert.equal(databaseAt(5432, "udp"), undefined);
});
