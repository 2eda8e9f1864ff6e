import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  locationOf,
  LOOPBACK_URI,
  newVerifier,
  startOAuthWorld,
  tokensOf,
} from "../../../test/support/oauth-world.ts";
import type { Database } from "../../storage/database.ts";
import { openAccess } from "../access.ts";

/** All that is stored of OAuth, as text. */
async function stored(database: Database): Promise<string> {
  const names = ["mcp_client", "mcp_connections", "mcp_codes", "mcp_tokens"];
  const parts = names.map((name) => sql`SELECT * FROM ${sql.table(name)}`.execute(database.tables<object>().read));
  return JSON.stringify((await Promise.all(parts)).map(({ rows }) => rows));
}

async function countTokens(database: Database): Promise<number> {
  const { rows } = await sql<{ rows: number }>`SELECT COUNT(*) AS rows FROM mcp_tokens`.execute(database.tables<object>().read);
  return Number(rows[0]?.rows);
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

onBothDatabases((databases) => {
  describe("the specification, MCP authentication", () => {
    const start = async (options = {}) => startOAuthWorld({ database: await databases.create(), ...options });

    it("rule 2: unauthenticated MCP, where it is permitted, may look and no more", async () => {
      assert.deepEqual(await openAccess.admit(undefined), { id: null, scopes: ["monitor:read"], clientName: null });
    });

    it("rule 3: with credentials, /mcp requires a bearer token", async (t) => {
      const world = await start();
      t.after(world.stop);
      const { access_token, refresh_token } = await world.connect();
      assert.deepEqual(await world.admit(access_token), ["monitor:read"]);
      const metadata = `resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp", scope="monitor:read"`;
      for (const [authorization, challenge] of [
        [undefined, `Bearer ${metadata}`],
        ["", `Bearer ${metadata}`],
        [`Basic ${Buffer.from("assistant:x").toString("base64")}`, `Bearer ${metadata}`],
        ["Bearer nonsense", `Bearer error="invalid_token", ${metadata}`],
        [`Bearer ${"x".repeat(43)}`, `Bearer error="invalid_token", ${metadata}`],
        [`Bearer ${refresh_token}`, `Bearer error="invalid_token", ${metadata}`],
        [`Bearer ${access_token} x`, `Bearer error="invalid_token", ${metadata}`],
        [access_token, `Bearer ${metadata}`],
      ]) {
        await assert.rejects(
          world.oauth.access.admit(authorization),
          { name: "McpRefusal", status: 401, challenge },
          String(authorization),
        );
      }
    });

    it("rule 3: PKCE with S256 is mandatory on every authorization request", async (t) => {
      const world = await start();
      t.after(world.stop);
      const { challenge } = newVerifier();
      for (const changes of [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge: undefined },
        { code_challenge: challenge, code_challenge_method: undefined },
        { code_challenge: challenge, code_challenge_method: "plain" },
      ]) {
        const answer = await world.decide(world.request(changes));
        const { searchParams } = new URL(locationOf(answer));
        assert.deepEqual([searchParams.get("error"), searchParams.get("code")], ["invalid_request", null]);
      }
      const { code, redirect_uri } = await world.code();
      for (const code_verifier of [undefined, newVerifier().verifier]) {
        const { status, json } = await world.exchange({ code, redirect_uri, code_verifier });
        assert.deepEqual([status, json["error"]], [400, code_verifier === undefined ? "invalid_request" : "invalid_grant"]);
      }
    });

    it("rule 4: tokens are opaque, 32 bytes of chance, and stored as SHA-256 alone", async (t) => {
      const database = await databases.create();
      const world = await startOAuthWorld({ database });
      t.after(world.stop);
      const used = await world.code();
      const tokens = tokensOf(await world.exchange(used));
      const { code: unused } = await world.code();
      const secrets = [used.code, unused, tokens.access_token, tokens.refresh_token];
      for (const secret of secrets) assert.equal(Buffer.from(secret, "base64url").length, 32);
      const text = await stored(database);
      for (const secret of [...secrets, CLIENT_SECRET]) {
        assert.ok(!text.includes(secret), "in clear");
        assert.ok(text.includes(sha256(secret)), "as its hash");
      }
      const written = JSON.stringify(world.log.lines) + JSON.stringify(await world.connections());
      for (const secret of [...secrets, ...secrets.map(sha256), CLIENT_SECRET, sha256(CLIENT_SECRET)]) assert.ok(!written.includes(secret));
    });

    it("rule 4: the client proves to be it by its secret", async (t) => {
      const world = await start();
      t.after(world.stop);
      const code = await world.code();
      for (const client_secret of ["", "x", CLIENT_SECRET.slice(1), `${CLIENT_SECRET}x`, sha256(CLIENT_SECRET)]) {
        const { status, json, headers } = await world.exchange({ ...code, client_secret });
        assert.deepEqual([status, json["error"]], [401, "invalid_client"]);
        assert.match(headers.get("www-authenticate") ?? "", /^Basic /);
      }
      tokensOf(await world.exchange(code));
    });

    it("rule 5: codes live 10 minutes, access tokens 1 hour, refresh tokens 30 days", async (t) => {
      const world = await start();
      t.after(world.stop);
      const late = await world.code();
      await world.clock.advance(9 * MINUTE_MS + 59_999);
      const intime = await world.code();
      await world.clock.advance(1);
      assert.equal((await world.exchange(late)).json["error"], "invalid_grant");
      const tokens = tokensOf(await world.exchange(intime));
      assert.equal(tokens.expires_in, 3600);
      await world.clock.advance(60 * MINUTE_MS - 1);
      assert.deepEqual(await world.admit(tokens.access_token), ["monitor:read"]);
      await world.clock.advance(1);
      assert.equal(await world.admit(tokens.access_token), 401);
      world.clock.jump(new Date(world.clock.now().getTime() + 30 * DAY_MS - 60 * MINUTE_MS - 1));
      const renewed = tokensOf(await world.refresh(tokens.refresh_token));
      assert.deepEqual(await world.admit(renewed.access_token), ["monitor:read"]);
      world.clock.jump(new Date(world.clock.now().getTime() + 30 * DAY_MS));
      assert.equal((await world.refresh(renewed.refresh_token)).json["error"], "invalid_grant");
      assert.equal((await world.connections())[0]?.["status"], "expired");
    });

    it("rule 5: each refresh invalidates the used token", async (t) => {
      const world = await start();
      t.after(world.stop);
      const first = await world.connect();
      const second = tokensOf(await world.refresh(first.refresh_token));
      assert.notEqual(second.refresh_token, first.refresh_token);
      assert.notEqual(second.access_token, first.access_token);
      tokensOf(await world.refresh(second.refresh_token));
      assert.equal((await world.refresh(first.refresh_token)).json["error"], "invalid_grant");
    });

    it("rule 5: reusing a consumed refresh token revokes the whole family, at once, and no other", async (t) => {
      const world = await start();
      t.after(world.stop);
      const other = await world.connect();
      const first = await world.connect();
      const second = tokensOf(await world.refresh(first.refresh_token));
      for (const { access_token } of [first, second]) assert.deepEqual(await world.admit(access_token), ["monitor:read"]);
      assert.equal((await world.refresh(first.refresh_token)).status, 400);
      for (const { access_token } of [first, second]) assert.equal(await world.admit(access_token), 401);
      assert.equal((await world.refresh(second.refresh_token)).json["error"], "invalid_grant");
      assert.deepEqual(await world.admit(other.access_token), ["monitor:read"]);
      assert.deepEqual(
        (await world.connections()).map(({ status }) => status),
        ["revoked", "active"],
      );
    });

    it("rule 5: a code that is used twice ends the family it brought", async (t) => {
      const world = await start();
      t.after(world.stop);
      const code = await world.code();
      const { access_token, refresh_token } = tokensOf(await world.exchange(code));
      assert.deepEqual(await world.admit(access_token), ["monitor:read"]);
      const { status, json } = await world.exchange(code);
      assert.deepEqual([status, json["error"]], [400, "invalid_grant"]);
      assert.equal(await world.admit(access_token), 401);
      assert.equal((await world.refresh(refresh_token)).json["error"], "invalid_grant");
    });

    it("rule 5: expired tokens are purged every 15 minutes", async (t) => {
      const database = await databases.create();
      const world = await startOAuthWorld({ database });
      t.after(world.stop);
      await world.connect();
      for (let quarter = 1; quarter <= 4; quarter += 1) await world.later(15 * MINUTE_MS);
      assert.equal(await countTokens(database), 2);
      await world.later(15 * MINUTE_MS);
      assert.equal(await countTokens(database), 1);
      world.clock.jump(new Date(world.clock.now().getTime() + 30 * DAY_MS));
      await world.later(15 * MINUTE_MS);
      assert.equal(await countTokens(database), 0);
    });

    it("rule 7: tokens are asked for by grant_type, code, redirect_uri and code_verifier, or refresh_token and scope", async (t) => {
      const world = await start();
      t.after(world.stop);
      for (const [form, error] of [
        [{}, "invalid_request"],
        [{ grant_type: "password" }, "unsupported_grant_type"],
        [{ grant_type: "client_credentials" }, "unsupported_grant_type"],
        [{ grant_type: "authorization_code" }, "invalid_request"],
        [{ grant_type: "refresh_token" }, "invalid_request"],
        [{ grant_type: "refresh_token", refresh_token: "x".repeat(43) }, "invalid_grant"],
        [{ grant_type: "refresh_token", refresh_token: "x", scope: "root" }, "invalid_scope"],
        [{ grant_type: "refresh_token", refresh_token: "x", resource: "https://other.example.org/mcp" }, "invalid_target"],
      ] as const) {
        const { status, json, headers } = await world.post("/oauth/token", form);
        assert.deepEqual([status, json["error"], headers.get("cache-control")], [400, error, "no-store"], JSON.stringify(form));
        assert.deepEqual(Object.keys(json), ["error", "error_description"]);
      }
      const code = await world.code();
      for (const left of ["code", "redirect_uri", "code_verifier"]) {
        const { status, json } = await world.exchange({ ...code, [left]: undefined });
        assert.deepEqual([status, json["error"]], [400, "invalid_request"], left);
      }
      tokensOf(await world.exchange({ ...code, resource: world.resource }));
    });

    it("rule 7: the scopes are monitor:read, which is the default, and alerts:write", async (t) => {
      const world = await start();
      t.after(world.stop);
      const reader = await world.connect();
      assert.equal(reader.scope, "monitor:read");
      const both = await world.connect({ scope: "alerts:write monitor:read" });
      assert.equal(both.scope, "monitor:read alerts:write");
      assert.deepEqual(await world.admit(both.access_token), ["monitor:read", "alerts:write"]);
      const narrow = tokensOf(await world.refresh(both.refresh_token, { scope: "monitor:read" }));
      assert.deepEqual([narrow.scope, await world.admit(narrow.access_token)], ["monitor:read", ["monitor:read"]]);
      assert.equal(tokensOf(await world.refresh(narrow.refresh_token)).scope, "monitor:read alerts:write");
      const wider = await world.refresh(reader.refresh_token, { scope: "monitor:read alerts:write" });
      assert.deepEqual([wider.status, wider.json["error"]], [400, "invalid_scope"]);
      tokensOf(await world.refresh(reader.refresh_token));
    });

    it("bad input: a code with another redirect_uri, verifier or client is refused, and used up", async (t) => {
      const world = await start();
      t.after(world.stop);
      for (const [wrong, status] of [
        [{ redirect_uri: "http://127.0.0.1:33419/callback" }, 400],
        [{ redirect_uri: `${LOOPBACK_URI}/` }, 400],
        [{ code_verifier: newVerifier().verifier }, 400],
      ] as const) {
        const code = await world.code();
        const refused = await world.exchange({ ...code, ...wrong });
        assert.deepEqual([refused.status, refused.json["error"]], [status, "invalid_grant"]);
        assert.equal((await world.exchange(code)).json["error"], "invalid_grant");
      }
      const code = await world.code();
      const stranger = await world.exchange({ ...code, client_id: "stranger" });
      assert.deepEqual([stranger.status, stranger.json["error"]], [401, "invalid_client"]);
      tokensOf(await world.exchange(code));
    });

    it("bad input: another client's code and refresh token are worth nothing", async (t) => {
      const database = await databases.create();
      const before = await startOAuthWorld({ database, clientId: "the client before" });
      t.after(before.stop);
      const old = await before.connect();
      const waiting = await before.code();
      const world = await startOAuthWorld({ database, clock: before.clock });
      t.after(world.stop);
      assert.equal(await world.admit(old.access_token), 401);
      assert.equal((await world.exchange(waiting)).json["error"], "invalid_grant");
      assert.equal((await world.refresh(old.refresh_token)).json["error"], "invalid_grant");
      // The program before may still run: its codes are bound to its own client.
      assert.equal((await world.exchange(await before.code())).json["error"], "invalid_grant");
      assert.ok(world.log.lines.some(({ level, message }) => level === "warn" && message.includes("has changed")));
    });

    it("bad input: a refusal does not reveal whether something exists", async (t) => {
      const world = await start();
      t.after(world.stop);
      const code = await world.code();
      const used = await world.code();
      const { refresh_token, access_token } = tokensOf(await world.exchange(used));
      tokensOf(await world.refresh(refresh_token));
      const codes = [{ ...code, code: "x".repeat(43) }, { ...code, code: "x" }, { ...code, redirect_uri: "http://localhost/" }, used];
      const refreshes = ["x".repeat(43), "x", access_token, used.code, refresh_token];
      for (const answers of [
        await Promise.all(codes.map((form) => world.exchange(form))),
        await Promise.all(refreshes.map((token) => world.refresh(token))),
      ]) {
        assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
        assert.equal(answers[0]?.status, 400);
      }
    });

    it("bad input: nothing is taken from the address", async (t) => {
      const world = await start();
      t.after(world.stop);
      const { access_token, refresh_token } = await world.connect();
      const form = { grant_type: "refresh_token", refresh_token };
      for (const [query, body] of [
        [form, {}],
        [{ refresh_token }, { grant_type: "refresh_token" }],
        // Also where the body has all that is needed: what stands in the address is known to others.
        [{ client_id: CLIENT_ID }, form],
      ] as const) {
        const answer = await world.post(`/oauth/token?${new URLSearchParams(query)}`, body);
        assert.deepEqual([answer.status, answer.json["error"]], [400, "invalid_request"]);
      }
      const revoked = await world.post(`/oauth/revoke?token=${access_token}`, { token: access_token });
      assert.deepEqual([revoked.status, revoked.json["error"]], [400, "invalid_request"]);
      assert.deepEqual(await world.admit(access_token), ["monitor:read"]);
      await assert.rejects(world.oauth.access.admit(undefined), { status: 401 });
      tokensOf(await world.refresh(refresh_token));
    });
  });
});
