import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { scanOf, startCertificates, unreachable, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { body, httpCheck, labelled } from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { defaultSettings } from "../../../test/support/sightings.ts";
import { turnUntil } from "../../../test/support/turn-until.ts";
import { until } from "../../../test/support/until.ts";
import type { CertificateScan } from "../../observations.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import { certificateBody, certificateChange } from "./api.ts";
import { createCertificateStore } from "./store.ts";

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
  afterEach(() => watched.stop());

  const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
  const restart = async (): Promise<void> => {
    await watched.stop();
    watched = await startCertificates({ database, clock });
  };
  const types = (): string[] => watched.events.map(({ type }) => type).filter((type) => type.startsWith("certificate."));
  const checks = (id: number, page = {}) => watched.certificates.service.checks(id, { limit: 50, offset: 0, ...page });
  const passes = (seconds: number, condition: () => boolean): Promise<unknown> =>
    turnUntil(clock, () => condition(), { stepMs: seconds * 1000, mostMs: seconds * 300_000 });
  /** An https endpoint that was created manually. */
  const endpoint = (target = "https://web.test/") => watched.endpoints.service.create(body({ target }));
  const https = (target = "https://web.test/") => ({ endpoints: [labelled("service.endpoint.http", httpCheck({ target }))] });
  const labels = (...domains: string[]) => ({ certificates: domains.map((domain) => ({ domain, port: 443, serverName: domain })) });

  it("checks at once, and answers all that it saw", async () => {
    const { certificate, latest_check } = await watched.create();
    assert.partialDeepStrictEqual(certificate, {
      domain: "web.test",
      port: 443,
      server_name: "web.test",
      source: "standalone",
      status: "valid",
      message: null,
      alerting: [],
      days_until_expiry: 91,
      expires_at: "2026-06-01T00:00:00.000Z",
      issuer_org: "Test",
      alert_thresholds_days: [30, 14, 7, 3, 1],
      check_interval_seconds: 60,
      last_check_at: NOON.toISOString(),
      next_check_at: after(60).toISOString(),
    });
    assert.partialDeepStrictEqual(latest_check, {
      status: "valid",
      subject: "CN=web.test",
      sans: ["web.test"],
      fingerprint_sha256: "AA:01",
      key_type: "EC P-256",
      not_before: "2026-03-03T00:00:00.000Z",
      days_until_expiry: 91,
      chain_valid: true,
      hostname_match: true,
      chain: [{ position: 0, issuer: "CN=Test Authority", error: null }],
      checked_at: NOON.toISOString(),
    });
    assert.deepEqual(await watched.certificates.service.detail(certificate.id), { certificate, latest_check });
    assert.deepEqual(types(), ["certificate.created", "certificate.updated"]);
  });

  it("announces what is wrong, also after a restart, and says nothing of what is not", async () => {
    await watched.create({ domain: "well.test" });
    watched.shows(scanOf({ expiresAt: after(10 * DAY_S), chainValid: false, chainError: "It is self-signed." }));
    const { certificate } = await watched.create({ domain: "ill.test" });
    await restart();
    assert.partialDeepStrictEqual(watched.certificates.announce(), [
      { type: "certificate.alert", data: { id: certificate.id, alert: "expiring", threshold_days: 14, status: "chain_invalid" } },
      { type: "certificate.alert", data: { id: certificate.id, alert: "chain_invalid", threshold_days: null } },
    ]);
    assert.equal(watched.certificates.announce().length, 2);
  });

  it("does not keep a request waiting for a peer that hangs", async () => {
    const slow = Promise.withResolvers<CertificateScan>();
    watched.shows(slow.promise);
    const creating = watched.create();
    await until(() => watched.scanned.length === 1);
    await clock.advance(8_500);
    const { certificate, latest_check } = await creating;
    assert.deepEqual([certificate.status, latest_check], ["unknown", null]);
    slow.resolve(unreachable);
    await until(() => watched.list()[0]?.status === "unreachable");
  });

  it("refuses what is watched already, and what is no address", async () => {
    const { certificate } = await watched.create();
    const duplicate = (error: unknown): boolean =>
      isServiceError(error, "conflict") && error.message.includes(`as ${certificate.id} (standalone)`);
    await assert.rejects(watched.create({ domain: "WEB.test." }), duplicate);
    await watched.create({ port: 8443 });
    await watched.create({ server_name: "shop.test" });
    assert.equal(watched.list().length, 3);
    const faults = (given: object): string[] =>
      certificateBody.safeParse({ domain: "web.test", ...given }).error?.issues.map(({ path }) => path.join(".")) ?? [];
    assert.deepEqual(faults({ domain: "a..b" }), ["domain"]);
    assert.deepEqual(faults({ domain: "https://web.test" }), ["domain"]);
    assert.deepEqual(faults({ port: 0 }), ["port"]);
    assert.deepEqual(faults({ port: 70_000 }), ["port"]);
    assert.deepEqual(faults({ alert_thresholds_days: [0] }), ["alert_thresholds_days.0"]);
    assert.deepEqual(faults({ check_interval_seconds: 59 }), ["check_interval_seconds"]);
    assert.equal(certificateBody.parse({ domain: "münchen.test" }).domain, "xn--mnchen-3ya.test");
    assert.equal(certificateBody.parse({ domain: "[2001:DB8::1]" }).domain, "2001:db8::1");
    assert.deepEqual(certificateBody.parse({ domain: "a", alert_thresholds_days: [7, 30, 7] }).alert_thresholds_days, [30, 7]);
  });

  it("looks again when its time has come, at thresholds and soon after a failure", async () => {
    watched.shows(scanOf({ expiresAt: after(30 * DAY_S + 7200) }));
    const { certificate } = await watched.create({ check_interval_seconds: 43_200 });
    assert.equal(certificate.next_check_at, after(7201).toISOString());
    watched.events.length = 0;
    await passes(60, () => watched.published("certificate.alert").length > 0);
    assert.partialDeepStrictEqual(watched.published("certificate.alert"), [
      {
        id: certificate.id,
        name: "web.test",
        alert: "expiring",
        threshold_days: 30,
        status: "expiring",
        previous_status: "valid",
        days_until_expiry: 29,
        alert_severity: "critical",
      },
    ]);
    watched.shows(unreachable);
    await passes(60, () => watched.list()[0]?.status === "unreachable");
    const count = watched.scanned.length;
    assert.partialDeepStrictEqual(watched.list()[0], {
      last_error: "web.test:443 refused the connection.",
      alerting: ["expiring"],
      days_until_expiry: 29,
    });
    watched.shows(scanOf({ fingerprint: "BB:02", expiresAt: after(120 * DAY_S) }));
    await passes(60, () => watched.scanned.length > count);
    await until(() => watched.list()[0]?.status === "valid");
    assert.partialDeepStrictEqual(watched.published("certificate.recovery"), [{ alert: "expiring", reason: "renewed" }]);
    const { checks: history, total } = await checks(certificate.id);
    assert.equal(history.length, total);
    assert.deepEqual(
      [history[0]?.fingerprint_sha256, history[1]?.error, history.at(-1)?.status],
      ["BB:02", "web.test:443 refused the connection.", "valid"],
    );
  });

  it("keeps what it saw once, and a check hourly, though it looks each minute", async () => {
    const { certificate } = await watched.create();
    await passes(60, () => watched.scanned.length >= 70);
    // It is saved after all that was seen before it.
    await watched.certificates.service.checkNow(certificate.id);
    const { total } = await checks(certificate.id);
    // An hour, less the three minutes by which scans are spread.
    assert.ok(total >= 3 && total <= 2 + (clock.now().getTime() - NOON.getTime()) / 3_420_000, `${total} checks`);
    await watched.certificates.service.checkNow(certificate.id);
    const { read } = database.tables<{ certificate_facts: { id: number } }>();
    assert.equal((await read.selectFrom("certificate_facts").select("id").execute()).length, 1);
    const { checks: page, ...rest } = await checks(certificate.id, { limit: 1, offset: 1 });
    assert.deepEqual([rest.total, page.length, rest.has_more, page[0]?.subject], [total + 1, 1, true, "CN=web.test"]);
    assert.equal((await checks(certificate.id, { until: after(-1).toISOString() })).total, 0);
  });

  it("continues where it was after a restart, and publishes nothing twice", async () => {
    watched.shows(scanOf({ expiresAt: after(10 * DAY_S) }));
    const { certificate } = await watched.create();
    const before = await watched.certificates.service.detail(certificate.id);
    await restart();
    assert.deepEqual(await watched.certificates.service.detail(certificate.id), before);
    watched.shows(scanOf({ expiresAt: after(10 * DAY_S) }));
    await passes(60, () => watched.scanned.length > 0);
    await until(() => types().length > 0);
    assert.deepEqual(new Set(types()), new Set(["certificate.updated"]));
  });

  it("takes up after a restart what was due meanwhile", async () => {
    await watched.create();
    await watched.stop();
    clock.jump(after(3 * DAY_S));
    watched = await startCertificates({ database, clock });
    await passes(1, () => watched.scanned.length === 1);
  });

  it("watches many some at a time, each once", async () => {
    for (let index = 0; index < 20; index += 1) await watched.create({ domain: `host-${index}.test`, check_interval_seconds: 60 });
    const slow = Promise.withResolvers<CertificateScan>();
    watched.shows(slow.promise);
    const before = watched.scanned.length;
    const begun = (): string[] => watched.scanned.slice(before).map(({ domain }) => domain);
    await passes(10, () => begun().length >= 8);
    // Whatever else was claimed at the same time is saved when this is, and its scan begins in the turn after.
    await database.tables<object>().write(async () => undefined);
    await clock.advance(1_000);
    slow.resolve(scanOf());
    await until(() => watched.list().every(({ last_check_at }) => last_check_at !== NOON.toISOString()));
    assert.deepEqual([begun().length, new Set(begun()).size, watched.mostAtOnce()], [20, 20, 8]);
  });

  it("changes thresholds and address", async () => {
    watched.shows(scanOf({ expiresAt: after(20 * DAY_S) }));
    const { certificate } = await watched.create();
    assert.deepEqual(certificate.alerting, ["expiring"]);
    const { service } = watched.certificates;
    const update = (facts: object) => service.update(certificate.id, certificateChange.parse(facts));
    const relaxed = await update({ alert_thresholds_days: [7], check_interval_seconds: 3600 });
    assert.partialDeepStrictEqual(relaxed.certificate, {
      status: "valid",
      alerting: [],
      alert_thresholds_days: [7],
      check_interval_seconds: 3600,
    });
    assert.equal((await update({ alert_thresholds_days: [30] })).certificate.check_interval_seconds, 3600, "what is left out stays");
    watched.events.length = 0;
    watched.shows(scanOf());
    const moved = await update({ domain: "other.test" });
    assert.partialDeepStrictEqual(moved.certificate, {
      id: certificate.id,
      domain: "other.test",
      server_name: "other.test",
      status: "valid",
    });
    assert.deepEqual(types(), ["certificate.recovery", "certificate.updated", "certificate.updated"]);
    await watched.create({ domain: "taken.test" });
    await assert.rejects(update({ domain: "taken.test" }), (error) => isServiceError(error, "conflict"));
    await service.remove(certificate.id);
    assert.equal(types().at(-1), "certificate.deleted");
    await assert.rejects(checks(certificate.id), (error) => isServiceError(error, "not_found"));
  });

  it("leaves out a scan of an address that it had before", async () => {
    const { certificate } = await watched.create();
    const slow = Promise.withResolvers<CertificateScan>();
    watched.shows(slow.promise);
    const checking = watched.certificates.service.checkNow(certificate.id);
    await until(() => watched.scanned.length === 2);
    watched.shows(scanOf({ fingerprint: "BB:02" }));
    await watched.certificates.service.update(certificate.id, certificateChange.parse({ domain: "other.test" }));
    slow.resolve(unreachable);
    await checking;
    assert.deepEqual([watched.list()[0]?.status, (await checks(certificate.id)).total], ["valid", 2]);
  });

  it("is scanned by one of several that see it due", async () => {
    const { certificate } = await watched.create({ check_interval_seconds: 43_200 });
    const store = createCertificateStore(database);
    const dueAt = new Date(certificate.next_check_at);
    const again = after(60);
    const claims = await Promise.all(Array.from({ length: 5 }, () => store.claim(certificate.id, dueAt, again)));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.deepEqual(await store.due(after(59)), []);
    assert.deepEqual(await store.due(again), [{ id: certificate.id, dueAt: again }]);
  });

  it("watches what an https endpoint leads to, and dies with it", async () => {
    const made = await endpoint();
    await passes(1, () => watched.list()[0]?.status === "valid");
    const [certificate] = watched.list();
    assert.partialDeepStrictEqual(certificate, { domain: "web.test", source: "endpoint", endpoint_id: made.id });
    const { service } = watched.certificates;
    await assert.rejects(service.remove(certificate?.id ?? 0), (error) => isServiceError(error, "conflict"));
    await assert.rejects(service.update(certificate?.id ?? 0, certificateChange.parse({ domain: "x.test" })), (error) =>
      isServiceError(error, "conflict"),
    );
    await service.update(certificate?.id ?? 0, certificateChange.parse({ alert_thresholds_days: [5] }));
    await watched.endpoints.service.remove(made.id);
    await passes(1, () => watched.list().length === 0);
  });

  it("leaves one that was created manually to whoever created it", async () => {
    const { certificate } = await watched.create();
    const made = await endpoint();
    await clock.advance(61_000);
    assert.deepEqual(
      watched.list().map(({ id, source }) => [id, source]),
      [[certificate.id, "standalone"]],
    );
    await watched.certificates.service.remove(certificate.id);
    await passes(1, () => watched.list()[0]?.source === "endpoint");
    await watched.endpoints.service.remove(made.id);
  });

  it("keeps its history while a container is re-created, and dies when none comes", async () => {
    await watched.show({ name: "web", ...https() });
    await passes(1, () => watched.list()[0]?.status === "valid");
    const [first] = watched.list();
    await watched.show();
    await clock.advance(60_000);
    await watched.show({ externalId: "b".repeat(64), ...https() });
    await passes(60, () => clock.now() > after(600));
    assert.partialDeepStrictEqual(watched.list(), [{ id: first?.id, endpoint_id: first?.endpoint_id }]);
    await watched.show();
    await clock.advance(600_000);
    await watched.show();
    await passes(60, () => watched.list().length === 0);
  });

  it("watches what labels ask for, follows them, and waits for the host after a restart", async () => {
    const settings = { ...defaultSettings, alertChannels: ["ops"] };
    await watched.show({ settings, labels: { team: "shop" }, ...labels("one.test", "two.test") });
    await until(() => watched.list().filter(({ status }) => status === "valid").length === 2);
    assert.partialDeepStrictEqual(watched.list(), [
      { domain: "one.test", source: "label", alert_channels: ["ops"], alert_severity: "critical" },
      { domain: "two.test" },
    ]);
    assert.deepEqual(watched.published("certificate.created")[0]?.labels, { team: "shop" });
    await watched.show({ ...labels("one.test") });
    await passes(60, () => watched.list().length === 1);
    await restart();
    await clock.advance(300_000);
    assert.equal(watched.list().length, 1, "nobody has reported yet that its container is gone");
    await watched.show({ settings: { ...defaultSettings, ignored: true }, ...labels("one.test") });
    await passes(60, () => watched.list().length === 0);
    await watched.see("0b9c54a0-0000-4000-8000-000000000000", { kind: "container.inventory", observedAt: clock.now(), containers: [] });
  });

  it("looks at once when an endpoint met another certificate", async () => {
    const { id } = await endpoint();
    await passes(1, () => watched.list()[0]?.status === "valid");
    await clock.advance(5_000);
    const count = watched.scanned.length;
    const result = { success: true, observed: true, responseTimeMs: 1, httpStatus: 200, failureClass: null, error: null };
    const meets = (trusted: boolean) =>
      watched.see(null, {
        kind: "endpoint.checked",
        observedAt: clock.now(),
        key: `standalone/${id}`,
        result: { ...result, certificate: { trusted, expiresAt: null } },
      });
    watched.shows(scanOf({ chainValid: false, chainError: "It is self-signed." }));
    await meets(false);
    await until(() => watched.list()[0]?.status === "chain_invalid");
    assert.equal(watched.scanned.length, count + 1);
    watched.shows(scanOf());
    await clock.advance(5_000);
    await meets(true);
    await until(() => watched.list()[0]?.status === "valid");
    assert.deepEqual(
      watched.published("certificate.recovery").map(({ alert }) => alert),
      ["chain_invalid"],
    );
  });

  it("lists those first that need somebody, and filters", async () => {
    await watched.create({ domain: "fine.test" });
    watched.shows(scanOf({ expiresAt: after(5 * DAY_S) }));
    await watched.create({ domain: "soon.test" });
    watched.shows(scanOf({ chainValid: false, chainError: "no" }));
    await watched.create({ domain: "broken.test" });
    const domains = (query = {}): string[] => watched.list(query).map(({ domain }) => domain);
    assert.deepEqual(domains(), ["broken.test", "soon.test", "fine.test"]);
    assert.deepEqual(domains({ status: "expiring" }), ["soon.test"]);
    assert.deepEqual(domains({ search: "FINE" }), ["fine.test"]);
    assert.deepEqual(domains({ source: "label" }), []);
    assert.deepEqual(domains({ agent_id: "local" }).length, 3);
    assert.deepEqual(domains({ agent_id: "0b9c54a0-0000-4000-8000-000000000000" }), []);
    assert.deepEqual(domains({ endpoint_id: 1 }), []);
    const { counts, total } = watched.certificates.service.list({});
    assert.deepEqual([total, counts], [3, { valid: 1, expiring: 1, expired: 0, chain_invalid: 1, unreachable: 0, unknown: 0 }]);
  });

  it("ends a scan under way when it stops", async () => {
    watched.shows(new Promise(() => undefined));
    const creating = watched.create();
    await until(() => watched.scanned.length === 1);
    await watched.stop();
    assert.equal((await creating).latest_check, null);
  });
});
