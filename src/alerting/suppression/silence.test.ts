import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { anAlert } from "../../../test/support/routing.ts";
import { fc } from "../../../test/support/seed.ts";
import { type Alert, ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";
import { matchers as matchersSchema, type MatchersBody } from "./api.ts";
import { subjectsOf } from "../scope.ts";
import { periodFaults, standing, expendable, KEPT } from "./period.ts";
import { matches, matchersRecord, readMatchers, type Silence, silenceStatus } from "./silence.ts";

const agent = "1f0e3dad-9990-4f4b-8d5a-0123456789ab";
const now = new Date("2026-03-01T12:00:00Z");
const about = (alert: Alert) => subjectsOf(alert, (id) => (id === 42 ? "shop, eu" : undefined));
const at = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

describe("matchers", () => {
  const alert = anAlert({ labels: { team: "shop", "a.b/c": "x=y", empty: "" } });
  const cases: [matchers: MatchersBody, alert: Alert, matched: boolean][] = [
    [{ source: "container" }, alert, true],
    [{ source: "endpoint" }, alert, false],
    [{ source: "container", entity_id: "42" }, alert, true],
    [{ source: "container", entity_id: "4" }, alert, false],
    [{ source: "endpoint", entity_id: "42" }, alert, false],
    [{ entity_type: "container", entity_id: "42", severity: "warning", event: "restart_loop" }, alert, true],
    [{ entity_type: "container", entity_id: "42", severity: "critical" }, alert, false],
    [{ entity_type: "group", entity_id: "shop, eu" }, alert, true],
    [{ entity_type: "group", entity_id: "shop" }, alert, false],
    [{ entity_type: "group", entity_id: "shop, eu", severity: "critical" }, alert, false],
    [{ entity_type: "agent", entity_id: "local" }, alert, true],
    [{ entity_type: "agent", entity_id: agent.toUpperCase() }, anAlert({ agentId: agent }), true],
    [{ entity_type: "agent", entity_id: agent }, alert, false],
    [{ entity_type: "agent" }, alert, false],
    [{ event: "restart" }, alert, false],
    [{ agent_id: "local" }, alert, true],
    [{ agent_id: agent }, alert, false],
    [{ agent_id: agent.toUpperCase() }, anAlert({ agentId: agent }), true],
    [{ agent_id: "local" }, anAlert({ agentId: agent }), false],
    [{ label: "team" }, alert, true],
    [{ label: "team=shop" }, alert, true],
    [{ label: "team = shop" }, alert, true],
    [{ label: "team=Shop" }, alert, false],
    [{ label: "team=" }, alert, false],
    [{ label: "empty=" }, alert, true],
    [{ label: "empty" }, alert, true],
    [{ label: "a.b/c=x=y" }, alert, true],
    [{ label: "owner" }, alert, false],
    [{ label: "constructor" }, alert, false],
    [{ label: "__proto__" }, alert, false],
  ];
  for (const [matchers, given, matched] of cases) {
    it(`${JSON.stringify(matchers)} ${matched ? "are" : "are not"} met by an alert of ${given.agentId ?? "this host"}`, () => {
      assert.equal(matches(readMatchers(matchers), given, about(given)), matched);
    });
  }

  const text = fc.string({ minLength: 1, maxLength: 20 });
  const anyMatchers = fc.record(
    {
      source: fc.constantFrom(...ALERT_SOURCES),
      entity_type: text,
      entity_id: text,
      severity: fc.constantFrom(...SEVERITIES),
      event: text,
      agent_id: fc.oneof(fc.constant("local"), fc.uuid()),
      label: fc.oneof(
        text,
        fc.tuple(text, text).map(([key, value]) => `${key}=${value}`),
      ),
    },
    { requiredKeys: [] },
  );

  it("that are read survive being written and read again", () => {
    fc.assert(
      fc.property(anyMatchers, (given) => {
        const { data } = matchersSchema.safeParse(given);
        if (data === undefined) return;
        const read = readMatchers(data);
        const written = matchersRecord(read);
        assert.deepEqual(readMatchers(matchersSchema.parse(JSON.parse(JSON.stringify(written)))), read);
      }),
    );
  });

  it("match an alert that meets every one of them, and no other", () => {
    const met = fc.record(
      {
        source: fc.constant("container" as const),
        entity_type: fc.constant("container"),
        entity_id: fc.constant("42"),
        severity: fc.constant("warning" as const),
        event: fc.constant("restart_loop"),
        agent_id: fc.constant("local"),
        label: fc.constantFrom("team", "team=shop"),
      },
      { requiredKeys: [] },
    );
    const missed = fc.constantFrom<MatchersBody>(
      { source: "endpoint" },
      { entity_type: "host" },
      { entity_id: "4" },
      { severity: "info" },
      { event: "restart" },
      { agent_id: agent },
      { label: "team=sale" },
    );
    fc.assert(
      fc.property(met, missed, (given, wrong) => {
        assert.ok(matches(readMatchers(given), alert, about(alert)));
        assert.ok(!matches(readMatchers({ ...given, ...wrong }), alert, about(alert)));
      }),
    );
  });
});

describe("a period", () => {
  const cases: [what: string, from: number, to: number, paths: string[]][] = [
    ["from now for an hour", 0, 60, []],
    ["that began an hour ago", -60, 1, []],
    ["that ends when it starts", 5, 5, ["ends_at"]],
    ["that ends before it starts", 10, 5, ["ends_at"]],
    ["that is over", -10, -5, ["ends_at"]],
    ["that ends now", -10, 0, ["ends_at"]],
    ["of 366 days", 0, 366 * 1440, []],
    ["of more than 366 days", 0, 366 * 1440 + 1, ["ends_at"]],
    ["in two years", 730 * 1440, 731 * 1440, ["starts_at"]],
    ["in two years that ends before it starts", 730 * 1440, 0, ["starts_at", "ends_at"]],
  ];
  for (const [what, from, to, paths] of cases) {
    it(`${what} ${paths.length === 0 ? "is fine" : "is refused"}`, () => {
      const period = { startsAt: at(from), endsAt: at(to) };
      assert.deepEqual(
        periodFaults(period, now).map(({ path }) => path),
        paths,
      );
    });
  }

  it("contains its beginning, and not its end", () => {
    const period = { startsAt: at(1), endsAt: at(2) };
    assert.deepEqual(
      [at(0), at(1), at(1.5), at(2), at(3)].map((time) => standing(period, time)),
      ["before", "within", "within", "over", "over"],
    );
  });
});

describe("the status of a silence", () => {
  const silence: Silence = {
    id: 1,
    reason: "disk swap",
    startsAt: at(1),
    endsAt: at(2),
    matchers: readMatchers({ source: "container" }),
    createdBy: null,
    createdAt: now,
    cancelledAt: null,
    published: "pending",
  };

  it("follows the clock, never back, and a cancellation whatever the clock says", () => {
    assert.deepEqual(
      [at(0), at(1), at(2)].map((time) => silenceStatus(silence, time)),
      ["pending", "active", "expired"],
    );
    assert.equal(silenceStatus({ ...silence, published: "expired" }, at(0)), "expired");
    assert.equal(silenceStatus({ ...silence, published: "active" }, at(0)), "active");
    for (const time of [at(0), at(1), at(2)]) assert.equal(silenceStatus({ ...silence, cancelledAt: at(0) }, time), "cancelled");
  });
});

describe("what is over", () => {
  it("is kept for a year and a thousand of it, the latest", () => {
    const over = Array.from({ length: KEPT.records + 3 }, (_, id) => ({ id, since: at(id) }));
    assert.deepEqual(expendable(over, at(2000)), [2, 1, 0]);
    assert.deepEqual(expendable(over.slice(0, 2), new Date(at(0).getTime() + KEPT.days * 86_400_000 + 1)), [0]);
    assert.deepEqual(expendable(over.slice(0, 2), at(0)), []);
  });

  it("goes in batches, the oldest first", () => {
    const over = Array.from({ length: KEPT.records + 700 }, (_, id) => ({ id, since: at(id) }));
    const ids = expendable(over, at(5000));
    assert.equal(ids.length, 500);
    assert.deepEqual([Math.min(...ids), Math.max(...ids)], [0, 499]);
  });
});
