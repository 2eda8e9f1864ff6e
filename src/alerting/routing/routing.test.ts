import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aChannel, anAlert } from "../../../test/support/routing.ts";
import { fc } from "../../../test/support/seed.ts";
import { type Alert, type Target } from "../vocabulary.ts";
import { NO_FILTERS, readFilters, type Trigger } from "./filters.ts";
import { type ChannelRule, decideRouting, meets, type RoutedChannel } from "./routing.ts";
import { subjectsOf } from "../scope.ts";
import { createTally } from "./service.ts";

const now = new Date("2026-03-01T12:00:00Z");
const groupOf = (id: number): string | undefined => (id === 42 ? "shop, eu" : undefined);
const any: ChannelRule = { id: 1, source: null, severity: null, entityType: null, entityId: null };

function aTrigger(id: number, change: Partial<Trigger> = {}): Trigger {
  return {
    id,
    name: `trigger ${id}`,
    filters: NO_FILTERS,
    enabled: true,
    notifyOnResolve: true,
    channelIds: [1],
    createdAt: now,
    updatedAt: now,
    ...change,
  };
}

describe("a rule of a channel", () => {
  const alert = anAlert();
  const cases: [rule: Partial<ChannelRule>, met: boolean][] = [
    [{}, true],
    [{ source: "container" }, true],
    [{ source: "endpoint" }, false],
    [{ severity: "warning" }, true],
    [{ severity: "critical" }, false],
    [{ entityType: "container" }, true],
    [{ entityType: "endpoint" }, false],
    [{ entityType: "container", entityId: "42" }, true],
    [{ entityType: "container", entityId: "7" }, false],
    [{ source: "container", severity: "info" }, false],
    [{ entityType: "agent", entityId: "local" }, true],
    [{ entityType: "agent", entityId: "1f0e3dad-9990-4f4b-8d5a-0123456789ab" }, false],
    [{ entityType: "group", entityId: "shop, eu" }, true],
    [{ entityType: "group", entityId: "shop" }, false],
    [{ entityType: "group", entityId: "shop, eu", severity: "info" }, false],
  ];
  for (const [rule, met] of cases) {
    it(`${JSON.stringify(rule)} ${met ? "takes" : "leaves"} the alert`, () =>
      assert.equal(meets({ ...any, ...rule }, alert, subjectsOf(alert, groupOf)), met));
  }
});

it("names the disabled channels that a rule, a trigger or a label would send it to", () => {
  const off = { enabled: false };
  const channels = [
    aChannel(1, { ...off, rules: [{ ...any, id: 3 }] }),
    aChannel(2, off),
    aChannel(3, off),
    aChannel(4, { rules: [{ ...any, id: 4 }] }),
    aChannel(5, off),
  ];
  const alert = anAlert({ channels: ["channel 3"] });
  const { disabled } = decideRouting(alert, { channels, triggers: [aTrigger(1, { channelIds: [2] })], groupOf });
  assert.deepEqual(disabled, ["channel 1", "channel 2", "channel 3"]);
});

