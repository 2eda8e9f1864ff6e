import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../../test/support/seed.ts";
import { CERTIFICATE_STATUSES } from "../../../contract/certificate.ts";
import { HEARTBEAT_STATUSES } from "../../../contract/heartbeat.ts";
import { ENDPOINT_STATUSES } from "../../../contract/endpoint.ts";
import { CONTAINER_STATES } from "../../../events.ts";
import type { Health } from "../../../observations.ts";
import { COMPONENT_STATUSES, type ComponentStatus, worstOf } from "../vocabulary.ts";
import { pageStatus } from "./projection.ts";
import { stateOfMembers, STATUS_BY_CERTIFICATE, statusOfContainer, STATUS_BY_ENDPOINT, STATUS_BY_HEARTBEAT } from "./derivation.ts";

const operational = "operational";
const degraded = "degraded";
const major = "major_outage";
const HEALTHS: readonly (Health | null)[] = [null, "starting", "healthy", "unhealthy"];
const statuses = fc.array(fc.constantFrom(...COMPONENT_STATUSES), { maxLength: 12 });

describe("what a monitor makes of its component", () => {
  const container: Record<(typeof CONTAINER_STATES)[number], ComponentStatus> = {
    running: operational,
    completed: operational,
    created: operational,
    paused: major,
    restarting: major,
    exited: major,
    dead: major,
  };
  for (const state of CONTAINER_STATES)
    for (const health of HEALTHS) {
      const expected = state === "running" && health === "unhealthy" ? degraded : container[state];
      it(`container ${state}, health ${String(health)}: ${expected}`, () => assert.equal(statusOfContainer({ state, health }), expected));
    }

  const endpoint = { up: operational, unknown: null, degraded, down: major } as const;
  for (const each of ENDPOINT_STATUSES)
    it(`endpoint ${each}: ${String(endpoint[each])}`, () => assert.equal(STATUS_BY_ENDPOINT[each], endpoint[each]));

  const heartbeat = { new: operational, up: operational, started: operational, paused: operational, down: major } as const;
  for (const each of HEARTBEAT_STATUSES)
    it(`heartbeat ${each}: ${heartbeat[each]}`, () => assert.equal(STATUS_BY_HEARTBEAT[each], heartbeat[each]));

  const certificate = {
    valid: operational,
    unknown: null,
    expiring: degraded,
    unreachable: degraded,
    expired: major,
    chain_invalid: major,
  } as const;
  for (const each of CERTIFICATE_STATUSES)
    it(`certificate ${each}: ${String(certificate[each])}`, () => assert.equal(STATUS_BY_CERTIFICATE[each], certificate[each]));
});

describe("what several components make of their group and of the page", () => {
  const rank = (status: ComponentStatus): number => COMPONENT_STATUSES.indexOf(status);

  it("does not depend on their order", () => {
    const shuffled = statuses.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(fc.property(shuffled, ([all, mixed]) => assert.equal(worstOf(all), worstOf(mixed))));
  });

  it("is that of all when all are the same, and operational for none", () => {
    assert.equal(worstOf([]), operational);
    const same = fc.tuple(fc.constantFrom(...COMPONENT_STATUSES), fc.integer({ min: 1, max: 9 }));
    fc.assert(fc.property(same, ([status, times]) => assert.equal(worstOf(Array.from({ length: times }, () => status)), status)));
  });

  it("is a major outage when all are in one, a partial one when some are, else the worst there is", () => {
    fc.assert(
      fc.property(statuses, (all) => {
        const out = all.filter((status) => status === major).length;
        const worst = worstOf(all);
        if (all.length > 0 && out === all.length) assert.equal(worst, major);
        else if (out > 0) assert.equal(worst, "partial_outage");
        else assert.equal(rank(worst), Math.min(rank(operational), ...all.map(rank)));
      }),
    );
  });

  it("is nothing better than any of them but for a major outage of some, and nothing worse than their worst", () => {
    fc.assert(
      fc.property(statuses, (all) => {
        const worst = rank(worstOf(all));
        assert.ok(all.every((status) => worst <= Math.max(rank(status), rank("partial_outage"))));
        assert.ok(worst >= Math.min(rank(operational), ...all.map(rank)));
      }),
    );
  });

  it("leaves out what is hidden", () => {
    const component = fc.record({
      visible: fc.boolean(),
      status: fc.constantFrom(...COMPONENT_STATUSES),
    });
    fc.assert(
      fc.property(fc.array(component, { maxLength: 10 }), (all) => {
        const shown = all.filter(({ visible }) => visible);
        assert.equal(pageStatus({ components: all }), worstOf(shown.map(({ status }) => status)));
      }),
    );
  });
});

describe("what a group or a host makes of its component", () => {
  const times = [null, new Date("2026-03-01T11:00:00Z"), new Date("2026-03-01T12:00:00Z")] as const;
  const member = fc.record({ status: fc.option(fc.constantFrom(...COMPONENT_STATUSES)), lastObservedAt: fc.constantFrom(...times) });

  it("is the status of all in it whose own is known, and nothing when none is", () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 12 }), (members) => {
        const known = members.flatMap(({ status }) => status ?? []);
        assert.equal(stateOfMembers(members).status, known.length === 0 ? null : worstOf(known));
      }),
    );
  });

  it("was observed when the one that is well, and was not for longest, was; never when that was not since the start", () => {
    const [never, early, late] = times;
    const observedAt = (...members: [ComponentStatus | null, Date | null][]) =>
      stateOfMembers(members.map(([status, lastObservedAt]) => ({ status, lastObservedAt }))).lastObservedAt;
    assert.equal(observedAt([operational, late], [operational, early]), early);
    assert.equal(observedAt([operational, late], [major, early]), late, "what is out stays so until it is seen to be well");
    assert.equal(observedAt([operational, late], [null, never]), late, "what says nothing says nothing of that either");
    assert.equal(observedAt([operational, late], [operational, never]), null);
    assert.equal(observedAt([major, late], [degraded, early]), early);
    assert.equal(observedAt(), null);
  });
});
