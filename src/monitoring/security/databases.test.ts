import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseAt } from "./databases.ts";

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
  const known = Array.from({ length: 65_536 }, (_, port) => [databaseAt(port, "tcp"), port] as const).filter(
    ([name]) => name !== undefined,
  );
  const expected = Object.entries(PORTS).flatMap(([name, ports]) => ports.map((port) => [name, port] as const));
  assert.deepEqual(
    known,
    expected.toSorted(([, one], [, other]) => one - other),
  );
});

test("over UDP it is memcached alone", () => {
  assert.equal(databaseAt(11_211, "udp"), "memcached");
  assert.equal(databaseAt(5432, "udp"), undefined);
});