describe("the routing of an alert", () => {
  const critical = readFilters({ filter_severities: "critical" }, NO_FILTERS).filters;
  const targetOf = (because: string, channelId = 1, notifyOnResolve = true): Target => ({ channelId, notifyOnResolve, because });
  const byRule = aChannel(1, { rules: [{ ...any, id: 3 }] });
  const cases: [what: string, alert: Partial<Alert>, channels: RoutedChannel[], triggers: Trigger[], targets: Target[]][] = [
    ["goes nowhere without rules, triggers and labels", {}, [aChannel(1)], [], []],
    ["goes where a rule sends it", {}, [aChannel(2), byRule], [], [targetOf("rule 3 of this channel")]],
    ["goes where a trigger sends it", {}, [aChannel(1)], [aTrigger(1)], [targetOf('trigger "trigger 1"')]],
    ["is not taken by a trigger for others", {}, [aChannel(1)], [aTrigger(1, { filters: critical })], []],
    ["goes where a label sends it", { channels: ["CHANNEL 1 "] }, [aChannel(1)], [], [targetOf("label service.alert.channels")]],
    ["goes not to a disabled channel", { channels: ["channel 1"] }, [{ ...byRule, enabled: false }], [aTrigger(1)], []],
    ["is not taken by a disabled trigger", {}, [aChannel(1)], [aTrigger(1, { enabled: false })], []],
    ["passes over a channel that is gone", {}, [aChannel(1)], [aTrigger(1, { channelIds: [9, 1] })], [targetOf('trigger "trigger 1"')]],
    [
      "goes once to each channel, and says all that sent it",
      { channels: ["channel 1", "Channel 1"] },
      [byRule, aChannel(2)],
      [aTrigger(1, { channelIds: [1, 2] }), aTrigger(2)],
      [
        targetOf('rule 3 of this channel, trigger "trigger 1", trigger "trigger 2", label service.alert.channels'),
        targetOf('trigger "trigger 1"', 2),
      ],
    ],
    [
      "resolves without a notification where no trigger asks for it",
      {},
      [aChannel(1)],
      [aTrigger(1, { notifyOnResolve: false })],
      [targetOf('trigger "trigger 1"', 1, false)],
    ],
    [
      "sends the end when one trigger asks for it",
      {},
      [aChannel(1)],
      [aTrigger(1, { notifyOnResolve: false }), aTrigger(2)],
      [targetOf('trigger "trigger 1", trigger "trigger 2"')],
    ],
    [
      "sends the end by a rule, whatever a trigger says",
      {},
      [byRule],
      [aTrigger(1, { notifyOnResolve: false })],
      [targetOf('rule 3 of this channel, trigger "trigger 1"')],
    ],
    [
      "says no more than the first reasons of many",
      {},
      [aChannel(1)],
      Array.from({ length: 7 }, (_, index) => aTrigger(index, { name: "t" })),
      [targetOf(`${'trigger "t", '.repeat(5)}2 more`)],
    ],
  ];
  for (const [what, change, channels, triggers, targets] of cases) {
    it(what, () => assert.deepEqual(decideRouting(anAlert(change), { channels, triggers, groupOf }).targets, targets));
  }

  it("finds the channel of a label in any case, and whether accents are letters or marks", () => {
    const channels = [aChannel(1, { name: "Büro" }), aChannel(2, { name: "Ops" })];
    const found = (name: string): number[] =>
      decideRouting(anAlert({ channels: [name] }), { channels, triggers: [], groupOf }).targets.map(({ channelId }) => channelId);
    assert.deepEqual([found("OPS"), found("büro".normalize("NFC")), found("BÜRO".normalize("NFD"))], [[2], [1], [1]]);
  });

  it("reports the names that no channel has, but not those of disabled ones", () => {
    const alert = anAlert({ channels: ["ops", " ", "ghost", "ghost", "Off", "__proto__"] });
    const channels = [aChannel(1, { name: "ops" }), aChannel(2, { name: "off", enabled: false })];
    assert.deepEqual(decideRouting(alert, { channels, triggers: [], groupOf }).unknown, ["ghost", "__proto__"]);
  });

  const id = fc.integer({ min: 1, max: 4 });
  const channels = fc
    .array(fc.record({ enabled: fc.boolean(), hasRule: fc.boolean(), severity: fc.constantFrom(null, "warning", "critical") }), {
      maxLength: 4,
    })
    .map((some) =>
      some.map(({ enabled, hasRule, severity }, index) => aChannel(index + 1, { enabled, rules: hasRule ? [{ ...any, severity }] : [] })),
    );
  const triggers = fc
    .array(fc.record({ enabled: fc.boolean(), notifyOnResolve: fc.boolean(), channelIds: fc.uniqueArray(id) }), { maxLength: 4 })
    .map((some) => some.map((change, index) => aTrigger(index + 1, change)));
  const names = fc.array(
    id.map((number) => `Channel ${number}`),
    { maxLength: 3 },
  );

  it("gives each enabled channel at most one target, and one to each that something sends it to", () => {
    fc.assert(
      fc.property(channels, triggers, names, (some, sent, labels) => {
        const alert = anAlert({ channels: labels });
        const { targets } = decideRouting(alert, { channels: some, triggers: sent, groupOf });
        const ids = targets.map(({ channelId }) => channelId);
        assert.equal(new Set(ids).size, ids.length);
        for (const channel of some) {
          const byRules = channel.rules.some((rule) => meets(rule, alert, subjectsOf(alert, groupOf)));
          const taking = sent.filter(({ enabled, channelIds }) => enabled && channelIds.includes(channel.id));
          const labelled = labels.includes(`Channel ${channel.id}`);
          const target = targets.find(({ channelId }) => channelId === channel.id);
          assert.equal(target !== undefined, channel.enabled && (byRules || taking.length > 0 || labelled));
          if (target === undefined) continue;
          assert.equal(target.notifyOnResolve, byRules || labelled || taking.some(({ notifyOnResolve }) => notifyOnResolve));
          assert.notEqual(target.because, "");
        }
      }),
    );
  });
});

