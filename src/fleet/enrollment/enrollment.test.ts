import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOUR_MS } from "../../contract/time.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { HELLO, newPublicKey, registration, startFleet, strangeToken } from "../../../test/support/fleet.ts";
import { createMemoryLog } from "../../../test/support/http-server.ts";
import { isServiceError } from "../../platform/errors.ts";
import { hashOf, idOf } from "./token.ts";

const withCode = (code: string) => (error: unknown) => isServiceError(error) && error.code === code;

onBothDatabases((databases) => {
  describe("enrollment", () => {
    const begin = async () => {
      const clock = createFakeClock();
      const database = await databases.create();
      return { clock, database, fleet: await startFleet({ database, clock }) };
    };

    it("makes an agent of a token, once", async () => {
      const { fleet, clock } = await begin();
      const token = await fleet.token({ label: "The ark" });
      const id = idOf(hashOf(token));
      assert.equal((await fleet.enrollment.service.get(id)).status, "open");
      const publicKey = newPublicKey();
      const { agentId, label } = await fleet.enrollment.register(registration({ token, publicKey }));
      assert.equal(label, "The ark");
      const known = await fleet.agents.register.find(agentId);
      assert.deepEqual([known?.status, Buffer.from(known?.publicKey ?? [])], ["active", Buffer.from(publicKey)]);
      const used = await fleet.enrollment.service.get(id);
      assert.deepEqual([used.status, used.agent_id, used.consumed_at], ["consumed", agentId, clock.now().toISOString()]);
      assert.deepEqual(
        fleet.published("agent.created").map(({ id: created, name }) => [created, name]),
        [[agentId, "The ark"]],
      );
      await assert.rejects(fleet.enrollment.register(registration({ token })), withCode("token_consumed"));
      assert.equal(fleet.agents.count(), 1);
    });

    it("answers an agent again whose answer was lost, by its key alone", async () => {
      const { fleet } = await begin();
      const asked = registration({ token: await fleet.token({ label: "The ark" }) });
      const first = await fleet.enrollment.register(asked);
      assert.deepEqual(await fleet.enrollment.register(asked), first);
      assert.equal(fleet.agents.count(), 1);
      await assert.rejects(fleet.enrollment.register({ ...asked, publicKey: newPublicKey() }), withCode("token_consumed"));
      await fleet.agents.service.remove(first.agentId);
      await assert.rejects(fleet.enrollment.register(asked), withCode("token_invalid"));
    });

    it("lets exactly one of 50 win that use a token at once", async () => {
      const { fleet, database, clock } = await begin();
      const token = await fleet.token();
      // Half of them ask another server on the same database.
      const other = await startFleet({ database, clock });
      const uses = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? fleet : other).enrollment.register(registration({ token }))),
      );
      assert.equal(uses.filter(({ status }) => status === "fulfilled").length, 1);
      for (const use of uses) if (use.status === "rejected") assert.ok(withCode("token_consumed")(use.reason), String(use.reason));
      const after = await startFleet({ database, clock });
      assert.equal(after.agents.count(), 1);
    });

    it("refuses with its reason, and does not use the token up", async () => {
      const { fleet, clock } = await begin();
      const token = await fleet.token({ ttl_hours: 1 });
      const refusals: [of: Parameters<typeof registration>[0], code: string][] = [
        [{ token: strangeToken() }, "token_invalid"],
        [{ token: "" }, "token_invalid"],
        [{ token: `${token}x` }, "token_invalid"],
        [{ token, label: "x".repeat(65) }, "label_too_long"],
      ];
      for (const [of, code] of refusals) await assert.rejects(fleet.enrollment.register(registration(of)), withCode(code), code);
      assert.equal(fleet.agents.count(), 0);
      await fleet.enrollment.register(registration({ token, label: "🛶".repeat(64) }));
      const old = await fleet.token({ ttl_hours: 1 });
      await clock.advance(HOUR_MS);
      await assert.rejects(fleet.enrollment.register(registration({ token: old })), withCode("token_expired"));
      assert.equal((await fleet.enrollment.service.get(idOf(hashOf(old)))).status, "expired");
    });

    it("takes the agent's label, else the token's, else the host's name, all cleaned", async () => {
      const { fleet } = await begin();
      const labels: [asked: string, ofToken: string | undefined, hostname: string, label: string][] = [
        ["mine", "its", "ark", "mine"],
        ["", "its", "ark", "its"],
        ["", undefined, "ark", "ark"],
        ["\u202eevil\u0007", undefined, "ark", "evil"],
        ["", undefined, "h".repeat(200), `${"h".repeat(63)}…`],
        ["\u0000", undefined, "", "agent"],
      ];
      for (const [label, ofToken, hostname, expected] of labels) {
        const token = await fleet.token(ofToken === undefined ? {} : { label: ofToken });
        const made = await fleet.enrollment.register(registration({ token, label, hello: { ...HELLO, hostname } }));
        assert.equal(made.label, expected);
      }
    });

    it("keeps nothing of a token but its hash and its beginning, and logs neither", async () => {
      const clock = createFakeClock();
      const log = createMemoryLog();
      const fleet = await startFleet({ database: await databases.create(), clock, log });
      const token = await fleet.token();
      await fleet.enrollment.register(registration({ token }));
      await assert.rejects(fleet.enrollment.register(registration({ token })));
      const { tokens } = await fleet.enrollment.service.list({ limit: 10, offset: 0 });
      assert.equal(tokens[0]?.token_prefix, `${token.slice(0, 14)}…`);
      assert.ok(log.lines.length >= 2);
      for (const shown of [tokens, log.lines]) assert.ok(!JSON.stringify(shown).includes(token.slice(14)));
    });

    it("lists the latest first, deletes, and bounds how many are open", async () => {
      const { fleet, clock } = await begin();
      const { service } = fleet.enrollment;
      const texts: string[] = [];
      for (let made = 0; made < 3; made += 1) {
        texts.push(await fleet.token());
        await clock.advance(1_000);
      }
      const ids = texts.map((token) => idOf(hashOf(token)));
      const page = await service.list({ limit: 2, offset: 0 });
      assert.deepEqual([page.tokens.map(({ id }) => id), page.total, page.has_more], [[ids[2], ids[1]], 3, true]);
      await service.remove(ids[0] ?? "");
      await assert.rejects(service.remove(ids[0] ?? ""), withCode("not_found"));
      await assert.rejects(service.get(ids[0] ?? ""), withCode("not_found"));
      await assert.rejects(fleet.enrollment.register(registration({ token: texts[0] ?? "" })), withCode("token_invalid"));
      await Promise.all(Array.from({ length: 998 }, () => fleet.token({ ttl_hours: 1 })));
      await assert.rejects(fleet.token(), withCode("conflict"));
      await fleet.enrollment.register(registration({ token: texts[1] ?? "" }));
      await fleet.token();
      await assert.rejects(fleet.token(), withCode("conflict"));
      await clock.advance(HOUR_MS);
      await fleet.token();
    });

    it("forgets tokens a month after they expired", async () => {
      const { fleet, clock } = await begin();
      await Promise.all(Array.from({ length: 3 }, () => fleet.token({ ttl_hours: 1 })));
      const total = async () => (await fleet.enrollment.service.list({ limit: 1, offset: 0 })).total;
      const never = new AbortController().signal;
      clock.jump(new Date(clock.now().getTime() + 30 * 24 * HOUR_MS));
      await fleet.enrollment.service.prune(never);
      assert.equal(await total(), 3);
      clock.jump(new Date(clock.now().getTime() + HOUR_MS + 1));
      await fleet.enrollment.service.prune(never);
      assert.equal(await total(), 0);
    });
  });
});
