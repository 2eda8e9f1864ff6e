import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import type { Kysely } from "kysely";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { HELLO, STALE_MS, startFleet } from "../../../test/support/fleet.ts";
import { until } from "../../../test/support/until.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Database } from "../../storage/database.ts";
import type { AgentTables } from "./store.ts";

const withCode = (code: string) => (error: unknown) => isServiceError(error) && error.code === code;

/** Until all units of writing that were begun are over, and their callers have continued. */
async function written(database: Database): Promise<void> {
  await database.tables<AgentTables>().write((tx) => tx.selectFrom("agents").select("id").limit(1).execute());
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

onBothDatabases((databases) => {
  describe("agents", () => {
    const begin = async () => {
      const clock = createFakeClock();
      const database = await databases.create();
      const fleet = await startFleet({ database, clock });
      const id = await fleet.enroll();
      /** Until what was noted is saved and published. */
      const settle = async (): Promise<void> => {
        await clock.advance(1_000);
        await written(database);
      };
      const lastSeenSaved = async (): Promise<number | undefined> => {
        const row = await database.tables<AgentTables>().read.selectFrom("agents").select("last_seen_at").executeTakeFirst();
        return row?.last_seen_at;
      };
      return { clock, database, fleet, id, settle, lastSeenSaved };
    };

    it("are connected while what they reported is saved, and within the threshold after", async () => {
      const { fleet, id, clock, settle } = await begin();
      const { register, service } = fleet.agents;
      register.connected(id, HELLO, 2_000);
      await settle();
      const taken = register.taking(id);
      await clock.advance(10 * STALE_MS);
      await settle();
      assert.equal(service.get(id).connection_state, "connected");
      taken();
      register.seen(id, 3);
      register.disconnected(id);
      const seenAt = clock.now();
      await clock.advance(STALE_MS - 1_000);
      await settle();
      assert.equal(service.get(id).connection_state, "connected");
      assert.deepEqual(fleet.published("agent.disconnected"), []);
      await settle();
      const lost = service.get(id);
      assert.deepEqual([lost.connection_state, lost.last_seen_at, lost.clock_offset_ms], ["disconnected", seenAt.toISOString(), 2_000]);
      assert.deepEqual([fleet.agents.clockOffsetOf(id), fleet.agents.clockOffsetOf("nobody")], [2_000, 0]);
      assert.deepEqual([fleet.agents.isDisconnected(id), fleet.agents.isDisconnected("nobody")], [true, false]);
      const [event] = fleet.published("agent.disconnected");
      assert.deepEqual([event?.id, event?.agent_id, event?.lost, event?.since, event?.name], [id, id, true, seenAt.toISOString(), "ark"]);
      assert.deepEqual(
        fleet.agents.announce().map(({ type }) => type),
        ["agent.disconnected"],
      );
      register.connected(id, HELLO, 0);
      await settle();
      assert.deepEqual([service.get(id).connection_state, fleet.agents.isDisconnected(id)], ["connected", false]);
      assert.deepEqual(
        fleet.published("agent.connected").map(({ lost: isLost, previous_connection_state: before }) => [isLost, before]),
        [[false, "disconnected"]],
      );
      assert.deepEqual(fleet.agents.announce(), []);
      assert.equal(fleet.published("agent.disconnected").length, 1);
    });

    it("have the clock that their messages show, while their streams last", async () => {
      const { fleet, id, settle } = await begin();
      const { register, service } = fleet.agents;
      register.connected(id, HELLO, 2_000);
      register.clock(id, 42_300);
      assert.equal(fleet.agents.clockOffsetOf(id), 42_000);
      await settle();
      assert.equal(service.get(id).clock_offset_ms, 42_000);
      register.clock(id, -5_000);
      assert.equal(fleet.agents.clockOffsetOf(id), 42_000);
      // The handshake measures it again.
      register.connected(id, HELLO, 1_000);
      register.clock(id, 1_200);
      assert.equal(fleet.agents.clockOffsetOf(id), 1_000);
      register.clock("nobody", 5_000);
    });

    it("publish that one is lost only when that is saved", async () => {
      const { fleet, id, database, clock } = await begin();
      await database.stop();
      await clock.advance(STALE_MS + 2_000);
      assert.equal(fleet.agents.service.get(id).connection_state, "disconnected");
      assert.deepEqual(fleet.published("agent.disconnected"), []);
    });

    it("are not silent while we stood still", async () => {
      const { fleet, id, clock, settle } = await begin();
      fleet.agents.register.connected(id, HELLO, 0);
      await settle();
      clock.stall(10 * STALE_MS);
      await settle();
      await settle();
      assert.equal(fleet.agents.service.get(id).connection_state, "connected");
      await clock.advance(STALE_MS + 2_000);
      await settle();
      assert.equal(fleet.agents.service.get(id).connection_state, "disconnected");
    });

    it("are watched from the first one on, after a long time without any", async () => {
      const clock = createFakeClock();
      const database = await databases.create();
      const fleet = await startFleet({ database, clock });
      await clock.advance(75_000);
      const id = await fleet.enroll();
      fleet.agents.register.connected(id, HELLO, 0);
      fleet.agents.register.disconnected(id);
      await clock.advance(STALE_MS);
      await written(database);
      assert.deepEqual(fleet.published("agent.disconnected"), []);
      await clock.advance(1_500);
      await written(database);
      assert.deepEqual(
        fleet.published("agent.disconnected").map((lost) => lost.id),
        [id],
      );
    });

    it("save when they were last seen now and then, and when the program ends", async () => {
      const { fleet, id, clock, settle, lastSeenSaved } = await begin();
      const enrolledAt = clock.now().getTime();
      fleet.agents.register.connected(id, HELLO, 0);
      await settle();
      const first = await lastSeenSaved();
      for (let second = 0; second < 20; second += 1) {
        fleet.agents.register.seen(id, 1);
        await clock.advance(1_000);
      }
      await settle();
      assert.equal(await lastSeenSaved(), first);
      for (let second = 0; second < 12; second += 1) {
        fleet.agents.register.seen(id, 1);
        await settle();
      }
      const second = (await lastSeenSaved()) ?? 0;
      assert.ok(second >= enrolledAt + 30_000, String(second - enrolledAt));
      fleet.agents.register.seen(id, 1);
      await fleet.stop();
      assert.equal(await lastSeenSaved(), clock.now().getTime());
    });

    it("have time to come back after a restart of ours", async () => {
      const { fleet, id, clock, database, settle } = await begin();
      const lostBefore = await fleet.enroll();
      fleet.agents.register.connected(id, HELLO, 0);
      await clock.advance(STALE_MS / 2);
      fleet.agents.register.seen(id, 1);
      await clock.advance(STALE_MS / 2);
      // An evaluation waits for the one before, which saves.
      await until(async () => {
        await settle();
        return fleet.agents.service.get(lostBefore).connection_state === "disconnected";
      });
      await fleet.stop();
      clock.jump(new Date(clock.now().getTime() + 24 * 3_600_000));
      const again = await startFleet({ database, clock });
      const stateOf = (of: string) => again.agents.service.get(of).connection_state;
      assert.deepEqual([stateOf(id), stateOf(lostBefore)], ["disconnected", "disconnected"]);
      assert.deepEqual(
        again.agents.announce().map(({ data }) => "id" in data && data.id),
        [lostBefore],
      );
      await clock.advance(74_000);
      assert.deepEqual(again.published("agent.disconnected"), []);
      await clock.advance(3_000);
      await written(database);
      assert.deepEqual(
        again.published("agent.disconnected").map((lost) => [lost?.id, lost?.lost]),
        [[id, true]],
      );
    });

    it("are not connected after a restart of ours until they are seen, and lost by when they were last seen", async () => {
      const { fleet, id: gone, clock, database } = await begin();
      const back = await fleet.enroll();
      for (const id of [gone, back]) fleet.agents.register.connected(id, HELLO, 0);
      const seenAt = clock.now();
      await clock.advance(1_000);
      await fleet.stop();
      await clock.advance(10_000);
      const again = await startFleet({ database, clock });
      const states = (): string[] => [gone, back].map((id) => again.agents.service.get(id).connection_state);
      assert.deepEqual(states(), ["disconnected", "disconnected"]);
      assert.equal(again.agents.service.get(gone).last_seen_at, seenAt.toISOString());
      again.agents.register.connected(back, HELLO, 0);
      await clock.advance(1_000);
      await written(database);
      assert.deepEqual(states(), ["disconnected", "connected"]);
      assert.deepEqual(
        again.published("agent.connected").map((connected) => connected?.id),
        [back],
      );
      await clock.advance(47_000);
      await written(database);
      assert.deepEqual(again.published("agent.disconnected"), []);
      await clock.advance(3_000);
      await written(database);
      assert.deepEqual(
        again.published("agent.disconnected").map((lost) => [lost?.id, lost?.since]),
        [[gone, seenAt.toISOString()]],
      );
    });

    it("say what they are, and what waits on them", async () => {
      const { fleet, id, settle, database, clock } = await begin();
      const { register, service } = fleet.agents;
      register.connected(id, { ...HELLO, version: "1.3.0", os: "red", capabilities: ["logs", "stats"] }, 0);
      register.spool(id, { queued: 12, draining: true, dropped: 3, bytes: 4096, oversize: 0 });
      await settle();
      const { version, os, capabilities, spool } = service.get(id);
      assert.deepEqual([version, os, capabilities.length], ["1.3.0", "red", 2]);
      assert.deepEqual(spool, { queued: 12, draining: true, dropped: 3 });
      assert.equal(fleet.published("agent.updated").length, 1);
      assert.deepEqual(
        fleet.published("agent.spool").map((data) => data.spool),
        [{ queued: 12, draining: true, dropped: 3 }],
      );
      register.spool(id, { queued: 12, draining: true, dropped: 3, bytes: 8192, oversize: 0 });
      await settle();
      assert.equal(fleet.published("agent.spool").length, 1);
      await fleet.stop();
      const again = await startFleet({ database, clock });
      const kept = again.agents.service.get(id);
      assert.deepEqual([kept.version, kept.spool], ["1.3.0", { queued: 0, draining: false, dropped: 3 }]);
    });

    it("are counted", async () => {
      const { fleet, id, settle } = await begin();
      await fleet.enroll();
      fleet.agents.register.connected(id, HELLO, 0);
      for (let second = 0; second < 60; second += 1) {
        fleet.agents.register.seen(id, 40);
        await settle();
      }
      const { events_per_second: rate, events, connected, total, agents } = fleet.agents.service.metrics();
      assert.ok(rate > 39 && rate < 41, String(rate));
      assert.deepEqual([events, total, connected, agents.length], [2_400, 2, 2, 2]);
    });

    it("can be renamed, while what they say of themselves changes too", async () => {
      const { fleet, id, settle, database, clock } = await begin();
      fleet.agents.register.connected(id, { ...HELLO, hostname: "new-ark" }, 0);
      const [renamed] = await Promise.all([fleet.agents.service.rename(id, { label: "Second ark" }), settle()]);
      assert.equal(renamed.label, "Second ark");
      await settle();
      await fleet.stop();
      const again = await startFleet({ database, clock });
      const { label, hostname } = again.agents.service.get(id);
      assert.deepEqual([label, hostname], ["Second ark", "new-ark"]);
      assert.deepEqual(fleet.published("agent.updated").at(-1)?.name, "Second ark");
    });

    it("are not let in when they are revoked, and an open stream is closed at once", async () => {
      const { fleet, id, settle, database, clock } = await begin();
      const { register, service } = fleet.agents;
      const closed: string[] = [];
      service.onRevoked(() => {
        throw new Error("of another part");
      });
      const stop = service.onRevoked((agentId, why) => void closed.push(`${agentId} ${why}`));
      register.connected(id, HELLO, 0);
      const record = await service.revoke(id);
      assert.deepEqual(closed, [`${id} revoked`]);
      assert.deepEqual([record.status, record.connection_state, record.revoked_at], ["revoked", "disconnected", clock.now().toISOString()]);
      assert.equal((await register.find(id))?.status, "revoked");
      await clock.advance(1_000);
      register.seen(id, 1);
      assert.equal(service.get(id).last_seen_at, record.last_seen_at);
      register.disconnected(id);
      await clock.advance(3 * STALE_MS);
      await settle();
      const row = await database.tables<AgentTables>().read.selectFrom("agents").select("lost_since").executeTakeFirst();
      assert.equal(row?.lost_since, null);
      assert.deepEqual(
        fleet.events.map(({ type }) => type),
        ["agent.created", "agent.revoked"],
      );
      stop();
      await service.revoke(id);
      assert.equal(closed.length, 1);
      assert.equal(fleet.published("agent.revoked").length, 1);
      const again = await startFleet({ database, clock });
      const announced = again.agents.announce().map(({ type, data }) => [type, data.timestamp]);
      assert.equal((await again.agents.register.find(id))?.status, "revoked");
      assert.deepEqual(announced, [["agent.revoked", record.revoked_at]]);
    });

    it("are deleted with all that is of them, in one transaction, after their stream", async () => {
      const clock = createFakeClock();
      const database = await databases.create();
      const steps: string[] = [];
      let fails = true;
      const fleet = await startFleet({
        database,
        clock,
        hosts: {
          async remove(_agentId, write) {
            steps.push("closed");
            await write(async (unit) => {
              assert.ok(unit !== undefined);
              steps.push("host purged");
            });
            steps.push("forgotten");
            throw new Error("a part that cannot forget");
          },
        },
        purgers: [
          async (tx, agentId) => {
            // The tables of the agents stand for another part's.
            const rows = await (tx as unknown as Kysely<AgentTables>)
              .deleteFrom("agents")
              .where("id", "=", agentId)
              .returning("id")
              .execute();
            steps.push(`purge ${rows.length}`);
          },
          async () => {
            if (fails) throw new Error("a part that cannot");
          },
        ],
      });
      const [id, other] = [await fleet.enroll(), await fleet.enroll()];
      const { register, service } = fleet.agents;
      service.onRevoked(async (_agentId, why) => {
        await assert.rejects(Promise.resolve(register.find(id)), withCode("listener_unavailable"));
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(why);
      });
      await assert.rejects(service.remove(id), /a part that cannot/);
      assert.equal((await register.find(id))?.status, "active");
      assert.equal((await startFleet({ database, clock })).agents.count(), 2);
      assert.deepEqual(fleet.published("agent.deleted"), []);
      fails = false;
      await service.remove(id);
      assert.deepEqual(steps, [
        ...["deleted", "closed", "host purged", "purge 1"],
        ...["deleted", "closed", "host purged", "purge 1", "forgotten"],
      ]);
      assert.equal(await register.find(id), undefined);
      assert.throws(() => service.get(id), withCode("not_found"));
      assert.deepEqual(
        fleet.published("agent.deleted").map((data) => data.id),
        [id],
      );
      const again = await startFleet({ database, clock });
      assert.deepEqual(
        again.agents.service.list().agents.map((agent) => agent.id),
        [other],
      );
      const { tokens } = await fleet.enrollment.service.list({ limit: 10, offset: 0 });
      assert.deepEqual(
        tokens.map((token) => token.agent_id),
        [other],
      );
    });

    it("that do not exist are nobody", async () => {
      const { fleet } = await begin();
      const { register, service } = fleet.agents;
      const nobody = randomUUID();
      register.connected(nobody, HELLO, 0);
      register.seen(nobody, 1);
      register.spool(nobody, { queued: 1, draining: false, dropped: 0, bytes: 1, oversize: 0 });
      register.disconnected(nobody);
      assert.equal(await register.find(nobody), undefined);
      assert.equal(service.list().total, 1);
      for (const ask of [() => service.rename(nobody, { label: "x" }), () => service.revoke(nobody), () => service.remove(nobody)])
        await assert.rejects(ask, withCode("not_found"));
    });
  });
});
