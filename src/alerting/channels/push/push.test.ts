import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { notificationOf } from "../../../../test/support/alert-records.ts";
import { openChannels, type OpenChannels, type OpenChannelsOptions } from "../../../../test/support/channels.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { type PushService, startPushService } from "../../../../test/support/push-service.ts";
import type { PushBody } from "../../../contract/push.ts";
import type { Database } from "../../../storage/database.ts";

const PATH = "/api/v1/channels";
const signal = new AbortController().signal;
const key = { idempotencyKey: "1", signal };

onBothDatabases((databases) => {
  let push: PushService;
  const opened: OpenChannels[] = [];
  before(async () => void (push = await startPushService()));
  after(async () => {
    for (const each of opened) await each.stop();
    await push.stop();
  });

  async function open(database: Database, options: OpenChannelsOptions = {}): Promise<OpenChannels> {
    const channels = await openChannels(database, options);
    opened.push(channels);
    return channels;
  }

  async function subscribe({ routes }: OpenChannels): Promise<number> {
    const { id, url } = await routes.check("POST", PATH, {}, { name: "Ada's phone", type: "web_push", url: push.channelUrl });
    assert.match(String(url), /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*$/);
    return Number(id);
  }

  it("notifications reach a subscribed browser, encrypted for it and signed", async () => {
    const browser = await open(await databases.create());
    const id = await subscribe(browser);
    push.pushed.length = 0;
    const fired = notificationOf("alert.fired");
    const outcome = await browser.channels.send(id, fired, key);
    assert.deepEqual(
      { ...outcome, durationMs: 0 },
      { status: "delivered", statusCode: 201, durationMs: 0, error: null, retryAfterMs: null },
    );
    await browser.channels.send(
      id,
      notificationOf("alert.resolved", { status: "resolved", resolved_at: "2026-03-01T12:30:00.000Z", resolved_by: "auto" }),
      key,
    );
    const [first, second] = push.pushed;
    assert.ok(first !== undefined && second !== undefined);
    // The address is left as the push service gave it out.
    assert.equal(first.path, "/w/?token=a%2bb");
    assert.deepEqual(
      [first.headers["ttl"], first.headers["urgency"], first.headers["topic"]],
      ["86400", "high", `alert-${fired.alert.id}`],
    );
    assert.equal(first.claims.aud, new URL(push.channelUrl).origin);
    assert.equal(first.claims.sub, "https://monitor.example");
    const hoursAhead = (first.claims.exp * 1000 - Date.now()) / 3_600_000;
    assert.ok(hoursAhead > 1 && hoursAhead <= 24, `${hoursAhead} hours`);
    assert.equal(first.key, (await browser.routes.check("GET", `${PATH}/web-push-key`))["public_key"]);
    const bodies = [first, second].map(({ text }) => JSON.parse(text) as PushBody);
    assert.equal(bodies[0]?.tag, bodies[1]?.tag);
    assert.equal(first.headers["topic"], second.headers["topic"]);
    assert.deepEqual([bodies[0]?.url, bodies[0]?.stays, bodies[0]?.quiet], [fired.alert.url, true, false]);
    assert.deepEqual([bodies[1]?.stays, bodies[1]?.quiet], [false, true]);
    assert.match(bodies[1]?.title ?? "", /^Resolved/);
  });

  it("are refused where other channels are: without https, and to private addresses", async () => {
    const { routes } = await open(await databases.create(), { outbound: { allowPrivate: false } });
    const create = (url: string) => routes.ask("POST", PATH, { name: "Ada's phone", type: "web_push", url });
    for (const [url, code] of [
      [push.channelUrl, "https_required"],
      [push.channelUrl.replace("http:", "https:"), "private_address_refused"],
      ["https://push.example/w/abc", "unusable_values"],
      [
        push.channelUrl.replace(/p256dh=[\w-]{20}/, `p256dh=${"A".repeat(20)}`).replace(/^http:..[^/]+/, "https://push.example"),
        "unusable_values",
      ],
    ] as const) {
      const { body } = await create(url);
      assert.equal((body["error"] as { code: string }).code, code, url);
    }
  });

  it("have keys that outlive a restart, and are stored sealed", async () => {
    const database = await databases.create();
    const first = await open(database);
    const second = await open(database);
    const keyOf = async ({ routes }: OpenChannels): Promise<unknown> => (await routes.check("GET", `${PATH}/web-push-key`))["public_key"];
    const [one, other] = await Promise.all([keyOf(first), keyOf(second)]);
    assert.equal(one, other);
    const tables = database.tables<{ vapid_keys: { private_key: string; public_key: string } }>();
    const rows = await tables.read.selectFrom("vapid_keys").selectAll().execute();
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.public_key, one);
    assert.ok((rows[0]?.private_key.length ?? 0) > 60, "the key of 43 characters is stored in plain text");
  });

  it("a browser that its push service no longer knows is unsubscribed with a note, one that is busy is not", async () => {
    const { channels, routes, events, ...rest } = await open(await databases.create());
    const id = await subscribe({ channels, routes, events, ...rest });
    push.answer = { status: 429, headers: { "retry-after": "120" } };
    const busy = await channels.send(id, notificationOf("alert.fired"), key);
    assert.deepEqual([busy.status, busy.statusCode, busy.retryAfterMs, busy.isGone], ["failed", 429, 120_000, undefined]);
    channels.noteOutcome(id, busy, new Date());
    assert.equal((await routes.check("GET", `${PATH}/{id}`, { id }))["enabled"], true);
    for (const status of [404, 410]) {
      push.answer = { status };
      const gone = await channels.send(id, notificationOf("alert.fired"), key);
      channels.noteOutcome(id, gone, new Date());
      await channels.stop();
      const record = await routes.check("GET", `${PATH}/{id}`, { id });
      assert.deepEqual(
        [record["enabled"], record["health"], record["last_error"]],
        [false, "failing", "The push service no longer knows this browser. Subscribe it again."],
      );
      // Subscribed again, it is a channel as before.
      push.answer = { status: 201 };
      assert.equal((await routes.ask("PUT", `${PATH}/${id}`, { enabled: true })).status, 409);
      await routes.check("PUT", `${PATH}/{id}`, { id }, { enabled: true, url: push.channelUrl });
      const tested = await routes.check("POST", `${PATH}/{id}/test`, { id });
      assert.equal(tested["status"], "delivered");
    }
    push.answer = { status: 410 };
    assert.equal((await routes.check("POST", `${PATH}/{id}/test`, { id }))["status"], "failed");
    assert.equal((await routes.check("GET", `${PATH}/{id}`, { id }))["enabled"], false);
    assert.equal((await routes.check("POST", `${PATH}/{id}/test`, { id }))["error"], "The browser is not subscribed.");
    push.answer = { status: 201 };
  });
});
