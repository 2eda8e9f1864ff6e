import type { DatabaseConnection, Dialect, Driver } from "kysely";
import type { Availability } from "./availability.ts";

/** The same dialect, whose failures are judged: the loss of the database becomes `storage_unavailable`. */
export function guardDialect(dialect: Dialect, availability: Availability, { failFast }: { failFast: boolean }): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createDriver: () => guardDriver(dialect.createDriver(), availability, failFast),
  };
}

function guardDriver(driver: Driver, availability: Availability, failFast: boolean): Driver {
  const guarded = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const originals = new WeakMap<DatabaseConnection, DatabaseConnection>();
  const original = (connection: DatabaseConnection): DatabaseConnection => originals.get(connection) ?? connection;

  return {
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    beginTransaction: (connection, settings) => driver.beginTransaction(original(connection), settings),
    commitTransaction: (connection) => driver.commitTransaction(original(connection)),
    rollbackTransaction: (connection) => driver.rollbackTransaction(original(connection)),
    releaseConnection: (connection) => driver.releaseConnection(original(connection)),
    async acquireConnection() {
      if (failFast) availability.require();
      try {
        const connection = await driver.acquireConnection();
        const known = guarded.get(connection) ?? guardConnection(connection, availability);
        guarded.set(connection, known);
        originals.set(known, connection);
        return known;
      } catch (error) {
        throw availability.judge(error);
      }
    },
  };
}

function guardConnection(connection: DatabaseConnection, availability: Availability): DatabaseConnection {
  return {
    async executeQuery(query) {
      try {
        return await connection.executeQuery(query);
      } catch (error) {
        throw availability.judge(error);
      }
    },
    async *streamQuery(query, chunkSize) {
      try {
        yield* connection.streamQuery(query, chunkSize);
      } catch (error) {
        throw availability.judge(error);
      }
    },
  };
}
