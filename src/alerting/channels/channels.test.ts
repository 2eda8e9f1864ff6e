import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { notificationOf } from "../../../test/support/alert-records.ts";
import { type OpenChannels, openChannels, type OpenChannelsOptions } from "../../../test/support/channels.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { fragile } from "../../../test/support/fragile-database.ts";
import { type Receiver, startReceiver } from "../../../test/support/receivers.ts";
import { until } from "../../../test/support/until.ts";
import { requireCapability } from "../../editions/edition.ts";
import type { Database } from "../../storage/database.ts";
import { CHANNEL_TYPES } from "./api.ts";

const PATH = "/api/v1/channels";
const signal = new AbortController().signal;

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

  it("are made, listed, changed and deleted, and are there after a restart", async () => {
    const { routes, events } = await open({}, false);
    const made = await routes.check(
      "POST",
      PATH,
      {},
      { name: " Ops\u0007 team ", type: "webhook", url: `${receiver.url}/hook/s3cret?k=s3cret` },
    );
    assert.equal(made["name"], "Ops team");
    assert.equal(made["url"], `${receiver.url}/***`);
    assert.equal(made["headers"], "{}");
    assert.equal(made["health"], "untested");
    const { id } = made;
    assert.equal((await routes.check("GET", PATH))["total"], 1);
    assert.deepEqual(await routes.check("GET", `${PATH}/{id}`, { id }), made);
    const renamed = await routes.check("PUT", `${PATH}/{id}`, { id }, { name: "Ops", enabled: false });
    assert.equal(renamed["enabled"], false);
    const again = await open({}, false);
    assert.deepEqual(await again.routes.check("GET", `${PATH}/{id}`, { id }), renamed);
    await routes.check("DELETE", `${PATH}/{id}`, { id });
    assert.equal((await routes.ask("GET", `${PATH}/${String(id)}`)).status, 404);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["channel.created", "channel.updated", "channel.deleted"],
    );
    assert.doesNotMatch(JSON.stringify(events), /s3cret/);
  });

  it("keep the outcome of a delivery that came while a change was being saved", async () => {
    const { wrapped, holdNext } = fragile(await databases.create());
    const first = await openChannels(wrapped);
    opened.push(first);
    const { id } = await first.routes.check("POST", PATH, {}, { name: "a", type: "webhook", url: receiver.url });
    const held = holdNext();
    const renaming = first.routes.check("PUT", `${PATH}/{id}`, { id }, { name: "b" });
    await held.reached;
    const outcome = { status: "failed", statusCode: 500, durationMs: 1, error: "It answered 500.", retryAfterMs: null } as const;
    first.channels.noteOutcome(Number(id), outcome, new Date());
    held.release();
    const renamed = await renaming;
    assert.deepEqual([renamed["name"], renamed["health"], renamed["last_error"]], ["b", "failing", "It answered 500."]);
    await first.channels.stop();
    const second = await openChannels(wrapped);
    opened.push(second);
    assert.deepEqual(await second.routes.check("GET", `${PATH}/{id}`, { id }), renamed);
  });

  it("keep their secrets, whatever is sent back", async () => {
    const { routes, channels } = await open({}, true);
    const headers = JSON.stringify({ Authorization: "Bearer s3cret", "X-Team": "ops" });
    const made = await routes.check("POST", PATH, {}, { name: "a", type: "webhook", url: `${receiver.url}/s3cret`, headers });
    const id = Number(made["id"]);
    assert.equal(made["headers"], '{"Authorization":"***","X-Team":"***"}');
    const sent = async (): Promise<Receiver["received"][number] | undefined> => {
      await channels.send(id, notificationOf("alert.fired"), { idempotencyKey: "1", signal });
      return receiver.received.at(-1);
    };
    for (const body of [
      {},
      { url: made["url"] },
      { headers: made["headers"] },
      { url: made["url"], headers: made["headers"], name: "b" },
    ]) {
      await routes.check("PUT", `${PATH}/{id}`, { id }, body);
      const got = await sent();
      assert.equal(got?.path, "/s3cret");
      assert.equal(got?.headers["authorization"], "Bearer s3cret");
    }
    await routes.check("PUT", `${PATH}/{id}`, { id }, { headers: '{"authorization":"***","x-new":"1"}' });
    const changed = await sent();
    assert.equal(changed?.headers["authorization"], "Bearer s3cret");
    assert.equal(changed?.headers["x-new"], "1");
    assert.equal(changed?.headers["x-team"], undefined);
    assert.doesNotMatch(JSON.stringify(channels.all()), /s3cret/);

    // Not even to a server on this host.
    for (const body of [{ url: "http://127.0.0.1:1/x" }, { url: "http://127.0.0.1:1/x", headers: '{"authorization":"***"}' }]) {
      const { status, body: answer } = await routes.ask("PUT", `${PATH}/${id}`, body);
      assert.equal(status, 409);
      assert.match(JSON.stringify(answer), /headers/);
    }
    for (const url of [`${receiver.url}/***/other`, "https://***/", `${receiver.url}/s3cre***`]) {
      assert.equal((await routes.ask("PUT", `${PATH}/${id}`, { url })).status, 409);
    }
    assert.equal((await sent())?.path, "/s3cret");
    await routes.check("PUT", `${PATH}/{id}`, { id }, { headers: null });
    assert.equal((await sent())?.headers["authorization"], undefined);
  });

  it("say every fault at once, and save nothing then", async () => {
    const { routes } = await open({ outbound: { allowPrivate: false, resolve: async () => ["93.184.216.34"] } }, true);
    const fault = async (body: object): Promise<{ code: unknown; paths: unknown[]; text: string }> => {
      const answer = await routes.ask("POST", PATH, body);
      const text = JSON.stringify(answer.body);
      const { error } = answer.body as { error: { code: unknown; details?: { path: unknown }[] } };
      return { code: error.code, paths: (error.details ?? []).map(({ path }) => path), text };
    };
    const good = { name: "a", type: "webhook", url: "https://hook.example/x" };
    assert.deepEqual((await fault({ type: "carrier pigeon", url: "", extra: 1 })).paths.toSorted(), ["extra", "name", "type", "url"]);
    assert.deepEqual(await fault({ ...good, url: "http://hook.example/" }).then(({ code, paths }) => [code, ...paths]), [
      "https_required",
      "url",
    ]);
    assert.deepEqual(await fault({ ...good, url: "https://0x7f.1/" }).then(({ code, paths }) => [code, ...paths]), [
      "private_address_refused",
      "url",
    ]);
    const both = await fault({
      ...good,
      url: "https://a:s3cret@hook.example/",
      headers: '{"Host":"x","A":1,"B":"a\\r\\nC: d","ok":"s3cret"}',
    });
    assert.equal(both.code, "unusable_values");
    assert.deepEqual(both.paths, ["url", "headers.Host", "headers.A", "headers.B"]);
    assert.doesNotMatch(both.text, /s3cret/);
    for (const headers of ["[]", "1", "null x", '"a"', "{", "true"])
      assert.deepEqual((await fault({ ...good, headers })).paths, ["headers"]);
    assert.deepEqual((await fault({ ...good, type: "slack", headers: '{"a":"b"}' })).paths, ["headers"]);
    assert.deepEqual((await fault({ ...good, type: "discord", url: "https://hook.example/" })).paths, ["url"]);
    assert.deepEqual((await fault({ ...good, type: "email", url: "mailto:a b@c" })).paths, ["url"]);
    assert.deepEqual((await fault({ ...good, type: "email", url: "https://hook.example/" })).paths, ["url"]);
    assert.deepEqual((await fault({ ...good, name: "a,b" })).paths, ["name"]);
    assert.equal((await routes.check("GET", PATH))["total"], 0);
  });

  it("have unique names", async () => {
    const { routes } = await open({}, true);
    const body = { name: "Ops", type: "webhook", url: receiver.url };
    await routes.check("POST", PATH, {}, body);
    const other = await routes.check("POST", PATH, {}, { ...body, name: "Dev" });
    for (const answer of [
      await routes.ask("POST", PATH, { ...body, name: "OPS" }),
      await routes.ask("PUT", `${PATH}/${String(other["id"])}`, { name: "ops" }),
    ]) {
      assert.equal(answer.status, 409);
      assert.equal((answer.body as { error: { code: string } }).error.code, "duplicate_name");
    }
    assert.equal((await routes.ask("PUT", `${PATH}/${String(other["id"])}`, { type: "slack" })).status, 409);
    assert.equal((await routes.check("GET", `${PATH}/{id}`, { id: other["id"] }))["name"], "Dev");
  });

  it("are bounded in number", async () => {
    const { routes } = await open({}, true);
    const body = (name: string): object => ({ name, type: "webhook", url: receiver.url });
    await Promise.all(Array.from({ length: 200 }, (_, index) => routes.check("POST", PATH, {}, body(`c${index}`))));
    assert.equal((await routes.ask("POST", PATH, body("one more"))).status, 409);
  });

  it("have rules", async () => {
    const { routes, channels, events } = await open({}, true);
    const { id } = await routes.check("POST", PATH, {}, { name: "a", type: "webhook", url: receiver.url });
    const one = await routes.check("POST", `${PATH}/{id}/rules`, { id }, { source: "container", severity: "" });
    assert.deepEqual({ ...one, id: 0 }, { id: 0, source: "container", severity: null, entity_type: null, entity_id: null });
    await routes.check("POST", `${PATH}/{id}/rules`, { id }, { entity_type: "container", entity_id: "42" });
    await routes.check("POST", `${PATH}/{id}/rules`, { id }, {});
    assert.equal((await routes.ask("POST", `${PATH}/${String(id)}/rules`, { source: "container" })).status, 409);
    assert.equal((await routes.ask("POST", `${PATH}/${String(id)}/rules`, { entity_id: "42" })).status, 409);
    for (const body of [{ source: "moon" }, { severity: "dire" }, { entity_type: "a b" }, { other: 1 }]) {
      assert.equal((await routes.ask("POST", `${PATH}/${String(id)}/rules`, body)).status, 400, JSON.stringify(body));
    }
    assert.equal(channels.get(Number(id))?.rules.length, 3);
    assert.equal((await routes.ask("DELETE", `${PATH}/${String(id)}/rules/${String(one["id"])}`)).status, 204);
    assert.equal((await routes.ask("DELETE", `${PATH}/${String(id)}/rules/${String(one["id"])}`)).status, 404);
    assert.equal(channels.get(Number(id))?.rules.length, 2);
    assert.deepEqual(
      events.filter(({ type }) => type === "channel.updated").map(({ data }) => ("change" in data ? data.change : "")),
      ["rules", "rules", "rules", "rules"],
    );
  });

  it("have rules of groups and hosts, and name what can be neither", async () => {
    const { routes } = await open({}, true);
    const { id } = await routes.check("POST", PATH, {}, { name: "a", type: "webhook", url: receiver.url });
    const group = { entity_type: "group", entity_id: "Shop, Süd" };
    assert.partialDeepStrictEqual(await routes.check("POST", `${PATH}/{id}/rules`, { id }, group), group);
    await routes.check("POST", `${PATH}/{id}/rules`, { id }, { entity_type: "agent", entity_id: "Local" });
    const refused = await routes.ask("POST", `${PATH}/${String(id)}/rules`, { entity_type: "agent", entity_id: "web-1" });
    assert.equal(refused.status, 409);
    assert.deepEqual((refused.body["error"] as { details: unknown }).details, [
      { path: "entity_id", message: "Must be `local` or the UUID of an agent" },
    ]);
    assert.equal((await routes.ask("POST", `${PATH}/${String(id)}/rules`, { entity_type: "group" })).status, 409);
  });

  it("are not deleted while somebody uses them", async () => {
    const { routes, channels } = await open({}, true);
    const { id } = await routes.check("POST", PATH, {}, { name: "a", type: "webhook", url: receiver.url });
    let used = true;
    channels.useBy((asked) => (used && asked === id ? ['escalation policy "Nights"', 'trigger "Shop"'] : []));
    const { status, body } = await routes.ask("DELETE", `${PATH}/${String(id)}`);
    assert.equal(status, 409);
    assert.match(JSON.stringify(body), /escalation policy \\"Nights\\" and trigger \\"Shop\\"/);
    used = false;
    await routes.check("DELETE", `${PATH}/{id}`, { id });
  });

  it("need the edition that grants them, when they are made, tested, enabled and used", async () => {
    let edition: "community" | "pro" = "pro";
    const { routes, channels } = await open({ requireCapability: (capability) => requireCapability(edition, capability) }, true);
    const bodies = [
      { name: "s", type: "slack", url: `${receiver.url}/services/x` },
      { name: "t", type: "teams", url: `${receiver.url}/workflows/x` },
      { name: "e", type: "email", url: "mailto:a@example.com" },
    ];
    const { id } = await routes.check("POST", PATH, {}, { ...bodies[0], name: "mine" });
    edition = "community";
    const refused = [
      ...bodies.map((body) => routes.ask("POST", PATH, body)),
      routes.ask("POST", `${PATH}/${String(id)}/test`),
      routes.ask("PUT", `${PATH}/${String(id)}`, { name: "x" }),
    ];
    for (const { status, body } of await Promise.all(refused)) {
      assert.equal(status, 403);
      assert.match(JSON.stringify(body), /EDITION_REQUIRED.*Pro/);
    }
    assert.match(
      (await channels.send(Number(id), notificationOf("test"), { idempotencyKey: "1", signal })).error ?? "",
      /needs the Pro edition/,
    );
    await routes.check("PUT", `${PATH}/{id}`, { id }, { enabled: false });
    for (const type of CHANNEL_TYPES.filter((each) => !["slack", "teams", "email"].includes(each))) {
      const { body } = await routes.ask("POST", PATH, { name: type, type, url: "x" });
      assert.doesNotMatch(JSON.stringify(body), /EDITION_REQUIRED/);
    }
    await routes.check("DELETE", `${PATH}/{id}`, { id });
  });

  it("note a name that nobody knows yet, and an email channel without a mail server", async () => {
    const { routes } = await open({ outbound: { allowPrivate: false, resolve: () => Promise.reject(new Error("no")) } }, true);
    const made = await routes.check("POST", PATH, {}, { name: "later", type: "webhook", url: "https://later.example/x" });
    assert.equal(made["last_error"], "The name later.example cannot be looked up.");
    assert.equal(made["health"], "untested");
    const { id, url } = await routes.check("POST", PATH, {}, { name: "mail", type: "email", url: "mailto:a@example.com,b@example.com" });
    assert.equal(url, "mailto:a@example.com,b@example.com");
    const result = await routes.check("POST", `${PATH}/{id}/test`, { id });
    assert.equal(result["status"], "failed");
    assert.match(String(result["error"]), /set SERVICE_SMTP_HOST and SERVICE_SMTP_FROM/);
    await until(async () => (await routes.check("GET", `${PATH}/{id}`, { id }))["health"] === "failing");
  });
});
