import { DAY_MS } from "../../src/contract/time.ts";
import type { Event, EventName } from "../../src/events.ts";
import { certificateBody } from "../../src/monitoring/certificates/api.ts";
import type { CertificateDetail, CertificateRecord } from "../../src/monitoring/certificates/answers.ts";
import { type Certificates, createCertificates } from "../../src/monitoring/certificates/index.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createEndpoints, type Endpoints } from "../../src/monitoring/endpoints/index.ts";
import type { CertificateScan, CertificateTarget, ContainerSighting, Observation } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { watchKept } from "./kept-events.ts";
import { sighting } from "./sightings.ts";
import { testSecrets } from "./secrets.ts";

type Shown = CertificateScan | Promise<CertificateScan>;

export type ScanFacts = Partial<Omit<CertificateScan, "leaf">> & { fingerprint?: string; expiresAt?: Date; leaf?: null };

/** What a good peer shows, but for what the test says. */
export function scanOf({
  fingerprint = "AA:01",
  expiresAt = new Date("2026-06-01T00:00:00Z"),
  leaf,
  ...facts
}: ScanFacts = {}): CertificateScan {
  const notBefore = new Date(expiresAt.getTime() - 90 * DAY_MS);
  const link = { subject: "CN=web.test", issuer: "CN=Test Authority", notBefore, expiresAt, error: facts.chainError ?? null };
  return {
    error: null,
    leaf:
      leaf === null
        ? null
        : {
            subject: "CN=web.test",
            issuer: "CN=Test Authority",
            issuerOrg: "Test",
            sans: ["web.test"],
            serialNumber: "01",
            fingerprintSha256: fingerprint,
            keyType: "EC P-256",
            signatureAlgorithm: "ecdsa-with-SHA256",
            notBefore,
            expiresAt,
          },
    chain: leaf === null ? [] : [link],
    chainValid: true,
    chainError: null,
    hostnameMatch: true,
    ocsp: null,
    ...facts,
  };
}

export const unreachable: CertificateScan = scanOf({
  leaf: null,
  error: "web.test:443 refused the connection.",
  chainValid: false,
  hostnameMatch: null,
});

/** Certificates over a database, with a clock that the test turns and peers that it plays. */
export interface WatchedCertificates {
  certificates: Certificates;
  endpoints: Endpoints;
  events: Event[];
  published<Name extends EventName>(name: Name): Event<Name>["data"][];
  /** What was scanned so far. */
  scanned: CertificateTarget[];
  /** How many scans there were at one time, at most. */
  mostAtOnce(): number;
  /** What a peer shows from now on; a promise is waited for. */
  shows(scan: Shown | ((target: CertificateTarget) => Shown)): void;
  see(agentId: string | null, ...observations: Observation[]): Promise<void>;
  /** An inventory of the local host, now. */
  show(...containers: Partial<ContainerSighting>[]): Promise<void>;
  create(body?: Record<string, unknown>): Promise<CertificateDetail>;
  list(query?: object): CertificateRecord[];
  stop(): Promise<void>;
}

/** As after a start of the program, on the database as it is. */
export async function startCertificates({ database, clock }: { database: Database; clock: FakeClock }): Promise<WatchedCertificates> {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  const assertKept = watchKept(bus);
  bus.subscribe("test", (event) => events.push(event));
  const scheduler = createScheduler(clock, silentLog);
  const shared = { database, secrets: testSecrets, bus, clock, scheduler, log: silentLog };
  const containers = createContainers({ ...shared, logSource: { async *logs() {} } });
  const endpoints = createEndpoints({
    ...shared,
    containers,
    probes: { set() {}, checkNow: () => Promise.reject(new Error("no probes")) },
  });
  const scanned: CertificateTarget[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  let shown: Shown | ((target: CertificateTarget) => Shown) = scanOf();
  const certificates = createCertificates({
    ...shared,
    containers,
    endpoints,
    random: () => 0,
    async scan(target, signal) {
      scanned.push(target);
      mostAtOnce = Math.max(mostAtOnce, (underWay += 1));
      const ended = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      try {
        return await Promise.race([typeof shown === "function" ? shown(target) : shown, ended]);
      } finally {
        underWay -= 1;
      }
    },
  });
  await containers.start();
  await endpoints.start();
  await certificates.start();

  async function see(agentId: string | null, ...observations: Observation[]): Promise<void> {
    for (const each of [containers, endpoints, certificates]) await each.observe(agentId, observations);
  }

  return {
    certificates,
    endpoints,
    events,
    // The name says which data it is.
    published: <Name extends EventName>(name: Name) =>
      events.filter(({ type }) => type === name).map(({ data }) => data as Event<Name>["data"]),
    scanned,
    mostAtOnce: () => mostAtOnce,
    shows(scan) {
      shown = scan;
    },
    see,
    show: (...each) => see(null, { kind: "container.inventory", observedAt: clock.now(), containers: each.map(sighting) }),
    create: (body = {}) => certificates.service.create(certificateBody.parse({ domain: "web.test", ...body })),
    list: (query = {}) => certificates.service.list(query).certificates,
    async stop() {
      await certificates.stop();
      await scheduler.stop();
      assertKept();
    },
  };
}
