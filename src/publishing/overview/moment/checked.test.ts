import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type AssistantWorld, openAssistantWorld } from "../../../../test/support/assistant.ts";
import { scanOf, unreachable } from "../../../../test/support/certificates.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { checkedObservation, failure, httpCheck, labelled, success } from "../../../../test/support/endpoints.ts";
import { createFakeClock, type FakeClock } from "../../../../test/support/fake-clock.ts";
import { sighting } from "../../../../test/support/sightings.ts";
import { callTool } from "../../../../test/support/tools.ts";
import { turnUntil } from "../../../../test/support/turn-until.ts";
import { until } from "../../../../test/support/until.ts";
import { certificateBody } from "../../../monitoring/certificates/api.ts";
import { labelEndpointKey } from "../../../observations.ts";
import { type Moment, moment } from "./answers.ts";

const WEB = "a".repeat(64);
const MINUTE = 60;
const DAY = 86_400;

/** Endpoints, heartbeats and certificates at a moment. */
onBothDatabases((databases) => {
  const noon = new Date("2026-03-01T12:00:00Z");
  const origin = { sourceIp: "192.0.2.1", method: "POST", userAgent: null, body: null };
  let clock: FakeClock;
  let world: AssistantWorld;

  const at = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000);
  const text = (seconds: number): string => at(seconds).toISOString();
  const key = labelEndpointKey(WEB, labelled().labelKey);

  async function ask(seconds: number, query: Record<string, string> = {}): Promise<Moment> {
    return moment.parse(await world.check("GET", "/api/v1/overview/moment", { at: text(seconds), ...query }));
  }

  async function check(from: number, to: number, result = success): Promise<void> {
    for (let second = from; second < to; second += 30) {
      clock.jump(at(second));
      await world.see(null, checkedObservation(key, at(second), result));
    }
  }

  async function statusOf(kind: "endpoints" | "heartbeats" | "certificates", seconds: number): Promise<string | undefined> {
    const { items, counts, left_out: left } = (await ask(seconds))[kind];
    const [first] = items;
    if (first !== undefined) assert.equal(Object.entries(counts).find(([, count]) => count === 1)?.[0], first.status);
    assert.equal(left, 0);
    return first?.status;
  }

  beforeEach(async () => {
    clock = createFakeClock(noon);
    world = await openAssistantWorld({ database: await databases.create(), clock });
  });
  afterEach(() => world.stop());

  it("shows how an endpoint was by its checks, in the journal and sealed, and that nothing is known where there was none", async () => {
    const container = sighting({ externalId: WEB, name: "web", createdAt: at(0), startedAt: at(0), endpoints: [labelled()] });
    await world.see(null, { kind: "container.seen", observedAt: at(0), container });
    await check(30, 10 * MINUTE);
    await check(10 * MINUTE, 20 * MINUTE, failure);
    await check(20 * MINUTE, 40 * MINUTE);
    await check(60 * MINUTE, 61 * MINUTE);
    clock.jump(at(62 * MINUTE));
    const statuses = async (): Promise<unknown[]> =>
      Promise.all([-1, 0, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, 50 * MINUTE, 61 * MINUTE].map((each) => statusOf("endpoints", each)));
    const expected = [undefined, "unknown", "up", "down", "up", "unknown", "up"];
    assert.deepEqual(await statuses(), expected);
    clock.stall(31 * MINUTE * 1000);
    let isSealed = false;
    const sealing = world.run("sealing of checks").then(() => (isSealed = true));
    await turnUntil(clock, () => isSealed, { stepMs: 10, mostMs: 60_000 });
    await sealing;
    assert.deepEqual(await statuses(), expected);
    const [endpoint] = (await ask(15 * MINUTE)).endpoints.items;
    assert.deepEqual([endpoint?.last_check_at, endpoint?.error, endpoint?.known_since], [text(15 * MINUTE), failure.error, text(30)]);
    assert.equal((await ask(15 * MINUTE, { agent_id: "7d444840-9dc0-4000-8000-000000000001" })).endpoints.items.length, 0);
  });

  it("shows how a heartbeat was by its pings and alerts, and never takes an overdue one for up", async () => {
    const { id, uuid } = await world.heartbeats.service.create({ name: "backup", interval_seconds: 600, grace_seconds: 60 });
    const ping = async (seconds: number, kind: "success" | "fail"): Promise<void> => {
      clock.jump(at(seconds));
      await world.heartbeats.service.receive(uuid, { kind, exitCode: null, rid: null }, origin);
      await until(() => (world.alerting.active().length === Number(kind === "fail") ? true : undefined));
    };
    await ping(10 * MINUTE, "success");
    await ping(20 * MINUTE, "success");
    await ping(60 * MINUTE, "fail");
    await ping(61 * MINUTE, "success");
    clock.jump(at(62 * MINUTE));
    const statuses = [-1, 0, 10 * MINUTE, 20 * MINUTE, 40 * MINUTE, 60 * MINUTE, 61 * MINUTE];
    assert.deepEqual(await Promise.all(statuses.map((each) => statusOf("heartbeats", each))), [
      ...[undefined, "unknown", "up", "up", "unknown", "down", "up"],
    ]);
    const [heartbeat] = (await ask(40 * MINUTE)).heartbeats.items;
    assert.deepEqual([heartbeat?.last_ping_at, heartbeat?.known_since], [text(20 * MINUTE), text(10 * MINUTE)]);
    await world.heartbeats.service.pause(id);
    assert.equal(await statusOf("heartbeats", 62 * MINUTE), "stopped");
    assert.deepEqual((await ask(62 * MINUTE, { agent_id: "local" })).heartbeats.items, []);
  });

  it("says what was wrong with a certificate, and which endpoints were degraded by it", async () => {
    const { service } = world.certificates;
    world.played.scan = scanOf({ expiresAt: at(400 * DAY) });
    const { certificate } = await service.create(certificateBody.parse({ domain: "web.test" }));
    await until(async () => (await ask(0)).certificates.items.find(({ status }) => status === "valid"));
    const endpoints = [labelled("service.endpoint.http", httpCheck({ target: "https://web.test/health" }))];
    const container = sighting({ externalId: WEB, name: "web", createdAt: at(0), startedAt: at(0), endpoints });
    await world.see(null, { kind: "container.seen", observedAt: at(0), container });
    const scanAt = async (minute: number, scan: ReturnType<typeof scanOf>): Promise<void> => {
      clock.jump(at(minute * MINUTE));
      world.played.scan = scan;
      await service.checkNow(certificate.id);
    };
    await check(30, 10 * MINUTE);
    await scanAt(10, scanOf({ expiresAt: at(400 * DAY), chainValid: false, chainError: "An intermediate certificate is missing." }));
    await check(10 * MINUTE, 20 * MINUTE);
    await scanAt(20, scanOf({ fingerprint: "BB:02", expiresAt: at(5 * DAY) }));
    await check(20 * MINUTE, 30 * MINUTE);
    await scanAt(30, unreachable);
    await check(30 * MINUTE, 35 * MINUTE);
    await check(35 * MINUTE, 40 * MINUTE, failure);
    await until(() => (world.alerting.active().some(({ source }) => source === "endpoint") ? true : undefined));
    await scanAt(40, scanOf({ fingerprint: "CC:03", expiresAt: at(39 * MINUTE) }));
    clock.jump(at(42 * MINUTE));
    const shown = await Promise.all(
      [5, 15, 25, 34, 39, 41].map(async (minute) => {
        const { certificates, endpoints: ofEndpoints } = await ask(minute * MINUTE);
        const [[seen], [checked]] = [certificates.items, ofEndpoints.items];
        return [seen?.status, seen?.message, seen?.expires_at, checked?.status, checked?.status_reason];
      }),
    );
    assert.deepEqual(shown, [
      ["valid", null, text(400 * DAY), "up", null],
      ["chain_invalid", "An intermediate certificate is missing.", text(400 * DAY), "degraded", "certificate_untrusted"],
      ["expiring", "It expires on 2026-03-06 12:00 UTC, in 4 days.", text(5 * DAY), "degraded", "certificate_expiring"],
      // What is not seen says nothing of what it was then; the certificate that was seen last is known.
      ["unreachable", unreachable.error, text(5 * DAY), "up", null],
      ["unreachable", unreachable.error, text(5 * DAY), "down", null],
      ["expired", "It expired on 2026-03-01 12:39 UTC.", text(39 * MINUTE), "down", null],
    ]);
    assert.equal((await ask(15 * MINUTE)).endpoints.counts.degraded, 1);
    assert.equal((await ask(41 * MINUTE)).certificates.counts.expired, 1);
  });

  it("lists what nobody had seen before what was well", async () => {
    const { uuid } = await world.heartbeats.service.create({ name: "archive", interval_seconds: 600, grace_seconds: 60 });
    await world.heartbeats.service.create({ name: "backup", interval_seconds: 600, grace_seconds: 60 });
    clock.jump(at(10 * MINUTE));
    await world.heartbeats.service.receive(uuid, { kind: "success", exitCode: null, rid: null }, origin);
    const { items } = (await ask(10 * MINUTE)).heartbeats;
    assert.deepEqual(
      items.map(({ name, status }) => [name, status]),
      [
        ["backup", "unknown"],
        ["archive", "up"],
      ],
    );
  });

  it("says down of an endpoint that is not checked any more while its alert is active", async () => {
    const container = sighting({ externalId: WEB, name: "web", createdAt: at(0), startedAt: at(0), endpoints: [labelled()] });
    await world.see(null, { kind: "container.seen", observedAt: at(0), container });
    await check(30, 5 * MINUTE);
    await check(5 * MINUTE, 10 * MINUTE, failure);
    await until(() => (world.alerting.active().length === 1 ? true : undefined));
    clock.jump(at(30 * MINUTE));
    assert.equal(await statusOf("endpoints", 20 * MINUTE), "down");
  });

  for (const [what, settings, signals] of [
    ["whose ping is overdue", { interval_seconds: 60, grace_seconds: 60 }, ["success"]],
    ["whose run lasts too long", { interval_seconds: 3600, grace_seconds: 60, max_runtime_seconds: 60 }, ["success", "start"]],
  ] as const)
    it(`says down of a heartbeat ${what} while its alert is active`, async () => {
      await world.heartbeats.pings.start();
      const { uuid } = await world.heartbeats.service.create({ name: "backup", ...settings });
      for (const kind of signals) await world.heartbeats.service.receive(uuid, { kind, exitCode: null, rid: null }, origin);
      for (let second = 0; second < 130; second += 1) {
        await clock.advance(1000);
        await world.run("heartbeat gaps");
      }
      await world.run("heartbeat deadlines");
      await until(() => (world.alerting.active().length === 1 ? true : undefined));
      assert.deepEqual(await Promise.all([30, 130].map((second) => statusOf("heartbeats", second))), ["up", "down"]);
    });

  it("shows nothing of a ping that came later, though the clock was set back since", async () => {
    const ping = async (name: string, seconds: readonly number[]): Promise<void> => {
      const { uuid } = await world.heartbeats.service.create({ name, interval_seconds: 600, grace_seconds: 60 });
      for (const second of seconds) {
        clock.jump(at(second));
        await world.heartbeats.service.receive(uuid, { kind: "success", exitCode: null, rid: null }, origin);
      }
    };
    await ping("before", [20 * MINUTE]);
    clock.jump(at(5 * MINUTE));
    await ping("after", [6 * MINUTE, 7 * MINUTE]);
    clock.jump(at(30 * MINUTE));
    const { items } = (await ask(10 * MINUTE)).heartbeats;
    assert.deepEqual(
      items.map(({ name, status, last_ping_at: last }) => [name, status, last]),
      [
        ["before", "unknown", null],
        ["after", "up", text(7 * MINUTE)],
      ],
    );
  });

  it("shows how a certificate was by the last check, for as long as that is valid", async () => {
    world.played.scan = scanOf({ expiresAt: at(400 * DAY) });
    const body = certificateBody.parse({ domain: "web.test" });
    const { certificate } = await world.certificates.service.create(body);
    const checked = await until(async () => (await ask(0)).certificates.items.find(({ status }) => status !== "unknown"));
    assert.deepEqual([checked.id, checked.name, checked.status], [certificate.id, "web.test", "valid"]);
    assert.deepEqual([checked.expires_at, checked.known_since], [text(400 * DAY), checked.last_check_at]);
    world.played.scan = unreachable;
    clock.jump(at(120 * MINUTE));
    await world.run("certificate scans");
    assert.equal(await until(async () => ((await statusOf("certificates", 120 * MINUTE)) === "unreachable" ? true : undefined)), true);
    // Scans that show nothing new are saved once an hour.
    assert.deepEqual(await Promise.all([-1, 10 * MINUTE, 90 * MINUTE, 92 * MINUTE].map((each) => statusOf("certificates", each))), [
      undefined,
      "valid",
      "valid",
      "unknown",
    ]);
    assert.equal((await ask(120 * MINUTE)).certificates.items[0]?.error, unreachable.error);
  });

  it("is shown to assistants too, each list within their limit", async () => {
    for (const name of ["a", "b"]) await world.heartbeats.service.create({ name, interval_seconds: 600 });
    const shown = moment.parse(await callTool(world.overview.tools(), "get_state_at", { at: text(0), limit: 1 }));
    assert.deepEqual([shown.heartbeats.items.length, shown.heartbeats.left_out, shown.heartbeats.counts.unknown], [1, 1, 2]);
  });
});
