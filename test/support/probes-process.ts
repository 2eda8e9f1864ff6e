/** The probing engine as a separate process, to be started inside of a network: checks as JSON in its argument, results as lines of JSON. */
import { createProbes } from "../../src/collector/probes/index.ts";
import { createTrust } from "../../src/collector/tls/trust.ts";
import type { EndpointCheck } from "../../src/observations.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";

const probes = createProbes({
  sink: {
    observe(_agentId, observation) {
      if (observation.kind === "endpoint.checked")
        process.stdout.write(`${JSON.stringify({ key: observation.key, ...observation.result })}\n`);
    },
  },
  agentId: null,
  clock: systemClock,
  log: silentLog,
  trust: createTrust({ systemRoots: () => [] }),
});
// The test that starts it wrote the argument.
probes.set(new Map(JSON.parse(process.argv[2] ?? "[]") as [string, EndpointCheck][]));
probes.start();
// Its timers do not keep it alive; ends with its parent.
process.stdin.on("end", () => process.exit(0)).resume();
