import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { Database } from "../../storage/database.ts";
import type { Health, Readiness, RuntimeStatusRecord, StorageUse } from "./answers.ts";

const answer = schemasOf(() => import("./answers.ts"));

const tag = "Meta";

export interface MetaDependencies {
  version: string;
  mode: Health["mode"];
  database: Database;
  runtimeStatus(): RuntimeStatusRecord;
  storageUse(): Promise<StorageUse>;
  /** All that it shows is made up. */
  isDemo: boolean;
}

/** What the program says of itself. */
export function metaRoutes({
  version,
  mode,
  database,
  runtimeStatus: describeRuntime,
  storageUse: readStorageUse,
  isDemo,
}: MetaDependencies): Route[] {
  return [
    ...probeRoutes({
      health: () => ({
        status: "ok",
        version,
        mode,
        storage: { engine: database.capabilities.engine, connected: database.status().connected },
        runtime: { connected: describeRuntime().connected },
        ...(isDemo && { demo: true as const }),
      }),
      readiness() {
        const storage = database.status();
        return { status: storage.connected ? "ready" : "unavailable", reason: storage.error, storage };
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/runtime/status",
      summary: "The container runtime, whether it is connected, and what it denies",
      tag,
      access: "admin",
      responses: { 200: answer("runtimeStatus") },
      handle: () => describeRuntime(),
    }),
    route({
      method: "GET",
      path: "/api/v1/storage",
      summary: "What the database holds, how fast it grows, and what it will hold",
      tag,
      access: "admin",
      responses: { 200: answer("storageUse") },
      handle: () => readStorageUse(),
    }),
  ];
}

/** What balancers and orchestrators ask. */
export function probeRoutes({ health, readiness }: { health(): Health; readiness(): Readiness }): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/health",
      summary: "Whether the program serves; 200 as long as it does, whatever else is wrong",
      tag,
      access: "admin",
      answersProbes: true,
      statusForStrangers: true,
      responses: { 200: answer("health"), 204: "" },
      handle: health,
    }),
    route({
      method: "GET",
      path: "/api/v1/ready",
      summary: "Whether the program can do its work; 503 while it starts, while its database is gone, or when another server has it",
      tag,
      access: "admin",
      answersProbes: true,
      statusForStrangers: true,
      responses: { 200: answer("readiness"), 204: "", 503: answer("readiness") },
      handle() {
        const body = readiness();
        return new Answer(body.status === "ready" ? 200 : 503, body);
      },
    }),
  ];
}
