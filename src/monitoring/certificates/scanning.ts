import { MINUTE_MS } from "../../contract/time.ts";
import type { CertificateScan, CertificateTarget } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { WorkQueue } from "../../platform/queues.ts";
import type { SavedCertificate } from "./certificate.ts";
import type { Register } from "./register.ts";
import type { SavedCheck } from "./rows.ts";
import type { CertificateStore } from "./store.ts";

/** Looks at the certificate of a TLS peer, within 10 seconds. Throws only the signal's reason. */
export type ScanCertificate = (target: CertificateTarget, signal: AbortSignal) => Promise<CertificateScan>;

const AT_ONCE = 8;
/** Runs may begin that much off their beat. What is due as late as that belongs to the run, and would wait for another minute. */
const BEAT_SLACK_MS = 500;
/** A scan takes at most ten seconds; one that never ended is made again after this. */
export const CLAIM_MS = MINUTE_MS;

/** Agents look each minute. Some of their scans may come late. */
const UNSEEN_AFTER_MS = 5 * MINUTE_MS;

/** Looks at certificates when their time has come: it is a column, so that nothing is lost over a restart. */
export interface Scanning {
  /** Scans all that is due, some at a time; one run at a time. */
  runDue(): Promise<void>;
  /** The same soon, for what has just become due. */
  wake(): void;
  /** Scans one now and saves what it showed, news or not; undefined when it was deleted meanwhile. */
  scanNow(certificate: SavedCertificate): Promise<SavedCheck | undefined>;
  /** Judges certificates of agents that send no scans, as of a disconnected host, by the dates that are known. Call it each minute. */
  judgeUnseen(): Promise<void>;
  /** Ends scans under way, without results. */
  stop(): Promise<void>;
}

export function createScanning({
  scan,
  register,
  store,
  clock,
  log,
}: {
  scan: ScanCertificate;
  register: Register;
  store: Pick<CertificateStore, "due" | "claim">;
  clock: Clock;
  log: Log;
}): Scanning {
  const stopping = new AbortController();
  const { signal } = stopping;
  const runs = new WorkQueue(scanDue);
  /** The last scan of each, and when it was noticed here: the clock of an agent may be behind, and after a start agents need a moment to return. */
  let noticed = new Map<number, { lastCheckMs: number; monotonicMs: number }>();

  async function scanDue(): Promise<void> {
    while (!signal.aborted) {
      const begunAt = clock.now();
      const waiting = await store.due(new Date(begunAt.getTime() + BEAT_SLACK_MS));
      if (waiting.length === 0) return;
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(waiting, begunAt)));
    }
  }

  async function work(waiting: { id: number; dueAt: Date }[], begunAt: Date): Promise<void> {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const certificate = register.get(next.id);
      const isOurs = await store.claim(next.id, next.dueAt, new Date(clock.now().getTime() + CLAIM_MS));
      if (isOurs && certificate !== undefined) await scanAndSave(certificate, { begunAt, asked: false });
    }
  }

  async function scanAndSave(
    { id, domain, port, serverName }: SavedCertificate,
    how: { begunAt: Date; asked: boolean },
  ): Promise<SavedCheck | undefined> {
    const target = { domain, port, serverName };
    try {
      return await register.take(id, target, await scan(target, signal), { now: clock.now(), ...how });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  return {
    runDue: () => runs.ask(),
    wake() {
      runs.ask().catch((error: unknown) => {
        if (isServiceError(error, "storage_unavailable")) log.debug({}, "scans of certificates put off: no database");
        else log.error({ err: error }, "scans of certificates failed");
      });
    },
    scanNow: (certificate) => scanAndSave(certificate, { begunAt: clock.now(), asked: true }),
    async judgeUnseen() {
      const monotonicMs = clock.monotonicMs();
      const before = noticed;
      noticed = new Map();
      const unseen: number[] = [];
      for (const { id, agentId, state } of register.all()) {
        if (agentId === null || state.lastCheckAt === null) continue;
        const lastCheckMs = state.lastCheckAt.getTime();
        const known = before.get(id);
        const kept = known?.lastCheckMs === lastCheckMs ? known : { lastCheckMs, monotonicMs };
        noticed.set(id, kept);
        if (monotonicMs - kept.monotonicMs >= UNSEEN_AFTER_MS) unseen.push(id);
      }
      for (const id of unseen) await register.judgeUnseen(id, clock.now());
    },
    async stop() {
      stopping.abort();
      await runs.stop();
    },
  };
}
