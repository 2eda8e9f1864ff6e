import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { notificationOf } from "../../../test/support/alert-records.ts";
import { type OpenChannels, openChannels, type OpenChannelsOptions } from "../../../test/support/channels.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { startMailReceiver } from "../../../test/support/mail-receiver.ts";
import { type Receiver, startReceiver } from "../../../test/support/receivers.ts";
import { systemClock } from "../../platform/clock.ts";
import { createMailer } from "../../platform/mailer.ts";
import type { Database } from "../../storage/database.ts";
import { CHANNEL_TYPES, type ChannelType } from "./api.ts";

const PATH = "/api/v1/channels";
const signal = new AbortController().signal;
const at = new Date("2026-03-01T12:00:00.000Z");

onBothDatabases((databases) => {
  let database: Database;
  let receiver: Receiver;
  const opened: OpenChannels[] = [];

  before(async () => {
    database = await databases.create();
    receiver = await startReceiver();
  });
  after(async () => {
    for (const each of opened) await each.stop();
    await receiver.stop();
  });

  async function open(options: OpenChannelsOptions = {}, own = false): Promise<OpenChannels> {
    const channels = await openChannels(own ? await databases.create() : database, options);
    opened.push(channels);
    return channels;
  }

  it("are tested, and return the receiver's answer", async () => {
    const { routes, events, channels } = await open({}, true);
    const { id } = await routes.check("POST", PATH, {}, { name: "a", type: "webhook", url: `${receiver.url}/s3cret`, enabled: false });
    const test = (): Promise<Record<string, unknown>> => routes.check("POST", `${PATH}/{id}/test`, { id });
    receiver.received.length = 0;
    assert.deepEqual({ ...(await test()), duration_ms: 0 }, { status: "delivered", status_code: 200, duration_ms: 0, error: null });
    const [got] = receiver.received;
    assert.equal((got?.json as { event: string } | undefined)?.event, "test");
    assert.equal(got?.headers["user-agent"], "Binnacle");
    assert.equal((await routes.check("GET", `${PATH}/{id}`, { id }))["health"], "healthy");
    receiver.manner = { kind: "refuse", status: 403, body: "s3cret of theirs" };
    const refused = await test();
    receiver.manner = { kind: "accept" };
    assert.deepEqual(
      { ...refused, duration_ms: 0 },
      { status: "failed", status_code: 403, duration_ms: 0, error: "127.0.0.1 answered 403." },
    );
    const record = await routes.check("GET", `${PATH}/{id}`, { id });
    assert.equal(record["health"], "failing");
    assert.equal(record["last_error"], "127.0.0.1 answered 403.");
    assert.ok(record["last_delivery_at"] !== null);
    assert.equal(events.filter(({ type }) => type === "channel.tested").length, 2);
    assert.doesNotMatch(JSON.stringify(events), /s3cret/);
    await channels.stop();
  });

  it("send to every kind of receiver, and turn everything else into an outcome", async () => {
    const { routes, channels } = await open({}, true);
    const paths: Partial<Record<ChannelType, string>> = {
      slack: "/services/a/b",
      discord: "/api/webhooks/1/token",
      teams: "/workflows/x",
      webhook: "/hook",
      ntfy: "/topic",
      gotify: "/message?token=abcdefghijklmno",
      telegram: `/bot1:${"x".repeat(30)}/sendMessage?chat_id=1`,
      mattermost: "/hooks/abc",
      pagerduty: `/v2/enqueue?routing_key=${"a".repeat(32)}`,
    };
    receiver.received.length = 0;
    for (const type of CHANNEL_TYPES.filter((each) => paths[each] !== undefined)) {
      const { id } = await routes.check("POST", PATH, {}, { name: type, type, url: `${receiver.url}${paths[type] ?? ""}` });
      const outcome = await channels.send(Number(id), notificationOf("alert.fired"), { idempotencyKey: `k-${type}`, signal });
      assert.deepEqual(
        { ...outcome, durationMs: 0 },
        { status: "delivered", statusCode: 200, durationMs: 0, error: null, retryAfterMs: null },
      );
      const got = receiver.received.at(-1);
      assert.equal(got?.headers["idempotency-key"], `k-${type}`);
      assert.equal(got?.headers["content-type"], "application/json");
      assert.ok(got?.json !== undefined);
    }
    const id = channels.all().find(({ name }) => name === "webhook")?.id ?? 0;
    const send = () => channels.send(id, notificationOf("alert.resolved"), { idempotencyKey: "9", signal });
    receiver.manner = { kind: "too_many", retryAfter: "120" };
    assert.deepEqual(
      { ...(await send()), durationMs: 0 },
      {
        status: "failed",
        statusCode: 429,
        durationMs: 0,
        error: "127.0.0.1 answered 429.",
        retryAfterMs: 120_000,
      },
    );
    receiver.manner = { kind: "close" };
    assert.match((await send()).error ?? "", /closed the connection/);
    receiver.manner = { kind: "accept" };
    await routes.check("PUT", `${PATH}/{id}`, { id }, { enabled: false });
    assert.equal((await send()).error, "The channel is disabled.");
    assert.equal((await channels.send(99_999, notificationOf("test"), { idempotencyKey: "1", signal })).error, "The channel was deleted.");
  });

  it("name recipients that are refused for good, though the others have the mail", async () => {
    const mails = await startMailReceiver();
    mails.refused.add("grace@example.com");
    const { host, port } = mails;
    const mailer = createMailer({ host, port, login: undefined, from: "monitor@example.com", tls: "none" }, systemClock);
    const { routes, channels } = await open({ mailer }, true);
    const url = "mailto:ada@example.com,grace@example.com";
    const { id } = await routes.check("POST", PATH, {}, { name: "mail", type: "email", url });
    const states: unknown[] = [];
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const outcome = await channels.send(Number(id), notificationOf("alert.fired"), { idempotencyKey: "1", signal });
      channels.noteOutcome(Number(id), outcome, at);
      const { health, last_error } = await routes.check("GET", `${PATH}/{id}`, { id });
      states.push([outcome.status, health, last_error]);
    }
    await mails.stop();
    assert.deepEqual(states, [
      ["failed", "failing", "The mail server refused grace@example.com."],
      ["delivered", "healthy", "The mail server refused grace@example.com (550)."],
    ]);
    assert.equal(mails.received.length, 1);
  });

  it("keep what came of deliveries, over a restart", async () => {
    const own = await databases.create();
    const first = await openChannels(own);
    const { id } = await first.routes.check("POST", PATH, {}, { name: "a", type: "webhook", url: receiver.url });
    const outcome = { status: "delivered", statusCode: 200, durationMs: 1, error: null, retryAfterMs: null } as const;
    for (let count = 0; count < 50; count += 1) first.channels.noteOutcome(Number(id), outcome, new Date(at.getTime() + count));
    first.channels.noteOutcome(12_345, outcome, at);
    first.channels.noteOutcome(Number(id), { ...outcome, status: "failed", error: "It refused." }, at);
    await first.stop();
    const second = await openChannels(own);
    opened.push(second);
    const record = await second.routes.check("GET", `${PATH}/{id}`, { id });
    assert.deepEqual(
      [record["health"], record["last_error"], record["last_delivery_at"]],
      ["failing", "It refused.", "2026-03-01T12:00:00.049Z"],
    );
    assert.deepEqual(
      first.events.filter(({ type }) => type === "channel.updated").map(({ data }) => ("health" in data ? data.health : "")),
      ["healthy", "failing"],
    );
  });
});
