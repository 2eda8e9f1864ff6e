import {
  MOST_CERTIFICATES,
  type ObservationSink,
  CERTIFICATE_SCAN_MS,
  type CertificateScan,
  type CertificateTarget,
} from "../../observations.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Probes } from "../probes/index.ts";
import type { ScanCertificate } from "../tls/scan.ts";
import { createWanted } from "./wanted.ts";

export interface LabelledOptions {
  sink: ObservationSink;
  probes: Pick<Probes, "set">;
  scan: ScanCertificate;
  clock: Clock;
  log: Log;
}

/**
 * Looks from its own host at what labels of its containers ask for: has their endpoints probed, and scans certificates. The server
 * decides by the same rules what it expects to receive.
 */
export interface Labelled extends ObservationSink {
  start(): void;
  /** Ends scans under way, without results. */
  stop(): Promise<void>;
}

/** Give it every observation of containers after the other sinks have taken it: its own observations refer to containers that those must know. */
export function createLabelled({ sink, probes, scan, clock, log }: LabelledOptions): Labelled {
  const wanted = createWanted();
  const rounds = createRounds({
    scan,
    clock,
    log,
    deliver: (target, shown) => sink.observe(null, { kind: "certificate.scanned", observedAt: clock.now(), target, scan: shown }),
  });

  return {
    observe(_agentId, observation) {
      if (!wanted.take(observation)) return;
      probes.set(wanted.checks());
      const targets = [...wanted.targets()];
      if (targets.length > MOST_CERTIFICATES)
        log.warn({ asked_for: targets.length, scanned: MOST_CERTIFICATES }, "not all certificates that labels lead to are scanned");
      rounds.set(new Map(targets.slice(0, MOST_CERTIFICATES)));
    },
    start: rounds.start,
    stop: rounds.stop,
  };
}

/** A peer that hangs takes ten seconds. */
const AT_ONCE = 32;
/** Within which a new target is scanned first. */
const SOON_MS = 3_000;
/** Between the first scan of a target and the second, at least. */
const LEAST_MS = 20_000;
/** Golden ratio: its multiples, without their whole parts, lie as evenly as can be, however many there are. */
const GOLDEN = 0.618_033_988_749_894_9;

/** Scans certificates, each once a minute. */
interface Rounds {
  /** Replaces what is scanned, by key. What stays keeps its place in the minute; what is new is scanned within seconds. */
  set(targets: ReadonlyMap<string, CertificateTarget>): void;
  start(): void;
  /** Ends scans under way, without results. */
  stop(): Promise<void>;
}

interface Entry {
  target: CertificateTarget;
  /** From where its minutes are counted. */
  beatMs: number;
  dueMs: number;
  ending: AbortController | undefined;
}

interface RoundsParts {
  scan: ScanCertificate;
  clock: Clock;
  log: Log;
  deliver(target: CertificateTarget, scan: CertificateScan): void;
}

function createRounds({ scan, clock, log, deliver }: RoundsParts): Rounds {
  const entries = new Map<string, Entry>();
  const underWay = new Set<Promise<void>>();
  let phase: "new" | "running" | "stopped" = "new";
  /** How many were ever added: places the next one among them. */
  let added = 0;
  let timer: Timer | undefined;

  function add(key: string, target: CertificateTarget): void {
    const nowMs = clock.monotonicMs();
    const place = (added * GOLDEN) % 1;
    added += 1;
    const dueMs = nowMs + place * SOON_MS;
    entries.set(key, { target, dueMs, beatMs: nowMs + place * CERTIFICATE_SCAN_MS, ending: undefined });
  }

  /** Begins what is due, the longest overdue first, and sets the timer for what comes next. */
  function proceed(): void {
    timer?.cancel();
    timer = undefined;
    if (phase !== "running") return;
    const nowMs = clock.monotonicMs();
    const waiting = [...entries.values()].filter(({ ending }) => ending === undefined).toSorted((a, b) => a.dueMs - b.dueMs);
    for (const entry of waiting) {
      // Whatever ends first continues with the rest.
      if (underWay.size >= AT_ONCE) return;
      if (entry.dueMs > nowMs) {
        timer = clock.after(entry.dueMs - nowMs, proceed);
        return;
      }
      begin(entry, nowMs);
    }
  }

  function begin(entry: Entry, nowMs: number): void {
    const ending = new AbortController();
    entry.ending = ending;
    const beats = Math.max(Math.floor((nowMs + LEAST_MS - entry.beatMs) / CERTIFICATE_SCAN_MS) + 1, 0);
    entry.dueMs = entry.beatMs + beats * CERTIFICATE_SCAN_MS;
    const scanned = run(entry.target, ending.signal).finally(() => {
      entry.ending = undefined;
      underWay.delete(scanned);
      proceed();
    });
    underWay.add(scanned);
  }

  async function run(target: CertificateTarget, signal: AbortSignal): Promise<void> {
    try {
      const shown = await scan(target, signal);
      if (!signal.aborted) deliver(target, shown);
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, domain: target.domain }, "the result of a scan was lost");
    }
  }

  return {
    set(targets) {
      for (const [key, { ending }] of entries) {
        if (targets.has(key)) continue;
        entries.delete(key);
        ending?.abort();
      }
      for (const [key, target] of targets) if (!entries.has(key)) add(key, target);
      proceed();
    },
    start() {
      if (phase !== "new") return;
      phase = "running";
      proceed();
    },
    async stop() {
      phase = "stopped";
      timer?.cancel();
      for (const { ending } of entries.values()) ending?.abort();
      await Promise.all(underWay);
    },
  };
}
