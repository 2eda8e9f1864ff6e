import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { createAdminAccess } from "../../src/http/admin-access.ts";
import type { HttpServer } from "../../src/http/server.ts";
import { createOAuth, type OAuth } from "../../src/mcp/oauth/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createMemoryLog, createTestServer } from "./http-server.ts";
import { takePort } from "./ports.ts";
import { watchTasks } from "./watched-tasks.ts";

export const CLIENT_ID = "assistant";
export const CLIENT_SECRET = "correct horse: battery+staple%";
export const ADMIN_TOKEN = "the admin token of this test";
/** Configured; this computer itself is permitted as well. */
export const REDIRECT_URI = "https://assistant.example.org/callback?tenant=1";
export const LOOPBACK_URI = "http://127.0.0.1:33418/callback";

/** PKCE of a client. */
export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

export type Form = Readonly<Record<string, string | undefined>>;

/** The authorization server on a separate port, and what clients and people do with it. */
export interface OAuthWorld {
  oauth: OAuth;
  server: HttpServer;
  url: string;
  resource: string;
  clock: FakeClock;
  log: ReturnType<typeof createMemoryLog>;
  /** The connections that were reported as ended. */
  ended: readonly number[];
  /** From another address each time, so that the limits of requests stay out of the way. */
  ask(path: string, init?: RequestInit): Promise<Answered>;
  /** A request that is right but for what is given; undefined leaves a parameter out. */
  request(changes?: Form): Record<string, string>;
  /** Posts a form as the client does, with its credentials in the body unless a header brings others. */
  post(path: string, form: Form, headers?: Record<string, string>): Promise<Answered>;
  /** A person's answer to the page. */
  decide(form: Form, headers?: Record<string, string>): Promise<Answered>;
  /** A person allows what a client asks for: the code, and what it is presented with. */
  code(changes?: Form): Promise<{ code: string; redirect_uri: string; code_verifier: string }>;
  exchange(form: Form): Promise<Answered>;
  refresh(token: string, form?: Form): Promise<Answered>;
  /** The tokens of a new connection. */
  connect(changes?: Form): Promise<Tokens>;
  /** What the bearer may do, or the refusal's status. */
  admit(token: string): Promise<readonly string[] | number>;
  connections(): Promise<Record<string, unknown>[]>;
  /** So much later, with what is due then done. */
  later(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export type Tokens = z.infer<typeof tokens>;

const tokens = z.object({
  access_token: z.string().regex(/^[\w-]{43}$/),
  token_type: z.literal("Bearer"),
  expires_in: z.number(),
  refresh_token: z.string().regex(/^[\w-]{43}$/),
  scope: z.string(),
});

export interface OAuthWorldOptions {
  database: Database;
  clock?: FakeClock;
  clientId?: string;
  clientSecret?: string;
  redirectUris?: readonly string[];
  adminToken?: string;
}

export async function startOAuthWorld(options: OAuthWorldOptions): Promise<OAuthWorld> {
  const { database, clock = createFakeClock(), clientId = CLIENT_ID, clientSecret = CLIENT_SECRET, adminToken } = options;
  const port = await takePort();
  const url = `http://127.0.0.1:${port}`;
  const resource = `${url}/mcp`;
  const log = createMemoryLog();
  const scheduler = createScheduler(clock, log);
  const tasks = watchTasks(scheduler);
  const adminAccess = adminToken === undefined ? undefined : createAdminAccess({ token: adminToken, isSecure: false, clock, log });
  const ended: number[] = [];
  const oauth = createOAuth({
    database,
    clientId,
    clientSecret,
    redirectUris: options.redirectUris ?? [REDIRECT_URI],
    baseUrl: url,
    adminAccess,
    clock,
    scheduler: tasks.scheduler,
    log,
  });
  await oauth.start({ close: (id) => void ended.push(id) });
  const server = createTestServer({
    routes: oauth.routes,
    clock: systemClock,
    log,
    config: {
      listen: { host: "127.0.0.1", port },
      baseUrl: url,
      adminToken,
      trustedProxies: { includes: (address) => address === "127.0.0.1" },
    },
  });
  await server.start();

  let asked = 0;
  const world: OAuthWorld = {
    oauth,
    ended,
    server,
    url,
    resource,
    clock,
    log,
    async ask(path, init = {}) {
      asked += 1;
      const headers = new Headers(init.headers);
      if (!headers.has("x-forwarded-for")) headers.set("x-forwarded-for", `192.0.2.${asked % 250}`);
      const answer = await fetch(url + path, { redirect: "manual", ...init, headers });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      const json = isJson ? z.record(z.string(), z.unknown()).parse(JSON.parse(text)) : {};
      return { status: answer.status, headers: answer.headers, text, json };
    },
    request: (changes = {}) =>
      given({
        response_type: "code",
        client_id: clientId,
        redirect_uri: LOOPBACK_URI,
        state: "a state & more",
        code_challenge: newVerifier().challenge,
        code_challenge_method: "S256",
        resource,
        ...changes,
      }),
    post(path, form, headers = {}) {
      const credentials = "authorization" in headers ? {} : { client_id: clientId, client_secret: clientSecret };
      return world.ask(path, { method: "POST", headers, body: new URLSearchParams(given({ ...credentials, ...form })) });
    },
    decide: (form, headers = {}) =>
      world.ask("/oauth/authorize", { method: "POST", headers, body: new URLSearchParams(given({ decision: "allow", ...form })) }),
    async code(changes = {}) {
      const { verifier, challenge } = newVerifier();
      const request = world.request({ code_challenge: challenge, ...changes });
      const answer = await world.decide({ ...request, "alerts:write": "yes", admin_token: adminToken });
      const code = new URL(locationOf(answer)).searchParams.get("code");
      assert.ok(code !== null, answer.text);
      return { code, redirect_uri: request["redirect_uri"] ?? "", code_verifier: verifier };
    },
    exchange: (form) => world.post("/oauth/token", { grant_type: "authorization_code", ...form }),
    refresh: (token, form = {}) => world.post("/oauth/token", { grant_type: "refresh_token", refresh_token: token, ...form }),
    async connect(changes) {
      return tokensOf(await world.exchange(await world.code(changes)));
    },
    async admit(token) {
      try {
        return (await oauth.access.admit(`Bearer ${token}`)).scopes;
      } catch (error) {
        return z.object({ status: z.number() }).parse(error).status;
      }
    },
    async connections() {
      const headers: Record<string, string> = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
      const { json } = await world.ask("/api/v1/mcp/connections", { headers });
      return z.object({ connections: z.array(z.record(z.string(), z.unknown())) }).parse(json).connections;
    },
    async later(ms) {
      await clock.advance(ms);
      await tasks.idle();
    },
    async stop() {
      await server.stop();
      await scheduler.stop();
    },
  };
  return world;
}

/** Fails unless the answer is that of RFC 6749, section 5.1. */
export function tokensOf({ status, headers, json, text }: Answered): Tokens {
  assert.equal(status, 200, text);
  assert.equal(headers.get("cache-control"), "no-store");
  return tokens.parse(json);
}

/** Fails unless the answer leads elsewhere. */
export function locationOf({ status, headers, text }: Answered): string {
  assert.equal(status, 303, text);
  return headers.get("location") ?? "";
}

function given(form: Form): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
