import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { createLimits, type LimitChange, type ThresholdScope } from "./limits.ts";

const thresholds = fc.record({ cpu: fc.option(fc.integer({ min: 1, max: 100 })), memory: fc.constant(null), debounceSeconds: fc.nat(99) });
const scopes: readonly ThresholdScope[] = [
  { type: "group", id: "shop" },
  { type: "group", id: "local" },
  { type: "agent", id: "local" },
  { type: "agent", id: "edge" },
];
const change: fc.Arbitrary<LimitChange> = fc.oneof(
  fc.record({ kind: fc.constant("container" as const), id: fc.integer({ min: 1, max: 4 }), thresholds: fc.option(thresholds) }),
  fc.record({ kind: fc.constant("scope" as const), scope: fc.constantFrom(...scopes), thresholds: fc.option(thresholds) }),
);
/** The fourth container is not known. */
const PLACES = [
  { group: "shop", agentId: null },
  { group: "local", agentId: "edge" },
  { group: "mail", agentId: "edge" },
];

test("a container has its own thresholds, else those of its group, else those of its host, and what a change would make of it is what it makes of it", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const limits = createLimits((id) => PLACES[id - 1]);
      const set = new Map<string, NonNullable<LimitChange["thresholds"]>>();
      for (const each of changes) {
        const planned = limits.after(each);
        const before = [1, 2, 3, 4].map(planned);
        limits.keep(each);
        assert.deepEqual([1, 2, 3, 4].map(limits.of), before);
        const key = each.kind === "container" ? `container ${each.id}` : `${each.scope.type} ${each.scope.id}`;
        if (each.thresholds === null) set.delete(key);
        else set.set(key, each.thresholds);
      }
      assert.equal(limits.isEmpty(), set.size === 0);
      for (const id of [1, 2, 3, 4]) {
        const place = PLACES[id - 1];
        const scopesOf = place === undefined ? [] : [`group ${place.group}`, `agent ${place.agentId ?? "local"}`];
        const source = [`container ${id}`, ...scopesOf].find((key) => set.has(key));
        const applied = limits.of(id);
        assert.equal(applied && `${applied.source.type} ${applied.source.id}`, source);
        assert.deepEqual(applied?.thresholds, source === undefined ? undefined : set.get(source));
        assert.equal([...limits.ids()].includes(id), set.has(`container ${id}`));
      }
    }),
  );
});
