import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createLabelled } from "../src/collector/labelled/index.ts";
import { decodeEvent, encodeEvent } from "../src/fleet/wire/event.ts";
import { type ContainerSighting, type EndpointCheck, labelEndpointKey, type Observation } from "../src/observations.ts";
import { systemClock } from "../src/platform/clock.ts";
import { silentLog } from "../src/platform/log.ts";
import type { Database } from "../src/storage/database.ts";
import { openSqlite } from "../src/storage/sqlite.ts";
import { scanOf } from "./support/certificates.ts";
import { checkedObservation, httpCheck, labelled as endpoint } from "./support/endpoints.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { openHosts } from "./support/hosts.ts";
import { temporaryFolder } from "./support/program.ts";
import { fc } from "./support/seed.ts";
import { defaultSettings, sighting } from "./support/sightings.ts";
import { until } from "./support/until.ts";

const LABELS = ["service.endpoint.http", "service.endpoint.2.http"];
const DOMAINS = ["a.test", "b.test", "c.test", "d.test", "e.test"];
const FINGERPRINT = Array.from({ length: 32 }, () => "AB").join(":");

const anyContainer: fc.Arbitrary<ContainerSighting> = fc
  .record({
    externalId: fc.constantFrom("one", "two", "three"),
    state: fc.constantFrom("running", "running", "running", "exited", "paused", "created"),
    ignored: fc.constantFrom(false, false, true),
    endpoints: fc.uniqueArray(
      fc.record({ label: fc.constantFrom(...LABELS), domain: fc.constantFrom(...DOMAINS), scheme: fc.constantFrom("https", "http") }),
      { selector: ({ label }) => label, maxLength: 2 },
    ),
    certificates: fc.subarray(["a.test", "z.test"]),
  })
  .map(({ externalId, state, ignored, endpoints, certificates }) =>
    sighting({
      externalId,
      name: externalId,
      state,
      exitCode: state === "exited" ? 0 : null,
      settings: { ...defaultSettings, ignored },
      endpoints: endpoints.map(({ label, domain, scheme }) => endpoint(label, httpCheck({ target: `${scheme}://${domain}/` }))),
      certificates: certificates.map((domain) => ({ domain, port: 443, serverName: domain })),
    }),
  );

type Step =
  | { kind: "inventory"; containers: ContainerSighting[] }
  | { kind: "seen"; container: ContainerSighting }
  | { kind: "gone"; externalId: string };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("inventory" as const),
    containers: fc.uniqueArray(anyContainer, { selector: ({ externalId }) => externalId, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("seen" as const), container: anyContainer }),
  fc.record({ kind: fc.constant("gone" as const), externalId: fc.constantFrom("one", "two", "three") }),
);

function observationOf(step: Step, observedAt: Date): Observation {
  if (step.kind === "inventory") return { kind: "container.inventory", observedAt, containers: step.containers };
  if (step.kind === "seen") return { kind: "container.seen", observedAt, container: step.container };
  return { kind: "container.gone", observedAt, externalId: step.externalId };
}

describe("an agent and its server", () => {
  let database: Database;
  let agents = 0;

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/labels.db`, clock: systemClock, log: silentLog });
    await database.start();
  });
  after(() => database.stop());

  it("check, and expect results of, the same endpoints and certificates, whatever containers do", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 8 }), async (steps) => {
        agents += 1;
        const agentId = `0b9c54a0-0000-4000-8000-${String(agents).padStart(12, "0")}`;
        const clock = createFakeClock();
        const hosts = await openHosts({ database, clock });
        let checks: ReadonlyMap<string, EndpointCheck> = new Map();
        const waiting: Observation[] = [];
        let seq = 0;
        /** Over the wire, as everything that an agent says. */
        const send = async (...observations: Observation[]): Promise<void> => {
          const bytes = observations.map((observation) =>
            encodeEvent({ seq: (seq += 1), eventId: new Uint8Array(16), replayed: false, observation }),
          );
          await hosts.intake.live(
            agentId,
            bytes.map((each) => decodeEvent(each).observation),
          );
        };
        const labelled = createLabelled({
          sink: { observe: (_, observation) => void waiting.push(observation) },
          probes: { set: (given) => void (checks = given) },
          scan: async () => scanOf({ fingerprint: FINGERPRINT }),
          clock,
          log: silentLog,
        });
        const there = new Map<string, ContainerSighting>();
        /** Both get it. */
        async function observe(step: Step): Promise<void> {
          if (step.kind === "inventory") there.clear();
          for (const container of step.kind === "inventory" ? step.containers : step.kind === "seen" ? [step.container] : [])
            there.set(container.externalId, container);
          if (step.kind === "gone") there.delete(step.externalId);
          const observation = observationOf(step, clock.now());
          await send(observation);
          labelled.observe(null, observation);
        }
        labelled.start();
        try {
          // A stream begins with what is there.
          for (const step of [{ kind: "inventory", containers: [] } as const, ...steps]) {
            await clock.advance(1_000);
            await observe({ ...step } as Step);
          }
          const expected = hosts.endpoints
            .present()
            .filter((each) => each.agentId === agentId && each.container?.running === true)
            .map(({ container, labelKey }) => labelEndpointKey(container?.externalId ?? "", labelKey ?? ""));
          assert.deepEqual([...checks.keys()].toSorted(), expected.toSorted());
          for (const key of checks.keys()) await send(checkedObservation(key, clock.now()));
          for (const each of hosts.endpoints.present())
            if (each.agentId === agentId && each.container?.running === true) assert.equal(each.state.status, "up");

          // Ten minutes later nothing has taken the place of what is gone. Whatever nothing asks for any more is let go of after its grace.
          await clock.advance(600_000);
          waiting.length = 0;
          await observe({ kind: "inventory", containers: [...there.values()] });
          const watched = () => hosts.certificates.service.list({ agent_id: agentId }).certificates;
          for (let minute = 0; minute < 5; minute += 1) {
            await clock.advance(60_000);
            await send(...waiting.splice(0));
          }
          await clock.advance(65_000);
          const scanned = new Set(waiting.flatMap((each) => (each.kind === "certificate.scanned" ? [each.target.domain] : [])));
          const watchedDomains = () =>
            watched()
              .map(({ domain }) => domain)
              .toSorted();
          // The server lets go of them in a unit of the database, which a fake clock knows nothing of.
          await until(() => watchedDomains().length <= scanned.size);
          assert.deepEqual(watchedDomains(), [...scanned].toSorted());
          assert.deepEqual(
            watched().filter(({ status }) => status !== "valid"),
            [],
          );
          assert.deepEqual([...hosts.looked.probed, ...hosts.looked.scanned], []);
        } finally {
          await labelled.stop();
          await hosts.removal.remove(agentId, (purge) => database.tables<object>().write((tx) => purge(tx)));
          await hosts.stop();
        }
      }),
      { numRuns: 25 },
    );
  });
});
