import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Event, EventName } from "../../src/events.ts";
import { type Agents, createAgents, type HostRemoval, type Purger } from "../../src/fleet/agents/index.ts";
import { createEnrollment, type Enrollment, type EnrollmentDependencies, purgeTokens } from "../../src/fleet/enrollment/index.ts";
import type { AgentHello, Registration } from "../../src/fleet/seams.ts";
import { createBus } from "../../src/platform/bus.ts";
import type { Log } from "../../src/platform/log.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";

export const STALE_MS = 60_000;

export const HELLO: AgentHello = {
  version: "1.2.3",
  hostname: "ark",
  os: "Debian GNU/Linux 13",
  arch: "x64",
  runtime: "docker",
  capabilities: ["logs"],
};

/** The raw public half of a new Ed25519 key. */
export function newPublicKey(): Uint8Array {
  return generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" }).subarray(-32);
}

/** What an agent presents; by default with a token that nobody made. */
export function registration(of: Partial<Registration> = {}): Registration {
  return { token: `svc_enr_${"a".repeat(52)}`, publicKey: newPublicKey(), label: "", hello: HELLO, peer: "192.0.2.1", ...of };
}

/** Agents and their enrollment over a database, with a clock that the test turns. */
export interface TestFleet {
  agents: Agents;
  enrollment: Enrollment;
  events: Event[];
  published<Name extends EventName>(name: Name): Event<Name>["data"][];
  /** Makes a token and uses it. */
  enroll(of?: Partial<Registration>): Promise<string>;
  /** A new token's text. */
  token(body?: { ttl_hours?: number; label?: string }): Promise<string>;
  stop(): Promise<void>;
}

/** As after a start of the program, on the database as it is. */
export async function startFleet({
  database,
  clock,
  hosts = { remove: (_agentId, write) => write(async () => {}) },
  purgers = [],
  log = silentLog,
  ...options
}: {
  database: Database;
  clock: FakeClock;
  hosts?: HostRemoval;
  purgers?: readonly Purger[];
  log?: Log;
} & Partial<Pick<EnrollmentDependencies, "listens" | "grpcUrl" | "trustedProxies" | "fingerprint">>): Promise<TestFleet> {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const scheduler = createScheduler(clock, silentLog);
  const shared = { database, clock, scheduler, log };
  const agents = createAgents({ ...shared, bus, staleMs: STALE_MS, hosts, purgers: [purgeTokens, ...purgers] });
  const enrollment = createEnrollment({
    ...shared,
    agents,
    listens: true,
    grpcUrl: undefined,
    baseUrl: "http://127.0.0.1:8080",
    trustedProxies: { includes: () => false },
    fingerprint: () => undefined,
    ...options,
  });
  await agents.start();
  await enrollment.start();

  async function token({ ttl_hours = 24, ...body }: { ttl_hours?: number; label?: string } = {}): Promise<string> {
    const address = { url: "grpcs://monitor.example.org:443", source: "configured", warnings: [] } as const;
    return (await enrollment.service.create({ ttl_hours, ...body }, { ...address, warnings: [] })).token;
  }

  return {
    agents,
    enrollment,
    events,
    // The name says which data it is.
    published: <Name extends EventName>(name: Name) =>
      events.filter(({ type }) => type === name).map(({ data }) => data as Event<Name>["data"]),
    token,
    enroll: async (of = {}) => (await enrollment.register(registration({ token: await token(), ...of }))).agentId,
    async stop() {
      await scheduler.stop();
      await agents.stop();
    },
  };
}

/** A token of the right form that is no token. */
export function strangeToken(): string {
  return `svc_enr_${[...randomBytes(52)].map((byte) => "abcdefghijklmnopqrstuvwxyz234567"[byte & 31]).join("")}`;
}
