import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { KEPT_DAYS } from "../../contract/retention.ts";
import type { AuditSink } from "../../http/audit.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import { auditRoutes } from "./routes.ts";
import { createAuditStore } from "./store.ts";

export interface AuditLog extends AuditSink {
  routes: Route[];
  tools(): Promise<Tool[]>;
  /** Begins to delete what was kept for 400 days. */
  start(): void;
}

/** Who changed what, kept for 400 days. */
export function createAuditLog({ database, clock, scheduler }: { database: Database; clock: Clock; scheduler: Scheduler }): AuditLog {
  const store = createAuditStore(database);
  return {
    record: (...operations) => store.add(operations, clock.now()),
    routes: auditRoutes(store),
    tools: async () => (await import("./tools.ts")).auditTools(store),
    start() {
      scheduler.every({
        name: "audit log",
        everyMs: HOUR_MS,
        firstAfterMs: 140_000,
        async run(signal) {
          const before = new Date(clock.now().getTime() - KEPT_DAYS.auditRecords * DAY_MS);
          while (!signal.aborted && (await store.purge(before)));
        },
      });
    },
  };
}
