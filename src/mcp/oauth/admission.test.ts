import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { type OAuthWorld, startOAuthWorld } from "../../../test/support/oauth-world.ts";
import { openTemporaryDatabase } from "../../../test/support/temporary-database.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { createAdmission } from "./admission.ts";
import { BOUNDS, LIFETIMES } from "./connection.ts";
import { createConnectionStore } from "./connection-store.ts";
import { addressesOf } from "./metadata.ts";
import { createOAuthStore } from "./store.ts";
import type { OAuthTables } from "./rows.ts";

describe("who comes with an access token", () => {
  let database: Database;
  let world: OAuthWorld;
  before(async () => {
    database = await openTemporaryDatabase();
    world = await startOAuthWorld({ database });
  });
  after(() => world.stop());
  const refused = { name: "McpRefusal", status: 401 };

  /** Looks tokens up in the same database, counting how often; each time waits for what it is given. */
  function watchedAdmission(wait: () => Promise<void> = async () => undefined) {
    const store = createOAuthStore(database);
    const clock = createFakeClock();
    const counts = { lookups: 0 };
    const admission = createAdmission({
      store: {
        async findAccess(hash) {
          counts.lookups += 1;
          const found = await store.findAccess(hash);
          await wait();
          return found;
        },
      },
      connections: createConnectionStore(database),
      addresses: addressesOf(world.url),
      clock,
      log: silentLog,
    });
    return { admission, clock, counts };
  }

  it("is looked up once a second, and again when a connection has ended", async () => {
    const { access_token } = await world.connect();
    const { admission, clock, counts } = watchedAdmission();
    const admit = () => admission.access.admit(`Bearer ${access_token}`);
    for (let call = 0; call < 20; call += 1) await admit();
    assert.equal(counts.lookups, 1);
    await clock.advance(1000);
    await admit();
    assert.equal(counts.lookups, 2);
    admission.forget();
    await admit();
    assert.equal(counts.lookups, 3);
  });

  it("is not known for longer when the connection ends while it is looked up", async () => {
    const { access_token } = await world.connect();
    const waiting = Promise.withResolvers<void>();
    const { admission } = watchedAdmission(() => waiting.promise);
    const admitted = admission.access.admit(`Bearer ${access_token}`);
    const [connection] = await world.connections();
    await world.ask(`/api/v1/mcp/connections/${String(connection?.["id"])}`, { method: "DELETE" });
    admission.forget();
    waiting.resolve();
    await admitted;
    await assert.rejects(admission.access.admit(`Bearer ${access_token}`), refused);
  });

  it("is not looked up with what is no token", async () => {
    const { admission, counts } = watchedAdmission();
    for (const text of ["x", "x".repeat(44), `${"x".repeat(42)}'`, "x".repeat(10_000)]) {
      await assert.rejects(admission.access.admit(`Bearer ${text}`), refused);
    }
    assert.equal(counts.lookups, 0);
  });

  it("is refused what was given for another address", async () => {
    const { access_token, refresh_token } = await world.connect();
    const code = await world.code();
    const elsewhere = await startOAuthWorld({ database, clock: world.clock });
    after(elsewhere.stop);
    assert.equal(await elsewhere.admit(access_token), 401);
    assert.equal((await elsewhere.refresh(refresh_token)).json["error"], "invalid_grant");
    assert.equal((await elsewhere.exchange(code)).json["error"], "invalid_grant");
    assert.deepEqual(await world.admit(access_token), ["monitor:read"]);
  });

  it("is reported as ended however it ends, so that nothing stays open under it", async () => {
    const code = await world.code();
    const byCode = await world.exchange(code);
    await world.exchange(code);
    const byRefresh = await world.connect();
    await world.refresh(byRefresh.refresh_token);
    await world.refresh(byRefresh.refresh_token);
    const byClient = await world.connect();
    await world.post("/oauth/revoke", { token: byClient.access_token });
    await world.connect();
    const ids = (await world.connections()).slice(0, 4).map(({ id }) => Number(id));
    await world.ask(`/api/v1/mcp/connections/${ids[0]}`, { method: "DELETE" });
    assert.equal(byCode.status, 200);
    assert.deepEqual([...world.ended].slice(-4), ids.toReversed());
  });

  it("is reported as ended when another one replaces it", async () => {
    const full = await openTemporaryDatabase();
    const crowded = await startOAuthWorld({ database: full });
    after(crowded.stop);
    const first = await crowded.connect();
    const id = Number((await crowded.connections())[0]?.["id"]);
    assert.deepEqual(await crowded.admit(first.access_token), ["monitor:read"]);
    const now = crowded.clock.now().getTime();
    const row = { client_id: "assistant", client_name: null, redirect_uri: "x", scopes: "monitor:read", resource: crowded.resource };
    const times = { created_at: now, last_used_at: now + 1000, expires_at: now + LIFETIMES.refreshMs, revoked_at: null };
    const others = Array.from({ length: BOUNDS.active - 1 }, () => ({ ...row, ...times }));
    await full.tables<OAuthTables>().write((tx) => tx.insertInto("mcp_connections").values(others).execute());
    await crowded.clock.advance(1500);
    assert.deepEqual(crowded.ended, []);
    await crowded.connect();
    assert.deepEqual(crowded.ended, [id]);
    assert.equal(await crowded.admit(first.access_token), 401);
  });
});
