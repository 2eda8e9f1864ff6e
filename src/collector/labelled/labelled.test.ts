import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import { scanOf } from "../../../test/support/certificates.ts";
import { httpCheck, labelled as endpoint } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { sighting } from "../../../test/support/sightings.ts";
import {
  type CertificateScan,
  type CertificateTarget,
  type EndpointCheck,
  MOST_CERTIFICATES,
  type Observation,
} from "../../observations.ts";
import { silentLog } from "../../platform/log.ts";
import { createLabelled, type Labelled } from "./index.ts";

const LABEL = "service.endpoint.http";

describe("what labels ask of an agent", () => {
  let clock: FakeClock;
  let labelled: Labelled;
  let checks: ReadonlyMap<string, EndpointCheck>;
  let sets: number;
  let observed: Observation[];
  let begun: { domain: string; atMs: number }[];
  let ended: number;
  let underWay: number;
  let mostAtOnce: number;
  let scan: (target: CertificateTarget) => Promise<CertificateScan>;

  beforeEach(() => {
    clock = createFakeClock();
    checks = new Map();
    [sets, ended, underWay, mostAtOnce] = [0, 0, 0, 0];
    [observed, begun] = [[], []];
    scan = async () => scanOf();
    labelled = createLabelled({
      sink: { observe: (_, observation) => void observed.push(observation) },
      probes: {
        set(given) {
          checks = given;
          sets += 1;
        },
      },
      async scan(target, signal) {
        begun.push({ domain: target.domain, atMs: clock.monotonicMs() });
        mostAtOnce = Math.max(mostAtOnce, (underWay += 1));
        const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
        try {
          return await Promise.race([scan(target), aborted]);
        } finally {
          underWay -= 1;
          ended += 1;
        }
      },
      clock,
      log: silentLog,
    });
    labelled.start();
  });
  afterEach(() => labelled.stop());

  const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `host-${index}.test`);
  /** An inventory of one container whose labels ask for these. */
  const ask = (...domains: string[]): void =>
    labelled.observe(null, {
      kind: "container.inventory",
      observedAt: clock.now(),
      containers: [sighting({ certificates: domains.map((domain) => ({ domain, port: 443, serverName: domain })) })],
    });
  const beginsOf = (domain: string): number[] => begun.flatMap((each) => (each.domain === domain ? [each.atMs] : []));

  it("are its endpoints, handed to the probes when they change and not else", () => {
    const container = sighting({ endpoints: [endpoint(LABEL, httpCheck({ target: "http://web.test/" }))] });
    const key = `${container.externalId}/${LABEL}`;
    labelled.observe(null, { kind: "container.inventory", observedAt: clock.now(), containers: [container] });
    assert.deepEqual([...checks], [[key, httpCheck({ target: "http://web.test/" })]]);
    labelled.observe(null, { kind: "container.seen", observedAt: clock.now(), container });
    assert.equal(sets, 1);
    labelled.observe(null, { kind: "container.seen", observedAt: clock.now(), container: { ...container, state: "exited" } });
    assert.deepEqual([sets, checks.size], [2, 0]);
  });

  it("are certificates, scanned within seconds and reported", async () => {
    ask("web.test");
    await clock.advance(3_000);
    assert.deepEqual(observed, [
      {
        kind: "certificate.scanned",
        observedAt: new Date("2026-03-01T12:00:00.000Z"),
        target: { domain: "web.test", port: 443, serverName: "web.test" },
        scan: scanOf(),
      },
    ]);
  });

  it("are scanned each minute, spread over it", async () => {
    ask(...names(60));
    await clock.advance(3_000);
    assert.equal(begun.length, 60, "each within seconds");
    await clock.advance(1.5 * MINUTE_MS);
    begun.length = 0;
    await clock.advance(10 * MINUTE_MS);
    for (const name of names(60)) {
      const times = beginsOf(name);
      assert.equal(times.length, 10, name);
      times.forEach((ms, index) => assert.ok(index === 0 || Math.abs(ms - (times[index - 1] ?? 0) - MINUTE_MS) < 1));
    }
    const fullest = Math.max(...[...Map.groupBy(begun, ({ atMs }) => Math.floor(atMs / 5_000)).values()].map((each) => each.length));
    assert.ok(fullest <= 8, `${fullest} of 60 in five seconds`);
  });

  it("keep their place when others come and go", async () => {
    ask("web.test");
    await clock.advance(2 * MINUTE_MS);
    const [before = 0] = beginsOf("web.test").slice(-1);
    ask("web.test", "shop.test");
    ask("web.test");
    await clock.advance(3 * MINUTE_MS);
    assert.deepEqual(
      beginsOf("web.test").slice(-3),
      [1, 2, 3].map((minute) => before + minute * MINUTE_MS),
    );
  });

  it("are neither scanned nor reported when nothing asks for them any more", async () => {
    const slow = Promise.withResolvers<CertificateScan>();
    scan = () => slow.promise;
    ask("web.test");
    await clock.advance(3_000);
    assert.equal(underWay, 1);
    // Its result is there, but nobody has taken it yet.
    slow.resolve(scanOf());
    ask();
    await clock.advance(5 * MINUTE_MS);
    assert.deepEqual([observed.length, begun.length, ended], [0, 1, 1]);
  });

  it("are scanned some at a time, and none twice at once, when all peers hang", async () => {
    scan = () => new Promise((resolve) => clock.after(10_000, () => resolve(scanOf())));
    ask(...names(200));
    await clock.advance(15 * MINUTE_MS);
    assert.equal(mostAtOnce, 32);
    const counts = names(200).map((name) => beginsOf(name).length);
    assert.ok(Math.min(...counts) >= 10, `${Math.min(...counts)} scans: each gets its turn`);
  });

  it("are no more than an agent may watch", async () => {
    ask(...names(MOST_CERTIFICATES + 10));
    await clock.advance(MINUTE_MS);
    assert.equal(new Set(begun.map(({ domain }) => domain)).size, MOST_CERTIFICATES);
  });

  it("are scanned again after a scan that failed in us", async () => {
    scan = async () => {
      throw new Error("a defect");
    };
    ask("web.test");
    await clock.advance(3_000);
    scan = async () => scanOf();
    await clock.advance(MINUTE_MS);
    assert.equal(observed.length, 1);
  });

  it("are left at the end, without results", async () => {
    scan = () => new Promise(() => undefined);
    ask("web.test", "shop.test");
    await clock.advance(3_000);
    await labelled.stop();
    ask("other.test");
    await clock.advance(5 * MINUTE_MS);
    assert.deepEqual([observed.length, underWay, begun.length], [0, 0, 2]);
  });
});
