import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { newVerifier } from "../../../test/support/oauth-world.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import type { Scope } from "../tool.ts";
import { BOUNDS, LIFETIMES, SHOWN_MS, statusOf } from "./connection.ts";
import { createConnectionStore, type NewTokens } from "./connection-store.ts";
import type { Code, CodeUse } from "./grant.ts";
import { createOAuthStore } from "./store.ts";
import type { OAuthTables } from "./rows.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);
const newHash = (): string => randomBytes(32).toString("hex");
const newTokens = (): NewTokens => ({ accessHash: newHash(), refreshHash: newHash() });
const resource = "https://monitor.example.org/mcp";

function newCode(changes: Partial<Code> = {}): { code: Code; use: CodeUse } {
  const { verifier, challenge } = newVerifier();
  const bound = { clientId: "assistant", redirectUri: "http://localhost/cb", resource };
  const code = { ...bound, challenge, scopes: ["monitor:read"] as const, createdAt: now, expiresAt: later(LIFETIMES.codeMs), ...changes };
  return { code, use: { ...bound, verifier } };
}

onBothDatabases((databases) => {
  describe("the store of OAuth", () => {
    async function begin() {
      const opened = await databases.create();
      const store = createOAuthStore(opened);
      const connections = createConnectionStore(opened);
      const tables = opened.tables<OAuthTables>();
      const refreshUse = { clientId: "assistant", resource, scopes: undefined };
      return {
        store,
        connections,
        tables,
        refreshUse,
        async connect(at = now, scopes: readonly Scope[] = ["monitor:read"]) {
          const { code, use } = newCode({ createdAt: at, expiresAt: new Date(at.getTime() + LIFETIMES.codeMs), scopes });
          const hash = newHash();
          await store.keepCode(hash, code);
          const tokens = newTokens();
          const redeemed = await store.redeemCode(hash, use, { tokens, now: at });
          assert.ok(redeemed.verdict === "good");
          return { ...tokens, id: redeemed.connectionId, ended: redeemed.ended, codeHash: hash, use };
        },
        async count(table: keyof OAuthTables): Promise<number> {
          const row = await tables.read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as("rows"))
            .executeTakeFirstOrThrow();
          return Number(row.rows);
        },
      };
    }

    it("makes a connection and its first tokens of a code", async () => {
      const { store, connections, connect } = await begin();
      const made = await connect(now, ["monitor:read", "alerts:write"]);
      assert.deepEqual(await connections.list(), [
        {
          id: made.id,
          clientName: null,
          redirectUri: "http://localhost/cb",
          scopes: ["monitor:read", "alerts:write"],
          createdAt: now,
          lastUsedAt: null,
          expiresAt: later(LIFETIMES.refreshMs),
          revokedAt: null,
        },
      ]);
      assert.deepEqual(await store.findAccess(made.accessHash), {
        connectionId: made.id,
        clientName: null,
        scopes: ["monitor:read", "alerts:write"],
        resource,
        expiresAt: later(LIFETIMES.accessMs),
        lastUsedAt: null,
      });
      assert.equal(await store.findAccess(made.refreshHash), undefined, "a refresh token is no access token");
    });

    it("takes nothing for a code that it never gave out", async () => {
      const { store, count } = await begin();
      assert.deepEqual(await store.redeemCode(newHash(), newCode().use, { tokens: newTokens(), now }), { verdict: "refused" });
      assert.equal(await count("mcp_connections"), 0);
    });

    it("uses a code up by a wrong use", async () => {
      const { store, count } = await begin();
      const { code, use } = newCode();
      const hash = newHash();
      await store.keepCode(hash, code);
      const redeem = (with_: CodeUse) => store.redeemCode(hash, with_, { tokens: newTokens(), now });
      assert.equal((await redeem({ ...use, verifier: "v".repeat(43) })).verdict, "refused");
      assert.equal((await redeem(use)).verdict, "replayed");
      assert.equal(await count("mcp_connections"), 0);
    });

    it("ends what a code brought when it is used again", async () => {
      const { store, connections, connect } = await begin();
      const other = await connect();
      const made = await connect();
      assert.equal((await store.redeemCode(made.codeHash, made.use, { tokens: newTokens(), now: later(5) })).verdict, "replayed");
      assert.deepEqual(
        (await connections.list()).map(({ id, revokedAt }) => [id, revokedAt]),
        [
          [made.id, later(5)],
          [other.id, null],
        ],
      );
      assert.equal(await store.findAccess(made.accessHash), undefined);
      assert.ok(await store.findAccess(other.accessHash));
    });

    it("lets one of many win that use a code at once", async () => {
      const { store, connections, count } = await begin();
      const { code, use } = newCode();
      await store.keepCode("code", code);
      const uses = await Promise.all(Array.from({ length: 10 }, () => store.redeemCode("code", use, { tokens: newTokens(), now })));
      assert.equal(uses.filter(({ verdict }) => verdict === "good").length, 1);
      assert.deepEqual(
        (await connections.list()).map(({ revokedAt }) => revokedAt),
        [now],
      );
      assert.equal(await count("mcp_tokens"), 0);
    });

    it("replaces refresh tokens, and ends the connection by one that was replaced", async () => {
      const { store, connections, connect, refreshUse } = await begin();
      const made = await connect();
      const second = newTokens();
      const redeemed = await store.rotate(made.refreshHash, refreshUse, { tokens: second, now: later(1000) });
      assert.deepEqual(redeemed, { verdict: "good", connectionId: made.id, scopes: ["monitor:read"], ended: [] });
      assert.deepEqual((await connections.list())[0]?.expiresAt, later(1000 + LIFETIMES.refreshMs));
      assert.ok(await store.findAccess(second.accessHash));
      assert.equal((await store.rotate(made.refreshHash, refreshUse, { tokens: newTokens(), now: later(2000) })).verdict, "replayed");
      for (const { accessHash } of [made, second]) assert.equal(await store.findAccess(accessHash), undefined);
      assert.equal((await store.rotate(second.refreshHash, refreshUse, { tokens: newTokens(), now: later(3000) })).verdict, "refused");
    });

    it("lets one of many win that use a refresh token at once", async () => {
      const { store, connect, refreshUse, count } = await begin();
      const made = await connect();
      const uses = await Promise.all(
        Array.from({ length: 10 }, () => store.rotate(made.refreshHash, refreshUse, { tokens: newTokens(), now })),
      );
      assert.equal(uses.filter(({ verdict }) => verdict === "good").length, 1);
      assert.equal(await count("mcp_tokens"), 0);
    });

    it("narrows the access token of a refresh, not the refresh token; widens neither", async () => {
      const { store, connect, refreshUse } = await begin();
      const made = await connect(now, ["monitor:read", "alerts:write"]);
      const second = newTokens();
      await store.rotate(made.refreshHash, { ...refreshUse, scopes: ["monitor:read"] }, { tokens: second, now });
      assert.deepEqual((await store.findAccess(second.accessHash))?.scopes, ["monitor:read"]);
      const third = newTokens();
      await store.rotate(second.refreshHash, refreshUse, { tokens: third, now });
      assert.deepEqual((await store.findAccess(third.accessHash))?.scopes, ["monitor:read", "alerts:write"]);
      const reader = await connect();
      const asked = { ...refreshUse, scopes: ["monitor:read", "alerts:write"] as const };
      assert.equal((await store.rotate(reader.refreshHash, asked, { tokens: newTokens(), now })).verdict, "too_wide");
      assert.equal(
        (await store.rotate(reader.refreshHash, refreshUse, { tokens: newTokens(), now })).verdict,
        "good",
        "it was not used up",
      );
    });

    it("ends connections by any of their tokens, or by their id, once", async () => {
      const { store, connections, connect, refreshUse } = await begin();
      const made = await connect();
      const second = newTokens();
      await store.rotate(made.refreshHash, refreshUse, { tokens: second, now });
      const hashes = [second.accessHash, second.refreshHash, made.accessHash, made.refreshHash];
      assert.equal(await store.endByToken(second.accessHash, "another client", now), undefined);
      assert.ok(await store.findAccess(second.accessHash));
      assert.equal(await store.endByToken(made.refreshHash, "assistant", later(1)), made.id);
      for (const hash of hashes) assert.equal(await store.endByToken(hash, "assistant", later(2)), undefined);
      assert.equal(await connections.end(made.id, later(3)), true);
      assert.deepEqual((await connections.list())[0]?.revokedAt, later(1), "it ended when it ended first");
      assert.equal(await connections.end(made.id + 1, now), false);
    });

    it("ends all connections when the client is another, and only then", async () => {
      const { store, connections, connect } = await begin();
      const client = { id: "assistant", secretHash: newHash() };
      assert.equal(await store.adopt(client, now), 0);
      const made = await connect();
      const { code, use } = newCode();
      await store.keepCode("open", code);
      assert.equal(await store.adopt(client, later(1)), 0);
      assert.ok(await store.findAccess(made.accessHash));
      assert.equal(await store.adopt({ ...client, secretHash: newHash() }, later(2)), 1);
      assert.equal(await store.findAccess(made.accessHash), undefined);
      assert.equal((await store.redeemCode("open", use, { tokens: newTokens(), now })).verdict, "refused");
      await connect();
      assert.equal(await store.adopt({ ...client, id: "other" }, later(3)), 1);
      assert.ok((await connections.list()).every(({ revokedAt }) => revokedAt !== null));
    });

    it("purges what has expired, and connections long after their end", async () => {
      const { connections, connect, count, store } = await begin();
      const made = await connect();
      await store.keepCode("unused", newCode().code);
      const purge = (at: Date) => connections.purge(at, new Date(at.getTime() - SHOWN_MS));
      const left = async () => [await count("mcp_codes"), await count("mcp_tokens"), await count("mcp_connections")];
      assert.equal(await purge(later(LIFETIMES.codeMs - 1)), false);
      assert.deepEqual(await left(), [2, 2, 1]);
      await purge(later(LIFETIMES.codeMs));
      assert.deepEqual(await left(), [0, 2, 1]);
      await purge(later(LIFETIMES.accessMs));
      assert.deepEqual(await left(), [0, 1, 1]);
      await purge(later(LIFETIMES.refreshMs));
      assert.deepEqual(await left(), [0, 0, 1]);
      await purge(later(LIFETIMES.refreshMs + SHOWN_MS));
      assert.deepEqual(await left(), [0, 0, 1]);
      await purge(later(LIFETIMES.refreshMs + SHOWN_MS + 1));
      assert.deepEqual(await left(), [0, 0, 0]);
      assert.equal(await connections.end(made.id, now), false);
    });

    it("purges any number, a part at a time", async () => {
      const { connections, tables, count } = await begin();
      const tokens = Array.from({ length: 1200 }, () => ({
        hash: newHash(),
        connection_id: 1,
        kind: "access" as const,
        scopes: "monitor:read",
      }));
      const times = { created_at: 0, expires_at: 1, consumed_at: null };
      await tables.write((tx) =>
        tx
          .insertInto("mcp_tokens")
          .values(tokens.map((each) => ({ ...each, ...times })))
          .execute(),
      );
      let parts = 1;
      while (await connections.purge(now, now)) parts += 1;
      assert.equal(parts, 3);
      assert.equal(await count("mcp_tokens"), 0);
    });

    it("keeps a bounded number of codes; the oldest that nobody used are removed", async () => {
      const { store, tables, connect, count } = await begin();
      const made = await connect(later(-1000));
      const rows = Array.from({ length: BOUNDS.codes }, (_, index) => ({
        hash: `code ${index}`,
        client_id: "assistant",
        redirect_uri: "http://localhost/",
        challenge: "x",
        scopes: "monitor:read",
        resource,
        created_at: now.getTime() + index,
        expires_at: later(LIFETIMES.codeMs).getTime(),
        consumed_at: null,
        connection_id: null,
      }));
      await tables.write((tx) => tx.insertInto("mcp_codes").values(rows).execute());
      await store.keepCode("another", newCode({ createdAt: later(5000) }).code);
      assert.equal(await count("mcp_codes"), BOUNDS.codes + 1, "and the used one");
      const gone = await tables.read.selectFrom("mcp_codes").select("hash").where("hash", "in", ["code 0", "code 1", "another"]).execute();
      assert.deepEqual(gone.map(({ hash }) => hash).toSorted(), ["another", "code 1"]);
      assert.equal((await store.redeemCode(made.codeHash, made.use, { tokens: newTokens(), now })).verdict, "replayed");
    });

    it("keeps a bounded number of a connection's access tokens; the latest stay", async () => {
      const { store, tables, connect, refreshUse } = await begin();
      let { refreshHash, accessHash } = await connect();
      const first = accessHash;
      for (let use = 1; use <= BOUNDS.accessTokens; use += 1) {
        const tokens = newTokens();
        const { verdict } = await store.rotate(refreshHash, refreshUse, { tokens, now: later(use) });
        assert.equal(verdict, "good");
        ({ refreshHash, accessHash } = tokens);
      }
      const kept = await tables.read.selectFrom("mcp_tokens").select("hash").where("kind", "=", "access").execute();
      assert.equal(kept.length, BOUNDS.accessTokens);
      assert.equal(await store.findAccess(first), undefined);
      assert.ok(await store.findAccess(accessHash));
    });

    it("keeps a bounded number of connections; those not used for long end, those that ended go", async () => {
      const { tables, connections, connect } = await begin();
      const row = { client_id: "assistant", client_name: null, redirect_uri: "x", scopes: "monitor:read", resource };
      const times = { expires_at: later(LIFETIMES.refreshMs).getTime(), created_at: now.getTime() - 1000, last_used_at: null };
      const active = Array.from({ length: BOUNDS.active }, (_, index) => ({
        ...row,
        ...times,
        last_used_at: index === 0 ? null : now.getTime() + index,
        revoked_at: null,
      }));
      const ended = Array.from({ length: BOUNDS.connections - BOUNDS.active }, (_, index) => ({
        ...row,
        ...times,
        created_at: index,
        revoked_at: now.getTime(),
      }));
      for (const rows of [active, ended]) await tables.write((tx) => tx.insertInto("mcp_connections").values(rows).execute());
      const idle = Math.min(...(await connections.list()).filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id));
      const made = await connect();
      assert.deepEqual(made.ended, [idle]);
      const listed = await connections.list();
      assert.equal(listed.length, BOUNDS.connections);
      assert.equal(listed.filter((each) => statusOf(each, now) === "active").length, BOUNDS.active);
      assert.equal(listed.find(({ id }) => id === idle)?.revokedAt?.getTime(), now.getTime());
      assert.equal(listed[0]?.id, made.id);
      assert.equal(
        listed.some(({ createdAt }) => createdAt.getTime() === 0),
        false,
        "the oldest that ended is gone",
      );
    });
  });
});
