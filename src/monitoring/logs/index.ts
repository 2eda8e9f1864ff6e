import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { createIngestion } from "./ingestion.ts";
import { createLogPatterns, type LogPatterns } from "./patterns.ts";
import { createLogReader, type LogReaderDependencies } from "./reading.ts";
import { logRoutes } from "./routes.ts";
import { createLogSearch, type LogSearch } from "./search.ts";

export { createLogStore, type LogStore } from "./stored/index.ts";

export interface LogsDependencies extends Omit<LogReaderDependencies, "storedToMs"> {
  scheduler: Scheduler;
}

export interface Logs extends LogSearch, LogPatterns {
  routes: Route[];
  /** What an assistant may ask; re-created by each call. */
  tools(): Promise<Tool[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const FLUSH_EVERY_MS = 2000;
const PRUNE_EVERY_MS = MINUTE_MS;
const REMOVE_EVERY_MS = HOUR_MS;

/** Logs: what all containers write, searched in the store of this server or where their runtimes keep it. */
export function createLogs(dependencies: LogsDependencies): Logs {
  const { store, containers, scheduler } = dependencies;
  const ingestion = store && createIngestion({ ...dependencies, store });
  const reader = createLogReader({ ...dependencies, storedToMs: (container) => ingestion?.storedToMs(container) });
  const questions = { ...createLogSearch(reader), ...createLogPatterns({ reader, containers }) };

  /** Of containers that are not known any more. */
  async function removeUnknown(): Promise<void> {
    const gone = new Set<number>();
    const known = new Set(containers.present.knownIds());
    for (const id of store?.ids() ?? []) {
      if (known.has(id)) continue;
      await containers.service.find(id).catch((error: unknown) => {
        if (!isServiceError(error, "not_found")) throw error;
        gone.add(id);
      });
    }
    await store?.remove((id) => gone.has(id));
  }

  return {
    ...questions,
    routes: logRoutes(questions),
    tools: async () => (await import("./tools.ts")).logTools(questions),
    async start() {
      if (store === undefined) return;
      await store.open();
      ingestion?.start();
      scheduler.every({ name: "stored logs to disk", everyMs: FLUSH_EVERY_MS, run: store.flush });
      scheduler.every({ name: "limits of stored logs", everyMs: PRUNE_EVERY_MS, run: store.prune });
      scheduler.every({
        name: "stored logs of unknown containers",
        everyMs: REMOVE_EVERY_MS,
        firstAfterMs: 5 * MINUTE_MS,
        run: removeUnknown,
      });
    },
    async stop() {
      await ingestion?.stop();
      await store?.flush();
    },
  };
}
