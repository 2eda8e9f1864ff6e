import { createAddressGuard, type ListeningAddress } from "../collector/peers/address-guard.ts";
import { createProbes, type Probes } from "../collector/probes/index.ts";
import { createScanner, type ScanCertificate } from "../collector/tls/scan.ts";
import type { Trust } from "../collector/tls/trust.ts";
import type { ObservationSink } from "../observations.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Runtime } from "../runtimes/runtime.ts";

export interface ChecksParts {
  sink: ObservationSink;
  trust: Trust;
  /** Where this program listens; an agent listens nowhere. */
  listeners?: () => readonly ListeningAddress[];
  /** undefined when no engine is watched. */
  runtime: Pick<Runtime, "networkAddresses"> | undefined;
  clock: Clock;
  log: Log;
}

/** What checks endpoints and certificates from this host, kept from this program and its container engine by one guard. */
export function openChecks({ sink, trust, listeners, runtime, clock, log }: ChecksParts): { probes: Probes; scan: ScanCertificate } {
  const guard = createAddressGuard({ ...(listeners && { listeners }), engine: () => runtime?.networkAddresses() ?? [] });
  return {
    probes: createProbes({ sink, agentId: null, clock, log, trust, guard }),
    scan: createScanner({ trust, clock, guard }),
  };
}
