/** Ports on which databases and their like listen, by what they are called. TCP, but for memcached. Ports that other things use as well are left out. */
const DATABASES: ReadonlyMap<number, string> = new Map([
  [1433, "SQL Server"],
  [1521, "Oracle Database"],
  [2379, "etcd"],
  [2380, "etcd"],
  [3050, "Firebird"],
  [3306, "MySQL or MariaDB"],
  [5432, "PostgreSQL"],
  [5984, "CouchDB"],
  [6333, "Qdrant"],
  [6379, "Redis or Valkey"],
  [7474, "Neo4j"],
  [7687, "Neo4j"],
  [8086, "InfluxDB"],
  [8091, "Couchbase"],
  [8529, "ArangoDB"],
  [9042, "Cassandra or ScyllaDB"],
  [9160, "Cassandra"],
  [9200, "Elasticsearch or OpenSearch"],
  [9300, "Elasticsearch or OpenSearch"],
  [11210, "Couchbase"],
  [11211, "memcached"],
  [19530, "Milvus"],
  [26257, "CockroachDB"],
  [26379, "Redis Sentinel"],
  [27017, "MongoDB"],
  [27018, "MongoDB"],
  [27019, "MongoDB"],
  [28015, "RethinkDB"],
  [33060, "MySQL"],
]);

const MEMCACHED = 11211;

/** Which database usually listens on a port; undefined when none does. */
export function databaseAt(port: number, protocol: string): string | undefined {
  return protocol === "tcp" || (protocol === "udp" && port === MEMCACHED) ? DATABASES.get(port) : undefined;
}
