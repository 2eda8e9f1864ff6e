import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import {
  body,
  type CheckedEndpoints,
  checkedObservation,
  failure,
  httpCheck,
  labelled,
  startEndpoints,
  success,
} from "../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { defaultSettings } from "../../../test/support/sightings.ts";
import { labelEndpointKey, standaloneEndpointKey } from "../../observations.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import type { EndpointRecord } from "./answers.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const WEB = "a".repeat(64);
const KEY = labelEndpointKey(WEB, "service.endpoint.http");

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let checked: CheckedEndpoints;

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(NOON);
    checked = await startEndpoints({ database, clock });
  });
  afterEach(() => checked.stop());

  const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);
  const restart = async (): Promise<void> => {
    await checked.stop();
    checked = await startEndpoints({ database, clock });
  };
  const show = (facts = {}): Promise<void> => checked.show({ endpoints: [labelled()], ...facts });
  const only = (): EndpointRecord => {
    const [first, second] = checked.list();
    assert.ok(first !== undefined && second === undefined);
    return first;
  };
  const keys = (): string[] => [...checked.probes.checks.keys()];
  const checks = async (id: number, page = {}) => checked.endpoints.service.checks(id, { limit: 100, offset: 0, ...page });
  const types = (): string[] => checked.events.map(({ type }) => type).filter((type) => !type.startsWith("container."));
  /** Checks every 30 seconds, beginning now. */
  async function keepChecking(times: number, result = {}, key = KEY): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await checked.checked(key, result);
      await clock.advance(30_000);
    }
  }

  it("makes an endpoint of a label, and has it checked", async () => {
    await show();
    const endpoint = only();
    assert.partialDeepStrictEqual(endpoint, {
      name: "web",
      source: "label",
      label_key: "service.endpoint.http",
      container_name: "web",
      type: "http",
      target: "http://web.test/health",
      status: "unknown",
      status_reason: "not_checked_yet",
      alert_severity: "critical",
      uptime_24h: null,
    });
    assert.equal(endpoint.container_id, checked.containers.present.find(null, WEB)?.id);
    assert.deepEqual(keys(), [KEY]);
    assert.deepEqual(types(), ["endpoint.created"]);
  });

  it("announces those that are down, also after a restart, and no others", async () => {
    await show();
    const { id } = await checked.create({ name: "well", target: "http://well.test/" });
    await keepChecking(1, success, standaloneEndpointKey(id));
    await keepChecking(2, failure);
    assert.deepEqual(checked.endpoints.announce(), []);
    await keepChecking(1, failure);
    const [alert] = checked.published("endpoint.alert");
    await restart();
    const data = { ...alert, previous_status: "down", timestamp: clock.now().toISOString() };
    assert.deepEqual(checked.endpoints.announce(), [{ type: "endpoint.alert", data }]);
  });

  it("follows its label: another check is the same row, no label is the end of it, and it may come back", async () => {
    await show();
    await checked.checked(KEY);
    const { id } = only();
    await clock.advance(1000);
    await show({ endpoints: [labelled("service.endpoint.http", httpCheck({ target: "http://web.test/other" }))] });
    assert.partialDeepStrictEqual(only(), { id, target: "http://web.test/other", status: "unknown", status_reason: "not_checked_yet" });
    assert.equal(checked.probes.checks.get(KEY)?.target, "http://web.test/other");
    await checked.checked(KEY, failure, after(0.5));
    assert.equal(only().consecutive_failures, 0, "a result of the check before says nothing of this one");
    await show({ endpoints: [] });
    assert.deepEqual([checked.list(), keys()], [[], []]);
    assert.partialDeepStrictEqual(checked.list({ inactive: true })[0], { id, active: false, status_reason: "label_removed" });
    assert.equal(types().at(-1), "endpoint.removed");
    await show();
    assert.partialDeepStrictEqual(only(), { id, active: true, inactive_since: null });
    assert.deepEqual(types().at(-1), "endpoint.created");
  });

  it("keeps what is known when only the rhythm or the thresholds change", async () => {
    await show();
    await keepChecking(2);
    await show({ endpoints: [labelled("service.endpoint.http", httpCheck({ intervalMs: 60_000, failureThreshold: 1 }))] });
    assert.partialDeepStrictEqual(only(), {
      status: "up",
      consecutive_successes: 2,
      config: { interval_seconds: 60, failure_threshold: 1 },
    });
    await checked.checked(KEY, failure);
    assert.equal(only().status, "down");
  });

  it("has several endpoints of one container, and none of an ignored one", async () => {
    const tcp = { ...httpCheck({ type: "tcp", target: "web.test:5432" }), http: null };
    await show({ endpoints: [labelled(), labelled("service.endpoint.1.tcp", tcp)] });
    assert.deepEqual(
      checked.list().map(({ name, type }) => [name, type]),
      [
        ["web", "http"],
        ["web 1", "tcp"],
      ],
    );
    await show({ endpoints: [labelled()], settings: { ...defaultSettings, ignored: true } });
    assert.deepEqual(checked.list(), []);
  });

  it("takes severity, channels and tags from the container", async () => {
    const settings = { ...defaultSettings, alertSeverity: "info" as const, alertChannels: ["ops"], alertTags: ["shop"] };
    await show({ settings });
    assert.deepEqual([only().alert_severity, only().alert_channels, only().alert_tags], ["critical", ["ops"], ["shop"]]);
    await show({ settings, labels: { "service.alert.severity": "info" } });
    assert.equal(only().alert_severity, "info");
    await show({ settings, labels: { "service.alert.severity": "x" }, labelErrors: [{ label: "service.alert.severity", message: "no" }] });
    assert.equal(only().alert_severity, "critical");
  });

  it("ends with its container", async () => {
    await show();
    await checked.see(null, { kind: "container.gone", observedAt: after(5), externalId: WEB });
    assert.deepEqual(
      [checked.list().map(({ status_reason }) => status_reason), keys()],
      [["container_stopped"], []],
      "it may be re-created",
    );
    await show();
    await checked.show();
    await clock.advance(600_000);
    await checked.show();
    assert.deepEqual([checked.list(), checked.list({ inactive: true }).length], [[], 1]);
  });

  it("publishes each check, the alert at the threshold, and the recovery", async () => {
    await show({ labels: { team: "shop" } });
    checked.events.length = 0;
    await keepChecking(1);
    await keepChecking(4, failure);
    await keepChecking(2);
    const result = "endpoint.check_result";
    assert.deepEqual(types(), [
      result,
      "endpoint.updated",
      result,
      result,
      result,
      "endpoint.alert",
      result,
      result,
      result,
      "endpoint.recovery",
    ]);
    const { id } = only();
    assert.deepEqual(checked.published("endpoint.check_result")[3], {
      endpoint_id: id,
      agent_id: null,
      name: "web",
      success: false,
      observed: true,
      response_time_ms: 12.3,
      http_status: 503,
      failure_class: "http",
      error: "The answer was 503, not 2xx.",
      status: "down",
      alerting: true,
      consecutive_failures: 3,
      consecutive_successes: 0,
      timestamp: after(90).toISOString(),
    });
    assert.partialDeepStrictEqual(checked.published("endpoint.alert"), [
      {
        id,
        name: "web",
        labels: { team: "shop" },
        alert_severity: "critical",
        status: "down",
        previous_status: "up",
        consecutive_failures: 3,
        failure_threshold: 3,
        failing_since: after(30).toISOString(),
        error: "The answer was 503, not 2xx.",
        timestamp: after(90).toISOString(),
      },
    ]);
    assert.partialDeepStrictEqual(checked.published("endpoint.recovery"), [
      { id, reason: "recovered", previous_status: "down", status: "up" },
    ]);
  });

  it("takes many checks in one go as if they came alone", async () => {
    await show();
    const results = [success, failure, failure, failure, success, success].map((result, index) =>
      checkedObservation(KEY, after(index * 5), result),
    );
    await clock.advance(30_000);
    await checked.see(null, ...results);
    assert.deepEqual([checked.published("endpoint.alert").length, checked.published("endpoint.recovery").length], [1, 1]);
    assert.partialDeepStrictEqual(only(), { status: "up", consecutive_successes: 2, last_check_at: after(25).toISOString() });
    assert.equal((await checks(only().id)).total, 6);
  });

  it("watches what was created manually, changes and forgets it", async () => {
    const made = await checked.create({ name: "Shop", alert_tags: ["shop"] });
    const key = standaloneEndpointKey(made.id);
    assert.partialDeepStrictEqual(made, {
      source: "standalone",
      label_key: null,
      container_id: null,
      status: "unknown",
      alert_tags: ["shop"],
    });
    assert.deepEqual(keys(), [key]);
    await clock.advance(1);
    await keepChecking(1, success, key);
    const { service } = checked.endpoints;
    const renamed = await service.update(made.id, body({ name: "Store" }));
    assert.partialDeepStrictEqual(renamed, { id: made.id, name: "Store", status: "up" });
    const moved = await service.update(made.id, body({ name: "Store", target: "http://web.test/other" }));
    assert.partialDeepStrictEqual(moved, { status: "unknown", target: "http://web.test/other" });
    await restart();
    assert.equal(checked.probes.checks.get(key)?.target, "http://web.test/other");
    await checked.endpoints.service.remove(made.id);
    assert.deepEqual([checked.list(), keys(), types()], [[], [], ["endpoint.removed"]]);
    await assert.rejects(checks(made.id), (error) => isServiceError(error, "not_found"));
  });

  it("never shows or stores the credentials of a label, and uses those that were entered manually after a restart", async () => {
    const capture = createLogCapture();
    await checked.stop();
    checked = await startEndpoints({ database, clock, log: capture.log });
    const check = httpCheck({ target: "https://user:hunter2@web.test/?token=s3cret" }, { headers: { Authorization: "Bearer abcdef" } });
    await show({ endpoints: [labelled("service.endpoint.http", check)] });
    const made = await checked.create({ target: check.target, headers: check.http?.headers });
    await keepChecking(3, failure);
    await keepChecking(3, failure, standaloneEndpointKey(made.id));
    const shown = JSON.stringify([checked.list(), checked.events, await checked.endpoints.service.detail(made.id), capture.text()]);
    for (const secret of ["hunter2", "s3cret", "abcdef"]) assert.equal(shown.includes(secret), false, secret);
    const rows = await database
      .tables<{ endpoints: { checked: string; label_key: string | null } }>()
      .read.selectFrom("endpoints")
      .selectAll()
      .execute();
    for (const secret of ["hunter2", "s3cret", "abcdef"])
      assert.equal(JSON.stringify(rows).includes(secret), false, "those of hand are sealed");
    await checked.endpoints.service.update(made.id, body({ name: "x", target: made.target, headers: made.config.headers }));
    await restart();
    assert.deepEqual(checked.probes.checks.get(standaloneEndpointKey(made.id)), check);
    assert.equal(checked.probes.checks.has(KEY), false, "nobody has reported yet that its container runs");
    checked.events.length = 0;
    await show({ endpoints: [labelled("service.endpoint.http", check)] });
    assert.deepEqual(checked.probes.checks.get(KEY), check);
    const [, ofLabel] = checked.list().toSorted((a, b) => a.source.localeCompare(b.source) * -1);
    assert.deepEqual([ofLabel?.status, types()], ["down", []], "a restart is no news");
  });

  it("pauses and resumes, also what a label defines", async () => {
    await show();
    await keepChecking(3, failure);
    const { id } = only();
    checked.events.length = 0;
    const { service } = checked.endpoints;
    assert.partialDeepStrictEqual(await service.setPaused(id, true), {
      paused: true,
      status: "unknown",
      status_reason: "paused",
      alerting: false,
    });
    assert.deepEqual([keys(), types()], [[], ["endpoint.recovery", "endpoint.updated"]]);
    await show();
    await restart();
    await show();
    assert.deepEqual([only().paused, keys()], [true, []]);
    await checked.endpoints.service.setPaused(id, false);
    assert.deepEqual([keys(), only().status_reason], [[KEY], "not_checked_yet"]);
  });

  it("leaves it to the label to change and remove what it defines", async () => {
    await show();
    const { id } = only();
    const { service } = checked.endpoints;
    for (const refused of [service.update(id, body()), service.remove(id)])
      await assert.rejects(refused, (error) => isServiceError(error, "conflict") && error.message.includes("service.endpoint.http"));
  });

  it("checks now, and answers what came of it", async () => {
    await show();
    await clock.advance(1000);
    checked.probes.answer = failure;
    const { endpoint, check } = await checked.endpoints.service.checkNow(only().id);
    assert.partialDeepStrictEqual([endpoint, check], [{ consecutive_failures: 1 }, { success: false, http_status: 503 }]);
    await checked.checked(KEY, failure);
    assert.equal((await checks(endpoint.id)).total, 1, "the same by the intake is known");
    await checked.endpoints.service.setPaused(endpoint.id, true);
    await assert.rejects(checked.endpoints.service.checkNow(endpoint.id), (error) => isServiceError(error, "conflict"));
  });

  it("does not keep a request waiting for a slow check", async () => {
    const { id } = await checked.create({ timeout_seconds: 30 });
    const checking = checked.endpoints.service.checkNow(id);
    const refused = assert.rejects(checking, (error) => isServiceError(error, "request_timeout"));
    await clock.advance(9_000);
    await refused;
  });

  it("filters its list, and counts what it shows", async () => {
    await show();
    await checked.create({ name: "Shop", type: "tcp", target: "db.test:5432" });
    await checked.checked(KEY);
    const names = (query: object): string[] => checked.list(query).map(({ name }) => name);
    const container = only_(checked.list({ source: "label" })).container_id;
    assert.deepEqual(names({}), ["Shop", "web"]);
    assert.deepEqual(names({ status: "up" }), ["web"]);
    assert.deepEqual(names({ type: "tcp" }), ["Shop"]);
    assert.deepEqual(names({ source: "standalone" }), ["Shop"]);
    assert.deepEqual(names({ container_id: container }), ["web"]);
    assert.deepEqual(names({ search: "HEALTH" }), ["web"]);
    assert.deepEqual(names({ search: "5432" }), ["Shop"]);
    assert.deepEqual(names({ agent_id: "local" }), ["Shop", "web"]);
    assert.deepEqual(names({ agent_id: "0b9c54a0-0000-4000-8000-000000000000" }), []);
    const { total, counts } = checked.endpoints.service.list({ inactive: false });
    assert.deepEqual([total, counts], [2, { up: 1, down: 0, degraded: 0, unknown: 1 }]);
    const ofContainer = await checked.endpoints.service.ofContainer(container ?? 0);
    assert.deepEqual(
      ofContainer.endpoints.map(({ name }) => name),
      ["web"],
    );
    await assert.rejects(checked.endpoints.service.ofContainer(4711), (error) => isServiceError(error, "not_found"));
  });
});

function only_<Item>(items: readonly Item[]): Item {
  const [first, ...others] = items;
  assert.ok(first !== undefined && others.length === 0);
  return first;
}
