import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { MINUTE_MS } from "../../contract/time.ts";
import { scanOf, startCertificates, unreachable, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { body, httpCheck, labelled } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import { type CertificateScan, type ContainerSighting, MOST_CERTIFICATES, type Observation } from "../../observations.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import { certificateChange } from "./api.ts";

const A = "0b9c54a0-0000-4000-8000-00000000000a";
const B = "0b9c54a0-0000-4000-8000-00000000000b";
const NOON = new Date("2026-03-01T12:00:00Z");
const DAY_S = 86_400;

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let watched: WatchedCertificates;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    watched = await startCertificates({ database, clock });
  });
  afterEach(async () => {
    assert.deepEqual(watched.scanned, [], "the server itself looks at nothing of an agent");
    await watched.stop();
  });

  const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
  const show = (agentId: string | null, ...containers: Partial<ContainerSighting>[]): Promise<void> =>
    watched.see(agentId, { kind: "container.inventory", observedAt: clock.now(), containers: containers.map(sighting) });
  const labels = (...domains: string[]) => ({ certificates: domains.map((domain) => ({ domain, port: 443, serverName: domain })) });
  const https = (target = "https://web.test/") => ({ endpoints: [labelled("service.endpoint.http", httpCheck({ target }))] });
  const scanned = (scan: CertificateScan, domain = "web.test", observedAt = clock.now()): Observation => ({
    kind: "certificate.scanned",
    observedAt,
    target: { domain, port: 443, serverName: domain },
    scan,
  });
  /** What an agent says each minute. */
  const scans = async (minutes: number, scan: (minute: number) => CertificateScan, agentId = A): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await watched.see(agentId, scanned(scan(minute)));
      await clock.advance(MINUTE_MS);
    }
  };
  const only = (query = {}) => watched.list(query)[0] ?? assert.fail("there is no certificate");
  const rows = async (id: number): Promise<number> =>
    (await watched.certificates.service.checks(id, { limit: 1, offset: 0, since: after(-3600).toISOString() })).total;
  const types = (): string[] => watched.events.map(({ type }) => type).filter((type) => type.startsWith("certificate."));
  const alerts = () => [...watched.published("certificate.alert"), ...watched.published("certificate.recovery")].map(({ alert }) => alert);

  it("is watched when its label is seen, and known when its agent has looked", async () => {
    const settings = { ...defaultSettings, alertChannels: ["ops"] };
    await show(A, { settings, labels: { team: "shop" }, ...labels("web.test") });
    assert.partialDeepStrictEqual(only(), {
      agent_id: A,
      source: "label",
      status: "unknown",
      alert_channels: ["ops"],
      last_check_at: null,
    });
    await clock.advance(2_000);
    await watched.see(A, scanned(scanOf()));
    assert.partialDeepStrictEqual(only(), {
      status: "valid",
      days_until_expiry: 91,
      last_check_at: after(2).toISOString(),
      next_check_at: after(62).toISOString(),
    });
    assert.deepEqual(types(), ["certificate.created", "certificate.updated"]);
    assert.deepEqual(
      [watched.published("certificate.created")[0]?.agent_id, watched.published("certificate.created")[0]?.labels],
      [A, { team: "shop" }],
    );
    const { latest_check } = await watched.certificates.service.detail(only().id);
    assert.partialDeepStrictEqual(latest_check, { status: "valid", sans: ["web.test"], checked_at: after(2).toISOString() });
  });

  it("has its checks in the history though the clock of its agent is ahead", async () => {
    await show(A, labels("web.test"));
    await watched.see(A, scanned(scanOf(), "web.test", after(120)));
    assert.equal(await rows(only().id), 1);
  });

  it("is watched for an https endpoint of its agent, named by it", async () => {
    await show(A);
    await show(A, https());
    assert.deepEqual(watched.list(), []);
    // The scan comes before the moment in which changes of endpoints are gathered has passed.
    await watched.see(A, scanned(scanOf()));
    const [endpoint] = watched.endpoints.present();
    assert.partialDeepStrictEqual(only(), { agent_id: A, source: "endpoint", endpoint_id: endpoint?.id, status: "valid" });
    await show(A);
    const isGone = async (): Promise<boolean> => {
      await show(A);
      return watched.list().length === 0;
    };
    await turnUntil(clock, isGone, { stepMs: MINUTE_MS, mostMs: 15 * MINUTE_MS });
    assert.equal(types().at(-1), "certificate.deleted");
  });

  it("keeps a check when something has changed and hourly, not each minute", async () => {
    await show(A, labels("web.test"));
    await scans(30, () => scanOf());
    const { id, last_check_at } = only();
    assert.deepEqual([await rows(id), last_check_at], [1, after(29 * 60).toISOString()]);
    assert.deepEqual(types(), ["certificate.created", "certificate.updated"]);
    await scans(3, () => unreachable);
    assert.deepEqual([await rows(id), only().status], [2, "unreachable"]);
    await scans(1, () => scanOf({ fingerprint: "BB:02" }));
    assert.deepEqual([await rows(id), only().fingerprint_sha256], [3, "BB:02"]);
    clock.jump(after(13 * 3600));
    await scans(2, () => scanOf({ fingerprint: "BB:02" }));
    assert.equal(await rows(id), 4);
    await watched.certificates.service.update(id, certificateChange.parse({ check_interval_seconds: 120 }));
    await scans(6, () => scanOf({ fingerprint: "BB:02" }));
    assert.equal(await rows(id), 4);
  });

  it("keeps checks after a clock that was ahead is set back", async () => {
    await show(A, labels("web.test"));
    clock.jump(after(40 * DAY_S));
    await scans(1, () => scanOf());
    clock.jump(NOON);
    await scans(2, () => scanOf());
    const kept = await watched.certificates.service.checks(only().id, {
      limit: 10,
      offset: 0,
      since: after(-60).toISOString(),
      until: after(3600).toISOString(),
    });
    assert.equal(kept.total, 1);
  });

  it("keeps few checks of a peer that shows another certificate each minute", async () => {
    await show(A, labels("web.test"));
    await scans(60, (minute) => scanOf({ fingerprint: `AA:${minute % 2}` }));
    const kept = await rows(only().id);
    assert.ok(kept >= 10 && kept <= 30, `${kept} rows`);
    assert.equal(only().fingerprint_sha256, "AA:1");
    await watched.stop();
    watched = await startCertificates({ database, clock });
    assert.equal(only().fingerprint_sha256, "AA:1", "what is not in the history is remembered all the same");
  });

  it("alerts as a local one, also after a restart", async () => {
    await show(A, labels("web.test"));
    const expiring = scanOf({ expiresAt: after(10 * DAY_S), chainValid: false, chainError: "It is self-signed." });
    await scans(3, () => expiring);
    assert.deepEqual(alerts(), ["expiring", "chain_invalid"]);
    assert.deepEqual(only().alerting, ["expiring", "chain_invalid"]);
    assert.deepEqual(
      watched.certificates.announce().map(({ data }) => "agent_id" in data && data.agent_id),
      [A, A],
    );
    await watched.stop();
    watched = await startCertificates({ database, clock });
    await clock.advance(10 * MINUTE_MS);
    assert.deepEqual(only().alerting, ["expiring", "chain_invalid"], "its host has reported nothing yet");
    await show(A, labels("web.test"));
    await scans(2, () => expiring);
    assert.deepEqual(alerts(), [], "nothing is published twice");
    await scans(1, () => scanOf({ fingerprint: "BB:02" }));
    assert.deepEqual(
      watched.published("certificate.recovery").map(({ alert, reason }) => [alert, reason]),
      [
        ["expiring", "renewed"],
        ["chain_invalid", "renewed"],
      ],
    );
  });

  it("publishes a threshold when it is crossed", async () => {
    await show(A, labels("web.test"));
    const expiresAt = after(30 * DAY_S + 150);
    await scans(5, () => scanOf({ expiresAt }));
    assert.partialDeepStrictEqual(watched.published("certificate.alert"), [
      { alert: "expiring", threshold_days: 30, timestamp: after(180).toISOString() },
    ]);
  });

  it("takes the same again, and what is older, for nothing", async () => {
    await show(A, labels("web.test"));
    const bad = scanned(scanOf({ chainValid: false, chainError: "no" }), "web.test", after(-120));
    const good = scanned(scanOf(), "web.test", after(-60));
    await watched.see(A, bad, good);
    await watched.see(A, bad, good);
    assert.deepEqual([await rows(only().id), only().status], [2, "valid"]);
    assert.deepEqual(alerts(), ["chain_invalid", "chain_invalid"]);
    await watched.see(A, bad);
    assert.deepEqual(alerts(), ["chain_invalid", "chain_invalid"]);
    await watched.see(A, scanned(unreachable, "web.test", after(200)));
    assert.deepEqual([only().status, only().last_check_at], ["unreachable", NOON.toISOString()], "its clock is ahead of ours");
  });

  it("is one of each host, and each goes with what asks for it", async () => {
    for (const agentId of [A, B]) await show(agentId, labels("web.test", "shop.test"));
    await watched.see(A, scanned(unreachable));
    await watched.see(B, scanned(scanOf()));
    const states = (agent_id: string) => watched.list({ agent_id }).map(({ domain, status }) => `${domain} ${status}`);
    assert.deepEqual(
      [states(A), states(B)],
      [
        ["web.test unreachable", "shop.test unknown"],
        ["shop.test unknown", "web.test valid"],
      ],
    );
    assert.deepEqual(states("local"), []);
    await show(A, labels("shop.test"));
    await turnUntil(clock, () => states(A).length === 1, { stepMs: MINUTE_MS, mostMs: 15 * MINUTE_MS });
    assert.equal(states(B).length, 2);
  });

  it("leaves out what nothing asks for, what another host asks for, and what a hand has made", async () => {
    await show(A, { ...labels("web.test"), settings: { ...defaultSettings, ignored: true } });
    await show(B, labels("web.test"));
    await watched.see(A, scanned(scanOf()), scanned(scanOf(), "other.test"));
    await clock.advance(3 * MINUTE_MS);
    assert.deepEqual(
      watched.list().map(({ agent_id, status }) => [agent_id, status]),
      [[B, "unknown"]],
    );
  });

  it("follows the container whose label asks, and ends with it", async () => {
    await show(A, labels("web.test"));
    await watched.see(A, { kind: "container.seen", observedAt: after(1), container: sighting({ name: "shop", ...labels("web.test") }) });
    await watched.see(A, { kind: "container.gone", observedAt: after(2), externalId: sighting().externalId });
    await clock.advance(610_000);
    await show(A);
    await turnUntil(clock, () => watched.list().length === 0, { stepMs: MINUTE_MS, mostMs: 15 * MINUTE_MS });
  });

  it("cannot be checked from here, and says so", async () => {
    await show(A, labels("web.test"));
    const { id } = only();
    const { service } = watched.certificates;
    await assert.rejects(
      service.checkNow(id),
      (error) => isServiceError(error, "conflict") && error.message.includes("agent on its own host"),
    );
    await assert.rejects(service.remove(id), (error) => isServiceError(error, "conflict"));
    const { certificate } = await service.update(id, certificateChange.parse({ alert_thresholds_days: [100] }));
    assert.deepEqual([certificate.alert_thresholds_days, certificate.status], [[100], "unknown"]);
    await watched.see(A, scanned(scanOf()));
    assert.equal(only().status, "expiring");
  });

  it("is never scanned by the server, at its time, after a restart or when an endpoint met another", async () => {
    await show(A, https());
    await watched.see(A, scanned(scanOf()));
    const result = { success: true, observed: true, responseTimeMs: 1, httpStatus: 200, failureClass: null, error: null };
    const certificate = { trusted: false, expiresAt: null };
    const key = `${sighting().externalId}/service.endpoint.http`;
    await watched.see(A, { kind: "endpoint.checked", observedAt: after(1), key, result: { ...result, certificate } });
    assert.equal(watched.endpoints.present()[0]?.state.status, "degraded");
    clock.jump(after(2 * DAY_S));
    await clock.advance(5 * MINUTE_MS);
    assert.deepEqual(watched.scanned, []);
    await watched.stop();
    watched = await startCertificates({ database, clock });
    await clock.advance(5 * MINUTE_MS);
    assert.equal(watched.list().length, 1);
  });

  it("stays as it is while its host is held", async () => {
    const release = await watched.certificates.holdHost(A);
    const showing = show(A, labels("web.test"));
    await clock.advance(MINUTE_MS);
    await show(B, labels("web.test"));
    assert.deepEqual(
      watched.list().map(({ agent_id }) => agent_id),
      [B],
    );
    release();
    await showing;
    assert.equal(watched.list().length, 2);
  });

  it("watches no more of an agent than an agent looks at", async () => {
    const many = Array.from({ length: MOST_CERTIFICATES + 5 }, (_, index) => `host-${index}.test`);
    const containers = Array.from({ length: Math.ceil(many.length / 50) }, (_, index) => ({
      externalId: `c${index}`,
      name: `c${index}`,
      ...labels(...many.slice(index * 50, index * 50 + 50)),
    }));
    await show(A, ...containers);
    assert.equal(watched.list().length, MOST_CERTIFICATES);
  });
});

// An endpoint created manually belongs to the server: so does its certificate.
onBothDatabases((databases) => {
  it("the server's own endpoint to the same peer has a separate certificate", async () => {
    const clock = createFakeClock(NOON);
    const watched = await startCertificates({ database: await databases.create(), clock });
    await watched.see(A, { kind: "container.inventory", observedAt: NOON, containers: [sighting(https)] });
    await watched.endpoints.service.create(body({ target: "https://web.test/" }));
    await turnUntil(clock, () => watched.scanned.length === 1, { stepMs: 1_000, mostMs: 30_000 });
    await until(() => watched.list({ agent_id: "local" })[0]?.status === "valid");
    assert.deepEqual([watched.list().length, watched.list({ agent_id: A })[0]?.status], [2, "unknown"]);
    await watched.stop();
  });
  const https = { endpoints: [labelled("service.endpoint.http", httpCheck({ target: "https://web.test/" }))] };
});
