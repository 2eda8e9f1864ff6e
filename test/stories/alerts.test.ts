import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { ActiveAlerts, AlertTrace } from "../../src/alerting/alerts/answers.ts";
import { CHANNEL_TYPES, type ChannelType } from "../../src/alerting/channels/api.ts";
import type { ChannelRecord, TestResult } from "../../src/alerting/channels/answers.ts";
import { LICENSES, mintLicense } from "../../tools/license.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type MailReceiver, startMailReceiver } from "../support/mail-receiver.ts";
import { type Program, startProgram } from "../support/program.ts";
import { type Received, type Receiver, startReceiver } from "../support/receivers.ts";
import { until } from "../support/until.ts";

/** Within the limits of the API. */
const SELDOM = { everyMs: 100 };

/** Where a channel of each type sends to, below the address of a receiver. */
const ADDRESSES: Record<ChannelType, string> = {
  slack: "/services/T0/B0/slack",
  discord: "/api/webhooks/1/discord",
  teams: "/workflows/teams",
  webhook: "/webhook",
  email: "mailto:night@example.com",
  ntfy: "/ntfy",
  gotify: "/gotify/message?token=A1234567890bcde",
  telegram: "/bot123456:abcdefghijklmnopqrstuvwxyz0123456789/sendMessage?chat_id=1",
  mattermost: "/hooks/mattermost",
  pagerduty: `/v2/enqueue?routing_key=${"0".repeat(32)}`,
  // What it takes nobody but the browser reads: see src/alerting/channels/push.
  web_push:
    "/push?p256dh=BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4&auth=BTBZMqHH6r4Tts7J_aSIgg",
};

const HTTP_PATHS = Object.entries(ADDRESSES).flatMap(([type, address]): [string, string][] =>
  type === "email" || type === "ntfy" ? [] : [[type, address.split("?")[0] ?? ""]],
);

