/**
 * Checks and all that becomes of them, on a separate database: so many endpoints, asked for by labels of containers, checked every so many
 * seconds, all of them at the given port.
 */
import { silentLog } from "../../../src/platform/log.ts";
import { join } from "node:path";
import { fakeContainer } from "../../../test/support/fake-runtime.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { createProbes } from "../../../src/collector/probes/index.ts";
import { toSighting } from "../../../src/collector/labels.ts";
import { createTrust } from "../../../src/collector/tls/trust.ts";
import type { Event } from "../../../src/events.ts";
import { createContainers } from "../../../src/monitoring/containers/index.ts";
import { createEndpoints } from "../../../src/monitoring/endpoints/index.ts";
import { createIntake } from "../../../src/monitoring/intake.ts";
import type { Observation } from "../../../src/observations.ts";
import { createBus } from "../../../src/platform/bus.ts";
import { systemClock as clock } from "../../../src/platform/clock.ts";
import { silentLog as log } from "../../../src/platform/log.ts";
import { createScheduler } from "../../../src/platform/scheduler.ts";
import { openSqlite } from "../../../src/storage/sqlite.ts";
import { serveQuestions } from "../questions.ts";
import { testSecrets } from "../../../test/support/secrets.ts";

/** As many as labels can ask for. */
const PER_CONTAINER = 100;

const [count = 0, intervalSeconds = 0, port = 0] = process.argv.slice(2).map(Number);
/** Between two checks of one endpoint; a longer gap was a check that was skipped. */
const longestGapMs = intervalSeconds * 1000 + 1_000;
const lastMs = new Map<string, number>();
const lateness: number[] = [];
let failures = 0;
let skipped = 0;

function note(observation: Observation): void {
  if (observation.kind !== "endpoint.checked") return;
  const { key, observedAt, result } = observation;
  if (!result.success) failures += 1;
  if (observedAt.getTime() - (lastMs.get(key) ?? Infinity) > longestGapMs) skipped += 1;
  lastMs.set(key, observedAt.getTime());
}

const database = openSqlite({ path: join(temporaryFolder(), "checks.db"), clock, log });
await database.start();
const bus = createBus<Event>(log);
const scheduler = createScheduler(clock, log);
const containers = createContainers({ database, bus, clock, scheduler, log: silentLog, logSource: { async *logs() {} } });
await containers.start();
const probes = createProbes({
  sink: {
    observe(agentId, observation) {
      note(observation);
      intake.observe(agentId, observation);
    },
  },
  agentId: null,
  clock,
  log,
  trust: createTrust(),
  onStart: (lateMs) => void lateness.push(lateMs),
});
const endpoints = createEndpoints({ database, secrets: testSecrets, containers, probes, bus, clock, scheduler, log });
await endpoints.start();
const intake = createIntake({ clock, log });
intake.start({ observers: [containers, endpoints] });

/** Containers whose labels ask for all the endpoints. */
function inventory(): Observation {
  const sightings = Array.from({ length: Math.ceil(count / PER_CONTAINER) }, (_, number) => {
    const labels: Record<string, string> = { "service.endpoint.interval": `${intervalSeconds}s` };
    for (let index = 0; index < Math.min(PER_CONTAINER, count - number * PER_CONTAINER); index += 1) {
      labels[`service.endpoint.${index}.http`] = `http://127.0.0.1:${port}/health/${number}/${index}`;
    }
    return toSighting(fakeContainer(number + 1, { labels }));
  });
  return { kind: "container.inventory", observedAt: new Date(), containers: sightings };
}

serveQuestions(0, {
  /** Begins; answers when all have been checked once, and how long it took to the first of them. */
  async start() {
    const startedMs = performance.now();
    const inventoryOfAll = inventory();
    probes.start();
    intake.observe(null, inventoryOfAll);
    while (lastMs.size === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const firstCheckMs = performance.now() - startedMs;
    while (lastMs.size < count) await new Promise((resolve) => setTimeout(resolve, 10));
    return { firstCheckMs };
  },
  /** Forgets how late checks were so far. */
  forget() {
    lateness.length = 0;
    return {};
  },
  figures() {
    const overdue = [...lastMs.values()].filter((atMs) => Date.now() - atMs > longestGapMs).length;
    return { lateness, failures, skipped: skipped + overdue };
  },
});
