import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  locationOf,
  LOOPBACK_URI,
  type OAuthWorld,
  startOAuthWorld,
  tokensOf,
} from "../../../test/support/oauth-world.ts";
import { openTemporaryDatabase } from "../../../test/support/temporary-database.ts";
import { until } from "../../../test/support/until.ts";

const TOKENS = ["/oauth/token", "/oauth/revoke"];
const FORM = { "content-type": "application/x-www-form-urlencoded" };

const insecure = { [oauth.allowInsecureRequests]: true };

describe("clients of the authorization server", () => {
  let world: OAuthWorld;
  before(async () => {
    world = await startOAuthWorld({ database: await openTemporaryDatabase() });
  });
  after(() => world.stop());

  for (const [name, authentication] of [
    ["client_secret_basic", oauth.ClientSecretBasic(CLIENT_SECRET)],
    ["client_secret_post", oauth.ClientSecretPost(CLIENT_SECRET)],
  ] as const) {
    it(`oauth4webapi discovers, is authorized, refreshes and revokes with ${name}`, async () => {
      const resource = new URL(world.resource);
      const described = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, insecure));
      const issuer = new URL(described.authorization_servers?.[0] ?? "");
      const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
      const server = await oauth.processDiscoveryResponse(issuer, discovered);
      const client = { client_id: CLIENT_ID };

      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const address = new URL(server.authorization_endpoint ?? "");
      const request = {
        response_type: "code",
        client_id: CLIENT_ID,
        redirect_uri: LOOPBACK_URI,
        state,
        scope: "monitor:read alerts:write",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        resource: world.resource,
      };
      address.search = new URLSearchParams(request).toString();
      const page = await world.ask(address.pathname + address.search);
      const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
      const fields = Object.fromEntries(hidden.map(([, key = "", value = ""]) => [key, value.replaceAll("&#38;", "&")]));
      const location = new URL(locationOf(await world.decide({ ...fields, "alerts:write": "yes" })));

      const callback = oauth.validateAuthResponse(server, client, location, state);
      const exchanged = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        callback,
        LOOPBACK_URI,
        verifier,
        insecure,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
      assert.deepEqual([tokens.token_type, tokens.expires_in, tokens.scope], ["bearer", 3600, "monitor:read alerts:write"]);
      assert.deepEqual(await world.admit(tokens.access_token), ["monitor:read", "alerts:write"]);

      const asked = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? "", insecure);
      const renewed = await oauth.processRefreshTokenResponse(server, client, asked);
      assert.deepEqual(await world.admit(renewed.access_token), ["monitor:read", "alerts:write"]);

      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authentication, renewed.access_token, insecure));
      for (const { access_token } of [tokens, renewed]) assert.equal(await world.admit(access_token), 401);
      const again = await oauth.refreshTokenGrantRequest(server, client, authentication, renewed.refresh_token ?? "", insecure);
      await assert.rejects(oauth.processRefreshTokenResponse(server, client, again), { error: "invalid_grant" });
    });
  }

  it("may read the metadata from any origin, and nothing else of this server", async () => {
    const origin = { origin: "https://inspector.example.org" };
    for (const path of ["oauth-authorization-server", "oauth-protected-resource", "oauth-protected-resource/mcp"]) {
      const { status, headers } = await world.ask(`/.well-known/${path}`, { headers: origin });
      assert.deepEqual([status, headers.get("access-control-allow-origin")], [200, "*"], path);
    }
    const answer = await world.ask("/oauth/token", { method: "POST", headers: origin, body: new URLSearchParams({ grant_type: "x" }) });
    assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [403, null]);
  });

  it("authenticate by one method, and get the errors of RFC 6749", async () => {
    const { refresh_token } = await world.connect();
    const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${secret}`).toString("base64")}` });
    const form = { grant_type: "refresh_token", refresh_token };
    for (const [status, error, more, headers] of [
      [401, "invalid_client", {}, basic("wrong")],
      [401, "invalid_client", { client_id: undefined, client_secret: undefined }, {}],
      [400, "invalid_request", { client_secret: CLIENT_SECRET }, basic(encodeURIComponent(CLIENT_SECRET))],
      [400, "invalid_request", { client_id: "another" }, basic(encodeURIComponent(CLIENT_SECRET))],
    ] as const) {
      for (const path of ["/oauth/token", "/oauth/revoke"]) {
        const answer = await world.post(path, { ...form, token: refresh_token, ...more }, headers);
        assert.deepEqual([answer.status, answer.json["error"]], [status, error]);
        assert.equal(answer.headers.get("www-authenticate")?.startsWith("Basic ") === true, status === 401);
      }
    }
    const json = await world.ask("/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(form),
    });
    assert.deepEqual([json.status, json.json["error"]], [401, "invalid_client"]);
    const twice = `grant_type=refresh_token&refresh_token=${refresh_token}&refresh_token=${refresh_token}`;
    const repeated = await world.ask("/oauth/token", {
      method: "POST",
      headers: basic(encodeURIComponent(CLIENT_SECRET)),
      body: new URLSearchParams(twice),
    });
    assert.deepEqual([repeated.status, repeated.json["error"]], [400, "invalid_request"]);
    const long = await world.post("/oauth/token", { ...form, padding: "x".repeat(20_000) });
    assert.deepEqual([long.status, long.json["error"]], [400, "invalid_request"]);
    tokensOf(await world.refresh(refresh_token));
  });

  it("end their connection by any of its tokens, and get the same answer for unknown tokens", async () => {
    for (const which of ["access_token", "refresh_token"] as const) {
      const tokens = await world.connect();
      const answers = [];
      for (const form of [{ token: "unknown" }, { token: tokens[which], token_type_hint: "nonsense" }, { token: tokens[which] }]) {
        answers.push(await world.post("/oauth/revoke", form));
      }
      assert.deepEqual(
        answers.map(({ status, text }) => [status, text]),
        [1, 2, 3].map(() => [200, ""]),
      );
      assert.equal(await world.admit(tokens.access_token), 401);
      assert.equal((await world.refresh(tokens.refresh_token)).json["error"], "invalid_grant");
    }
    assert.equal((await world.post("/oauth/revoke", {})).json["error"], "invalid_request");
  });

  it("win one of ten exchanges of one code at once", async () => {
    const code = await world.code();
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.exchange(code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ json }) => json["error"] === "invalid_grant").length, 9);
  });

  it("are listed, named once they say who they are, and ended by the operator at once", async () => {
    const tokens = await world.connect({ scope: "monitor:read alerts:write" });
    const [listed] = await world.connections();
    const id = Number(listed?.["id"]);
    const createdAt = world.clock.now();
    assert.deepEqual(listed, {
      id,
      client_name: null,
      redirect_uri: LOOPBACK_URI,
      scopes: ["monitor:read", "alerts:write"],
      created_at: createdAt.toISOString(),
      last_used_at: null,
      expires_at: new Date(createdAt.getTime() + 30 * 86_400_000).toISOString(),
      status: "active",
    });
    assert.deepEqual(await world.oauth.access.admit(`bearer ${tokens.access_token}`), {
      id,
      scopes: ["monitor:read", "alerts:write"],
      clientName: null,
    });
    world.oauth.noteClient(id, " An\u001b[31m assistant\u202e ");
    const named = await until(async () => (await world.connections()).find((each) => each["client_name"] !== null));
    assert.deepEqual([named["id"], named["client_name"], named["last_used_at"]], [id, "An assistant", createdAt.toISOString()]);
    assert.equal((await world.oauth.access.admit(`Bearer ${tokens.access_token}`)).clientName, "An assistant");

    for (const status of [204, 204]) {
      assert.equal((await world.ask(`/api/v1/mcp/connections/${id}`, { method: "DELETE" })).status, status);
      assert.equal(await world.admit(tokens.access_token), 401);
    }
    assert.equal((await world.connections())[0]?.["status"], "revoked");
    assert.equal((await world.ask(`/api/v1/mcp/connections/${id + 1}`, { method: "DELETE" })).status, 404);
    assert.equal((await world.ask("/api/v1/mcp/connections/x", { method: "DELETE" })).status, 400);
  });

  it("have their last use saved once a minute", async () => {
    const tokens = await world.connect();
    const id = (await world.connections())[0]?.["id"];
    const lastUse = async () => (await world.connections()).find((each) => each["id"] === id)?.["last_used_at"];
    const used = async () => {
      await world.admit(tokens.access_token);
      return world.clock.now().toISOString();
    };
    const first = await used();
    await until(async () => (await lastUse()) === first);
    await world.clock.advance(59_999);
    await used();
    // What is saved after it was saved after it.
    await world.connect();
    assert.equal(await lastUse(), first);
    await world.clock.advance(1);
    const second = await used();
    await until(async () => (await lastUse()) === second);
  });

  it("are shown which scopes they lack, and how to ask for them", () => {
    const refusal = world.oauth.access.insufficient(["monitor:read", "alerts:write"]);
    assert.equal(refusal.status, 403);
    assert.equal(
      refusal.challenge,
      `Bearer error="insufficient_scope", resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp", scope="monitor:read alerts:write"`,
    );
  });

  it("that send too many parameters are refused before they are asked who they are", async () => {
    const body = "a&".repeat(8_000);
    for (const path of TOKENS) {
      const { status, json } = await world.ask(path, { method: "POST", body, headers: FORM });
      assert.deepEqual([status, json["error"], json["error_description"]], [400, "invalid_request", "There are more than 50 parameters."]);
    }
    for (const answer of [
      await world.ask("/oauth/authorize", { method: "POST", body, headers: FORM }),
      await world.ask(`/oauth/authorize?${"resource=x&".repeat(51)}`),
    ]) {
      assert.deepEqual(
        [answer.status, answer.json["error"]],
        [400, { code: "invalid_request", message: "There are more than 50 parameters." }],
      );
    }
  });
});
