import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { TrustedProxies } from "../../http/client-address.ts";
import type { Route } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { Agents } from "../agents/index.ts";
import type { Register } from "../seams.ts";
import { publicUrlOf } from "./public-url.ts";
import { enrollmentRoutes } from "./routes.ts";
import { createEnrollmentService, type EnrollmentService } from "./service.ts";
import { createEnrollmentStore } from "./store.ts";

export type { EnrollmentService } from "./service.ts";
export { purgeTokens } from "./store.ts";

export interface EnrollmentDependencies {
  database: Database;
  /** Started before agents enroll. */
  agents: Pick<Agents, "admit" | "count">;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** Whether agents can reach this program: it runs in server mode. */
  listens: boolean;
  /** SERVICE_GRPC_URL. */
  grpcUrl: string | undefined;
  /** The public address of the web interface, for requests that name no host. */
  baseUrl: string;
  trustedProxies: TrustedProxies;
  /**
   * The fingerprint of the certificate that the listener made itself, as `sha256:HEX`; undefined with any other certificate. Read when a token is
   * made.
   */
  fingerprint: () => string | undefined;
}

export interface Enrollment {
  service: EnrollmentService;
  /** For the listener. */
  register: Register;
  routes: Route[];
  start(): Promise<void>;
}

const PRUNED_EVERY_MS = HOUR_MS;

/** Enrollment: the tokens with which new agents are let in, and the commands to paste on their hosts. */
export function createEnrollment(dependencies: EnrollmentDependencies): Enrollment {
  const { database, agents, clock, scheduler, log, listens, grpcUrl, baseUrl, trustedProxies, fingerprint } = dependencies;
  const service = createEnrollmentService({ store: createEnrollmentStore(database), agents, clock, log, listens, fingerprint });
  const fallbackHost = new URL(baseUrl).hostname;

  return {
    service,
    register: service.register,
    routes: enrollmentRoutes(service, ({ headers, peerAddress }) =>
      publicUrlOf({
        configured: grpcUrl,
        headers,
        isPeerTrusted: trustedProxies.includes(peerAddress),
        fallbackHost,
      }),
    ),
    async start() {
      scheduler.every({ name: "enrollment tokens", everyMs: PRUNED_EVERY_MS, firstAfterMs: 2 * MINUTE_MS, run: service.prune });
    },
  };
}
