import type { Probes } from "../collector/probes/index.ts";
import type { ScanCertificate } from "../collector/tls/scan.ts";
import { type EndpointCheck, type ObservationSink } from "../observations.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import { checkedAt, scanOf } from "./world/checked.ts";

export interface DemoChecksOptions {
  sink: ObservationSink;
  /** When the payments service was updated, since when it fails. */
  updatedMs: number;
  clock: Clock;
}

interface Watched {
  key: string;
  check: EndpointCheck;
  timer: Timer | undefined;
}

/** Checks of endpoints and certificates with made-up results: nothing is connected to. */
export function createDemoChecks({ sink, updatedMs, clock }: DemoChecksOptions): { probes: Probes; scan: ScanCertificate } {
  const watched = new Map<string, Watched>();
  let isRunning = false;

  function run({ key, check }: Watched): { at: Date; result: ReturnType<typeof checkedAt> } {
    const at = clock.now();
    const result = checkedAt(check.target, { atMs: at.getTime(), updatedMs });
    sink.observe(null, { kind: "endpoint.checked", observedAt: at, key, result });
    return { at, result };
  }
  function plan(each: Watched, delayMs: number): void {
    each.timer = clock.after(delayMs, () => {
      if (!isRunning || watched.get(each.key) !== each) return;
      run(each);
      plan(each, each.check.intervalMs);
    });
  }

  return {
    probes: {
      set(checks) {
        for (const [key, each] of watched) {
          if (checks.get(key)?.target === each.check.target) continue;
          each.timer?.cancel();
          watched.delete(key);
        }
        for (const [key, check] of checks) {
          const known = watched.get(key);
          if (known !== undefined) {
            known.check = check;
            continue;
          }
          const added: Watched = { key, check, timer: undefined };
          watched.set(key, added);
          if (isRunning) plan(added, 100 + ((watched.size * 370) % 4_000));
        }
      },
      async checkNow(key) {
        const each = watched.get(key);
        if (each === undefined) throw new ServiceError("not_found", "This endpoint is not checked here.");
        return run(each);
      },
      start() {
        isRunning = true;
        let place = 0;
        for (const each of watched.values()) plan(each, 100 + (((place += 1) * 370) % 4_000));
      },
      async stop() {
        isRunning = false;
        for (const { timer } of watched.values()) timer?.cancel();
      },
    },
    scan: async (target) => scanOf(target, { updatedMs }),
  };
}
