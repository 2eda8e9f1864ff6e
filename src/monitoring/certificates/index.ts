import { KEPT_DAYS } from "../../contract/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { PastChanges } from "../../platform/look-back.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import { createSerial } from "../../platform/queues.ts";
import type { Database } from "../../storage/database.ts";
import { type Containers, runs } from "../containers/index.ts";
import type { Endpoints } from "../endpoints/index.ts";
import type { HostData } from "../hosts/index.ts";
import type { SavedCertificate } from "./certificate.ts";
import { nameOf, problemEvents } from "./changes.ts";
import { createFollow, type Follow } from "./follow.ts";
import { type CertificateChange, createPastStore, createMomentStore, type MomentOfCertificates } from "./past-store.ts";
import { createRegister } from "./register.ts";
import { certificateRoutes } from "./routes.ts";
import { createScanning, type ScanCertificate } from "./scanning.ts";
import { type CertificateService, createCertificateService } from "./service.ts";
import { createCertificateStore } from "./store.ts";

export type { ScanCertificate } from "./scanning.ts";
export { type CertificateAt, endpointTroubles, type EndpointTrouble } from "./certificate.ts";
export type { CertificateService } from "./service.ts";

export interface CertificatesDependencies {
  database: Database;
  /** Both are started before this, and given observations before this. */
  containers: Pick<Containers, "present">;
  endpoints: Pick<Endpoints, "present">;
  /** From the local host. */
  scan: ScanCertificate;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  random?: () => number;
}

export type ServiceCertificates = Pick<Follow, "followServices">;

export interface Certificates extends Pick<Follow, "observe">, ServiceCertificates, Required<HostData> {
  service: CertificateService;
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** When peers showed something new. */
  past: PastChanges<CertificateChange>;
  /** Those that were watched at a moment, and how each was by its checks. */
  at: MomentOfCertificates;
  /** In memory. */
  find(id: number): (SavedCertificate & { name: string }) | undefined;
  all(): Iterable<SavedCertificate>;
  /** The events of every problem that is open now. */
  announce(): Event[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Source: specification, Agent stream events. */
const SCAN_EVERY_MS = MINUTE_MS;

/** Certificates: how long they last, what is wrong with them, and whether they were renewed. */
export function createCertificates({
  database,
  containers,
  endpoints,
  scan,
  bus,
  clock,
  scheduler,
  log,
  random = Math.random,
}: CertificatesDependencies): Certificates {
  const store = createCertificateStore(database);
  const serial = createSerial();
  const isExpected = ({ container }: SavedCertificate): boolean =>
    container?.id == null || runs(containers.present.get(container.id)) === true;
  const register = createRegister({ store, bus, serial, isExpected, random });
  const scanning = createScanning({ scan, register, store, clock, log });
  const follow = createFollow({ register, scanning, endpoints, present: containers.present, clock, log, serial });
  const service = createCertificateService({ register, scanning, store, clock, onRemoved: () => follow.reconcileSoon(null) });
  let unsubscribe: (() => void) | undefined;

  async function prune(signal: AbortSignal): Promise<void> {
    const before = new Date(clock.now().getTime() - KEPT_DAYS.certificateChecks * DAY_MS);
    while (!signal.aborted && (await store.prune(before)));
  }

  return {
    observe: follow.observe,
    followServices: follow.followServices,
    holdHost: follow.hold,
    purgeHost: store.purgeHost,
    forgetHost(agentId) {
      follow.forget(agentId);
      register.forgetHost(agentId, clock.now());
    },
    service,
    routes: certificateRoutes(service),
    tools: async () => (await import("./tools.ts")).certificateTools(service),
    past: createPastStore(database),
    at: createMomentStore(database),
    find(id) {
      const certificate = register.get(id);
      return certificate && { ...certificate, name: nameOf(certificate) };
    },
    all: register.all,
    announce() {
      const now = clock.now();
      return [...register.all()].flatMap((certificate) => problemEvents(certificate, now));
    },
    async start() {
      await register.load();
      unsubscribe = bus.subscribe("certificates", follow.onEvent);
      scheduler.every({
        name: "certificate scans",
        everyMs: SCAN_EVERY_MS,
        firstAfterMs: 3_000,
        async run() {
          await follow.reconcile();
          await scanning.runDue();
          await scanning.judgeUnseen();
        },
      });
      scheduler.every({
        name: "certificate retention",
        everyMs: HOUR_MS,
        firstAfterMs: 90_000,
        run: prune,
      });
    },
    async stop() {
      unsubscribe?.();
      follow.stop();
      await scanning.stop();
    },
  };
}
