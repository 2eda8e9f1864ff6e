import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { problem } from "../../../test/support/alerts.ts";
import type { AlertTransition } from "../vocabulary.ts";
import { beginAlert, type KeptAlert } from "./alert.ts";
import { type EvaluationContext, evaluatePath, PATH } from "./stages.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const UNTIL = new Date("2026-03-01T13:00:00Z");
const FLAP = { changes: [], flapping: true, notified: null };

const NIGHTS = { targets: [{ channelId: 1, notifyOnResolve: true, because: 'trigger "Nights"' }], disabled: [], unknown: [] };
const NOWHERE = { targets: [], disabled: [], unknown: [] };

const CLEAR: EvaluationContext = {
  now: NOW,
  monotonicMs: 0,
  settled: true,
  maintaining: () => undefined,
  silencing: () => undefined,
  outage: () => undefined,
  flap: undefined,
  route: () => NIGHTS,
  notified: [1],
  channelName: (id) => `C${id}`,
};

const HELD = { silencing: () => ({ id: 3, reason: "rebuilding", until: UNTIL }) };
const EVERYTHING_HOLDS = {
  ...HELD,
  settled: false,
  maintaining: () => ({ title: "Move", until: UNTIL }),
  outage: () => ({ name: "its host", why: "is gone", since: NOW }),
};

interface Row {
  title: string;
  transition?: AlertTransition;
  alert?: Partial<KeptAlert>;
  context?: Partial<EvaluationContext>;
  last: [stage: string, verdict: string, words: RegExp];
  heldBy?: string;
  to?: number[];
}

const ROWS: Row[] = [
  {
    title: "only disabled channels",
    context: { route: () => ({ ...NOWHERE, disabled: ["Nights", "Days"] }) },
    last: ["routing", "stopped", /^All matching channels are disabled: "Nights", "Days"\.$/],
  },
  {
    title: "a disabled channel as well",
    context: { route: () => ({ ...NIGHTS, disabled: ["Nights"] }) },
    last: ["deliver", "passed", /queued for "C1"/],
    to: [1],
  },
  { title: "nothing in the way", last: ["deliver", "passed", /1 delivery queued for "C1"/], to: [1] },
  { title: "just started", context: { settled: false }, last: ["settle", "held", /Starting up/], heldBy: "settle" },
  {
    title: "maintenance",
    context: { ...EVERYTHING_HOLDS, settled: true },
    last: ["maintenance", "held", /"Move" until 2026-03-01 13:00:00 UTC/],
    heldBy: "maintenance",
  },
  {
    title: "a parent that is down",
    context: { outage: EVERYTHING_HOLDS.outage, ...HELD },
    last: ["dependency", "held", /its host, which is gone since/],
    heldBy: "dependency",
  },
  { title: "a silence", context: HELD, last: ["silence", "held", /Silence 3 \("rebuilding"\)/], heldBy: "silence" },
  { title: "the first message about flapping", context: { flap: FLAP }, last: ["deliver", "passed", /queued/], to: [1] },
  {
    title: "flapping that was sent",
    context: { flap: { ...FLAP, notified: "critical" } },
    last: ["flapping", "held", /stable for 10 minutes/],
    heldBy: "flapping",
  },
  {
    title: "flapping that was sent with a lower severity",
    transition: "raised",
    context: { flap: { ...FLAP, notified: "warning" } },
    last: ["deliver", "passed", /queued/],
    to: [1],
  },
  {
    title: "flapping that was sent with this severity before",
    transition: "raised",
    context: { flap: { ...FLAP, notified: "critical" } },
    last: ["flapping", "held", /Paused/],
    heldBy: "flapping",
  },
  {
    title: "a label that names what is no channel",
    context: { route: () => ({ ...NOWHERE, unknown: ["nihgts"] }) },
    last: ["routing", "stopped", /"nihgts", which does not exist/],
  },
  { title: "no route", context: { route: () => NOWHERE }, last: ["routing", "stopped", /No rule, trigger or label/] },
  { title: "sent before", transition: "released", alert: { notified: true }, last: ["dedup", "stopped", /Already sent/] },
  {
    title: "acknowledged while it was held",
    transition: "released",
    alert: { acknowledgedBy: "Anna" },
    last: ["dedup", "stopped", /Acknowledged by Anna/],
  },
  {
    title: "worse while it was held, and acknowledged before",
    transition: "released",
    alert: { acknowledgedBy: "Anna", routedAt: NOW },
    last: ["deliver", "passed", /queued/],
    to: [1],
  },
  {
    title: "worse",
    transition: "raised",
    alert: { acknowledgedBy: "Anna", routedAt: NOW },
    last: ["deliver", "passed", /queued/],
    to: [1],
  },
  {
    title: "resolved, and sent before, whatever else holds",
    transition: "resolved",
    alert: { routedAt: NOW },
    context: { ...EVERYTHING_HOLDS, notified: [4, 5] },
    last: ["deliver", "passed", /2 deliveries queued for "C4", "C5"/],
    to: [4, 5],
  },
  { title: "resolved, and never sent", transition: "resolved", last: ["routing", "stopped", /No firing notification was sent/] },
  {
    title: "resolved, and no channel asks for it",
    transition: "resolved",
    alert: { routedAt: NOW },
    context: { notified: [] },
    last: ["routing", "stopped", /wants resolve notifications/],
  },
  {
    title: "resolved while it flaps, with its start sent",
    transition: "resolved",
    alert: { routedAt: NOW },
    context: { flap: { ...FLAP, notified: "warning" } },
    last: ["flapping", "held", /Paused/],
    heldBy: "flapping",
  },
  {
    title: "resolved while it flaps, and never sent",
    transition: "resolved",
    context: { flap: { ...FLAP, notified: "warning" } },
    last: ["routing", "stopped", /No firing notification was sent/],
  },
  {
    title: "resolved when it flaps no more, with its start sent",
    transition: "resolved",
    alert: { routedAt: NOW },
    context: { flap: { ...FLAP, flapping: false, notified: "warning" } },
    last: ["deliver", "passed", /1 delivery queued for "C1"/],
    to: [1],
  },
];

describe("the path of an alert", () => {
  it("is a list", () => {
    assert.deepEqual(
      PATH.map(({ name }) => name),
      ["settle", "maintenance", "dependency", "silence", "flapping", "routing", "dedup", "deliver"],
    );
  });

  for (const { title, transition = "fired", alert = {}, context = {}, last, heldBy = null, to = [] } of ROWS) {
    it(`${transition}: ${title}`, () => {
      const result = evaluatePath({ alert: { ...beginAlert(problem(), NOW), ...alert }, transition }, { ...CLEAR, ...context });
      const final = result.verdicts.at(-1);
      assert.deepEqual([final?.stage, final?.verdict], last.slice(0, 2));
      assert.match(final?.text ?? "", last[2]);
      assert.equal(result.heldBy, heldBy);
      assert.deepEqual(
        result.targets.map(({ channelId }) => channelId),
        to,
      );
    });
  }
});
