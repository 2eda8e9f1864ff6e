import { MOST_CERTIFICATES, type ObservationSink } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Probes } from "../probes/index.ts";
import type { ScanCertificate } from "../tls/scan.ts";
import { createRounds } from "./rounds.ts";
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
 * decides by the same rules what it expects to hear.
 */
export interface Labelled extends ObservationSink {
  start(): void;
  /** Ends scans under way, without results. */
  stop(): Promise<void>;
}

/** To be given every observation of containers, after whoever else takes them: what it finds belongs to what they know by then. */
export function createLabelled({ sink, probes, scan, clock, log }: LabelledOptions): Labelled {
  const wanted = createWanted();
  const rounds = createRounds({
    scan,
    clock,
    log,
    tell: (target, shown) => sink.observe(null, { kind: "certificate.scanned", observedAt: clock.now(), target, scan: shown }),
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
