import { schemasOf } from "../../../http/later-schemas.ts";
import { route, type Route } from "../../../http/route.ts";
import type { Clock } from "../../../platform/clock.ts";
import { ServiceError } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { ConnectionRecord } from "../answers.ts";
import { type Connection, statusOf } from "./connection.ts";
import type { ConnectionStore } from "./store.ts";

const taken = schemasOf(() => import("../api.ts"));
const answer = schemasOf(() => import("../answers.ts"));

export interface ConnectionRoutesParts {
  store: Pick<ConnectionStore, "list" | "end">;
  /** A connection has ended. */
  onEnd(connectionId: number): void;
  clock: Clock;
  log: Log;
}

/** Who is connected, for the operator. */
export function connectionRoutes({ store, onEnd, clock, log }: ConnectionRoutesParts): Route[] {
  const all = { path: "/api/v1/mcp/connections", tag: "MCP", access: "admin" } as const;
  return [
    route({
      ...all,
      method: "GET",
      summary: "List the connections of MCP clients, the newest first",
      responses: { 200: answer("connectionList") },
      async handle() {
        const now = clock.now();
        return { connections: (await store.list()).map((each) => connectionRecord(each, now)) };
      },
    }),
    route({
      ...all,
      path: `${all.path}/{id}`,
      method: "DELETE",
      summary: "End a connection: its tokens are worth nothing from now on",
      params: taken("connectionParams"),
      responses: { 204: "" },
      async handle({ params: { id } }) {
        if (!(await store.end(id, clock.now()))) throw new ServiceError("not_found", `There is no MCP connection ${id}.`);
        onEnd(id);
        log.info({ connection_id: id }, "an MCP connection was revoked");
      },
    }),
  ];
}

function connectionRecord(connection: Connection, now: Date): ConnectionRecord {
  return {
    id: connection.id,
    client_name: connection.clientName,
    redirect_uri: connection.redirectUri,
    scopes: [...connection.scopes],
    created_at: connection.createdAt.toISOString(),
    last_used_at: connection.lastUsedAt?.toISOString() ?? null,
    expires_at: connection.expiresAt.toISOString(),
    status: statusOf(connection, now),
  };
}