describe("a simulation", () => {
  const settings = { name: "", filters: NO_FILTERS, enabled: false, notifyOnResolve: true, channelIds: [1, 2] };
  const at = (text: string): Date => new Date(text);

  it("counts what would have been sent, by channel and by day", () => {
    const tally = createTally({ trigger: settings, channels: [aChannel(1), aChannel(2), aChannel(3, { enabled: false })], groupOf, now });
    assert.deepEqual(tally.from, at("2026-01-31T00:00:00Z"));
    tally.add(anAlert({ id: 1, firedAt: at("2026-01-31T00:00:00Z"), resolvedAt: at("2026-02-01T00:00:00Z"), status: "resolved" }));
    tally.add(anAlert({ id: 2, firedAt: at("2026-02-28T23:59:59Z") }));
    tally.add(anAlert({ id: 3, firedAt: now, suppressedBy: "silence", resolvedAt: now }));
    const { per_day: days, ...result } = tally.result(true);
    assert.deepEqual(result, {
      period_days: 30,
      matched: 3,
      held_back: 1,
      deliveries: 6,
      by_channel: [
        { channel_id: 1, name: "channel 1", enabled: true, fired: 2, resolved: 1 },
        { channel_id: 2, name: "channel 2", enabled: true, fired: 2, resolved: 1 },
        { channel_id: 3, name: "channel 3", enabled: false, fired: 0, resolved: 0 },
      ],
      examples: [
        { alert_id: 1, message: anAlert().message, fired_at: "2026-01-31T00:00:00.000Z" },
        { alert_id: 2, message: anAlert().message, fired_at: "2026-02-28T23:59:59.000Z" },
        { alert_id: 3, message: anAlert().message, fired_at: "2026-03-01T12:00:00.000Z" },
      ],
      complete: true,
    });
    assert.deepEqual(
      [days.length, days[0], days.at(-1)],
      [30, { date: "2026-01-31", deliveries: 2 }, { date: "2026-03-01", deliveries: 0 }],
    );
    assert.deepEqual(
      days.filter(({ deliveries }) => deliveries > 0),
      [
        { date: "2026-01-31", deliveries: 2 },
        { date: "2026-02-01", deliveries: 2 },
        { date: "2026-02-28", deliveries: 2 },
      ],
    );
  });

  it("leaves out what its filters leave, and the ends that nobody asks for", () => {
    const { filters } = readFilters({ filter_tags: "db" }, NO_FILTERS);
    const tally = createTally({ trigger: { ...settings, filters, notifyOnResolve: false }, channels: [aChannel(1)], groupOf, now });
    tally.add(anAlert({ tags: ["db"], resolvedAt: now, status: "resolved" }));
    tally.add(anAlert());
    assert.partialDeepStrictEqual(tally.result(true), { matched: 1, deliveries: 1, by_channel: [{ fired: 1, resolved: 0 }] });
  });

  it("gives ten examples of many", () => {
    const tally = createTally({ trigger: settings, channels: [], groupOf, now });
    for (let id = 0; id < 50; id += 1) tally.add(anAlert({ id }));
    const { examples, matched, deliveries } = tally.result(false);
    assert.deepEqual([examples.map(({ alert_id: id }) => id), matched, deliveries], [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 50, 0]);
  });
});