/** Who is notified of what, and why not: a real engine, real receivers, the whole program. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;
  let receiver: Receiver;
  let mail: MailReceiver;
  let program: Program & { dataDir: string; port: number };
  let env: Record<string, string>;
  const closing: (() => Promise<void>)[] = [];

  before(async () => {
    [engine, receiver, mail] = await Promise.all([startEngine(), startReceiver(), startMailReceiver()]);
    await importBusybox(engine);
    containers = createTestContainers(engine);
    env = {
      SERVICE_DOCKER_HOST: engine.host,
      SERVICE_CONTAINER_DOWN_AFTER: "1s",
      SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true",
      SERVICE_SMTP_HOST: mail.host,
      SERVICE_SMTP_PORT: String(mail.port),
      SERVICE_SMTP_FROM: "binnacle@example.com",
      SERVICE_SMTP_TLS: "none",
      SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 }),
      ...(await databaseEnv()),
    };
    await start();
  });

  after(async () => {
    await program?.stop();
    await containers?.removeAll();
    await Promise.all([engine?.stop(), receiver?.stop(), mail?.stop(), ...closing.map((close) => close())]);
  });

  async function start(): Promise<void> {
    program = await startProgram({ env, ...(program === undefined ? {} : { dataDir: program.dataDir, port: program.port }) });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
  }

  async function send<Body>(method: string, path: string, body?: object): Promise<Body> {
    const payload = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(program.url + path, { method, ...payload });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    // What the test asks for is what the route answers.
    return (text === "" ? {} : JSON.parse(text)) as Body;
  }

  const addChannel = (name: string, type: ChannelType = "webhook"): Promise<ChannelRecord> =>
    send("POST", "/api/v1/channels", { name, type, url: type === "email" ? ADDRESSES.email : receiver.url + ADDRESSES[type] });

  /** A container that ends on request, with the id that the program gave it. */
  async function run(name: string, ...flags: string[]): Promise<{ externalId: string; id: number }> {
    const externalId = await containers.run(name, flags, "sleep", "100000");
    const full = `${containers.prefix}-${name}`;
    type List = { groups: { containers: { id: number; name: string }[] }[] };
    const found = await until(async () => {
      const { groups } = await program.get<List>("/api/v1/containers");
      return groups.flatMap((group) => group.containers).find((each) => each.name === full);
    }, SELDOM);
    return { externalId, id: found.id };
  }

  const activeOf = async (id: number): Promise<AlertRecord | undefined> =>
    (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts.find(
      (alert) => alert.event === "down" && alert.entity_id === String(id),
    );
  const fired = (id: number): Promise<AlertRecord> =>
    until(() => activeOf(id), { withinMs: 30_000, everyMs: 100, what: `an alert of container ${id}` });
  const over = (id: number): Promise<true> =>
    until(async () => ((await activeOf(id)) === undefined ? true : undefined), {
      withinMs: 30_000,
      everyMs: 100,
      what: `the end of the alert of container ${id}`,
    });
  const trace = (alert: AlertRecord): Promise<AlertTrace> => program.get(`/api/v1/alerts/${alert.id}/trace`);
  const settled = (alert: AlertRecord, count: number): Promise<AlertTrace> =>
    until(
      async () => {
        const found = await trace(alert);
        return found.deliveries.length >= count && found.deliveries.every(({ status }) => status !== "pending") ? found : undefined;
      },
      { withinMs: 90_000, everyMs: 100, what: `${count} deliveries of alert ${alert.id}` },
    );
  /** Messages about a container, by the path of their channel. */
  const about = (name: string): Received[] => receiver.received.filter(({ body }) => body.includes(`${containers.prefix}-${name}`));
  /** By the beginning of the path; ntfy takes what is sent to its root. */
  const kindOf = ({ path }: Received): string => HTTP_PATHS.find(([, beginning]) => path.startsWith(beginning))?.[0] ?? "ntfy";

  it("notifies every kind of channel that a container is down, and that it is up again", async () => {
    const { externalId, id } = await run("everywhere");
    const earlier = receiver.received.length;
    for (const type of CHANNEL_TYPES) {
      const channel = await addChannel(`all ${type}`, type);
      await send("POST", `/api/v1/channels/${channel.id}/rules`, { source: "container", entity_type: "container", entity_id: String(id) });
      assert.equal((await send<TestResult>("POST", `/api/v1/channels/${channel.id}/test`)).status, "delivered", type);
    }
    await endByItself(externalId);
    const alert = await fired(id);
    assert.deepEqual([alert.severity, alert.source], ["critical", "container"]);
    assert.match(alert.cause ?? "", /exit code 137/);
    const found = await settled(alert, CHANNEL_TYPES.length);
    assert.deepEqual(
      found.deliveries.map(({ event, status, attempts }) => [event, status, attempts]),
      CHANNEL_TYPES.map(() => ["alert.fired", "sent", 1]),
    );
    await engine.docker("start", externalId);
    await over(id);
    const { deliveries } = await settled(alert, 2 * CHANNEL_TYPES.length);
    assert.equal(deliveries.filter(({ event, status }) => event === "alert.resolved" && status === "sent").length, CHANNEL_TYPES.length);
    // A test, the beginning and the end.
    const counts = Map.groupBy(receiver.received.slice(earlier), kindOf);
    assert.deepEqual(
      new Map([...counts].map(([type, received]) => [type, received.length])),
      new Map(CHANNEL_TYPES.filter((type) => type !== "email").map((type) => [type, 3])),
    );
    assert.equal(mail.received.filter(({ raw }) => raw.includes("everywhere")).length, 2);
    for (const channel of (await program.get<{ channels: ChannelRecord[] }>("/api/v1/channels")).channels)
      assert.equal(channel.health, "healthy", channel.name);
  });

  /** Ends the first process of a container from outside of it: nobody asked the engine for that. */
  async function endByItself(externalId: string): Promise<void> {
    process.kill(Number(await engine.docker("inspect", "--format", "{{.State.Pid}}", externalId)), "SIGKILL");
  }

  it("sends one message where several ways lead to a channel, and says so", async () => {
    const { externalId, id } = await run("once", "--label", "service.alert.channels=once");
    const channel = await addChannel("once");
    await send("POST", `/api/v1/channels/${channel.id}/rules`, { entity_type: "container", entity_id: String(id) });
    await send("POST", "/api/v1/alert-triggers", {
      name: "Also once",
      filter_severities: "critical",
      filter_entities: `container:${id}`,
      enabled: true,
      notify_on_resolve: true,
      channel_ids: [channel.id],
    });
    await endByItself(externalId);
    const { deliveries, stages } = await settled(await fired(id), 1);
    assert.equal(deliveries.length, 1);
    assert.match(deliveries[0]?.because ?? "", /rule.*trigger "Also once".*label/s);
    assert.ok(stages.some(({ stage }) => stage === "routing"));
    assert.equal(about("once").length, 1);
  });

  it("records what a silence or a maintenance window holds back, and sends it when they are over", async () => {
    const { externalId, id } = await run("quiet", "--label", "service.alert.channels=quiet");
    await addChannel("quiet");
    const hour = 3_600_000;
    const [starts_at, ends_at] = [new Date(Date.now() - 1000), new Date(Date.now() + hour)].map((at) => at.toISOString());
    const entity = { entity_type: "container", entity_id: String(id) };
    const window = await send<{ id: number }>("POST", "/api/v1/status/maintenance", {
      title: "Moving",
      starts_at,
      ends_at,
      entities: [entity],
    });
    const silence = await send<{ id: number }>("POST", "/api/v1/silence", { reason: "known", starts_at, ends_at, matchers: entity });
    await endByItself(externalId);
    const alert = await fired(id);
    assert.equal(alert.suppressed_by, "maintenance");
    const held = await until(async () => (await trace(alert)).stages.find(({ verdict }) => verdict === "held"), SELDOM);
    assert.match(held.text, /Moving/);
    await send("DELETE", `/api/v1/status/maintenance/${window.id}`);
    await until(async () => (await activeOf(id))?.suppressed_by === "silence" || undefined, SELDOM);
    assert.equal(about("quiet").length, 0);
    await send("DELETE", `/api/v1/silence/${silence.id}`);
    await settled(alert, 1);
    assert.equal(about("quiet").length, 1);
    assert.equal((await activeOf(id))?.suppressed_by, null);
  });

  it("continues after a kill where it was: nothing twice, nothing lost", async () => {
    const [lasting, passing] = [
      await run("lasting", "--label", "service.alert.channels=after"),
      await run("passing", "--label", "service.alert.channels=after"),
    ];
    await addChannel("after");
    for (const { externalId } of [lasting, passing]) await endByItself(externalId);
    const [still, ended] = [await fired(lasting.id), await fired(passing.id)];
    await Promise.all([still, ended].map((alert) => settled(alert, 1)));
    await program.kill();
    await engine.docker("start", passing.externalId);
    await start();
    await over(passing.id);
    await settled(ended, 2);
    assert.deepEqual(
      about("passing").map(({ json }) => (json as { event: string }).event),
      ["alert.fired", "alert.resolved"],
    );
    assert.equal((await activeOf(lasting.id))?.id, still.id);
    assert.equal(about("lasting").length, 1);
  });

  it("goes from level to level while nobody reacts, and notifies the same receivers when somebody does", async () => {
    const { externalId, id } = await run("escalated", "--label", "service.alert.tags=nights");
    const [first, second] = [await addChannel("first on call"), await addChannel("second on call")];
    await send("POST", "/api/v1/escalation-policies", {
      name: "Nights",
      active: true,
      filters: { severities: ["critical"], tags: ["nights"] },
      levels: [
        { delay_seconds: 0, channel_ids: [first.id] },
        { delay_seconds: 2, channel_ids: [second.id] },
        { delay_seconds: 600, channel_ids: [first.id, second.id] },
      ],
    });
    await endByItself(externalId);
    const alert = await fired(id);
    await settled(alert, 2);
    await send("POST", `/api/v1/alerts/${alert.id}/acknowledge`, { acknowledged_by: "Ada" });
    await settled(alert, 4);
    type Message = { event: string; escalation: { level: number; kind: string } };
    const messages = about("escalated").map(({ json }) => json as Message);
    assert.deepEqual(
      messages.slice(0, 2).map(({ event, escalation }) => [event, escalation.level, escalation.kind]),
      [
        ["alert.fired", 0, "level"],
        ["alert.fired", 1, "level"],
      ],
    );
    assert.deepEqual(
      messages.slice(2).map(({ event, escalation }) => [event, escalation.kind]),
      [
        ["alert.acknowledged", "closure"],
        ["alert.acknowledged", "closure"],
      ],
    );
    const { runs } = await program.get<{ runs: { status: string }[] }>(`/api/v1/alerts/${alert.id}/escalation-runs`);
    assert.deepEqual(
      runs.map(({ status }) => status),
      ["stopped_by_ack"],
    );
  });

  it("waits as long as a receiver asks, and leaves the others alone", async () => {
    const busy = await startReceiver({ manner: { kind: "too_many", retryAfter: "60" } });
    closing.push(busy.stop);
    const { externalId, id } = await run("busy", "--label", "service.alert.channels=busy,free");
    await send("POST", "/api/v1/channels", { name: "busy", type: "webhook", url: `${busy.url}/hook` });
    await addChannel("free");
    await endByItself(externalId);
    const alert = await fired(id);
    await until(async () => (await trace(alert)).deliveries.some(({ status }) => status === "sent"), SELDOM);
    const waiting = (await trace(alert)).deliveries.find(({ status }) => status === "pending");
    assert.deepEqual([waiting?.last_status_code, waiting?.attempts], [429, 1]);
    const waitsMs = Date.parse(waiting?.next_attempt_at ?? "") - Date.parse(waiting?.last_attempt_at ?? "");
    assert.ok(waitsMs >= 60_000, `${waitsMs} ms`);
  });
}

storyOnBothDatabases("alerts of a real engine", story);
