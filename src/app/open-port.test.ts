import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, it } from "node:test";
import { until } from "../../test/support/until.ts";
import { parseConfig } from "../config/config.ts";
import type { HttpListener } from "../http/listener.ts";
import { openPort } from "./open-port.ts";

const BUILD = { version: "1.2.3", builtAt: new Date(0), publicKeyPem: undefined };

const open: HttpListener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function start(env: Readonly<Record<string, string>> = {}) {
  const started = parseConfig({ argv: [], env: { SERVICE_ADDR: "127.0.0.1:0", ...env } });
  if (!("config" in started)) throw new Error("no configuration");
  const listener = await openPort(started.config, BUILD);
  open.push(listener);
  const { url } = listener;
  // fetch sends no other Host.
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const [answer] = (await once(request(url + path, { headers, agent: false }).end(), "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  };
  /** What was asked is answered only when the port is closed. */
  const askLate = async (path: string, headers: Record<string, string> = {}) => {
    let isAnswered = false;
    const asked = ask(path, headers).finally(() => (isAnswered = true));
    await until(async () => (await connections(listener)) > 0);
    await ask("/api/v1/ready");
    assert.equal(isAnswered, false, `${path} waits`);
    void listener.close();
    return asked;
  };
  return { ask, askLate };
}

const connections = ({ servers: [server] }: HttpListener): Promise<number> =>
  new Promise((resolve, reject) => server?.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));

describe("a program that starts", () => {
  it("says that it lives, and that it is not ready", async () => {
    const { ask } = await start();
    const health = await ask("/api/v1/health");
    assert.equal(health.status, 200);
    assert.deepEqual(JSON.parse(health.text), {
      ...{ status: "ok", version: "1.2.3", mode: "embedded" },
      ...{ storage: { engine: "sqlite", connected: false }, runtime: { connected: false } },
    });
    assert.equal(health.headers["x-content-type-options"], "nosniff");
    const ready = await ask("/api/v1/ready");
    assert.equal(ready.status, 503);
    assert.equal(JSON.parse(ready.text).status, "starting");
  });

  it("says no more than the status where there is an admin token", async () => {
    const { ask } = await start({ SERVICE_ADMIN_TOKEN: "a-token-of-some-length" });
    const answers = await Promise.all(["/api/v1/health", "/api/v1/ready"].map((path) => ask(path)));
    assert.deepEqual(
      answers.map(({ status, text: body }) => ({ status, body })),
      [
        { status: 204, body: "" },
        { status: 503, body: "" },
      ],
    );
  });

  for (const [what, path, headers] of [
    ["who brings credentials", "/api/v1/health", { authorization: "Bearer a-token-of-some-length" }],
    ["what needs the whole program", "/api/v1/containers", {}],
    ["another site's name for it", "/api/v1/health", { host: "rebound.example.org" }],
  ] as const)
    it(`lets ${what} wait, and answers programs when to ask again`, async () => {
      const { askLate } = await start({ SERVICE_ADMIN_TOKEN: "a-token-of-some-length" });
      const late = await askLate(path, headers);
      assert.deepEqual([late.status, JSON.parse(late.text).error.code, late.headers["retry-after"]], [503, "starting", "2"]);
    });

  it("shows browsers a page that asks again", async () => {
    const { askLate } = await start();
    const { status, headers, text: page } = await askLate("/containers", { accept: "text/html" });
    assert.deepEqual([status, headers["content-type"], headers["refresh"]], [503, "text/html; charset=utf-8", "2"]);
    assert.match(page, /<h1>Starting<\/h1>/);
  });
});
