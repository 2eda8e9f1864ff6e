import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Act } from "../api/alert-acts.ts";
import { alertRecord } from "../entities/alerts/record.fixture.ts";
import { doneWords, failedWords } from "./act-words.ts";

const common = { batch: 1, at: "2026-11-21T04:10:00.000Z", state: "failed" } as const;

function paused(name: string, reason = ""): Act {
  return {
    ...common,
    id: 1,
    kind: "pause",
    monitor: { type: "endpoint", id: 1, name },
    send: () => Promise.resolve(),
    error: new Error(reason),
  };
}

const resolved: Act = {
  ...common,
  id: 2,
  kind: "resolve",
  alert: alertRecord({ message: "shop is down" }),
  by: "Ada",
  note: undefined,
  error: new Error("Alert 4 is over"),
};

function accepted(...keys: string[]): Act {
  const error = new Error("too many");
  return { ...common, id: 3, kind: "acknowledge", findings: new Set(keys), send: () => Promise.resolve(), error };
}

describe("what a reader just did", () => {
  it("is named, or counted when it was done to several", () => {
    assert.equal(doneWords(paused("shop"), []), "Paused: shop");
    assert.equal(doneWords(paused("shop"), [paused("cart"), paused("mail")]), "Paused 3 endpoints");
    assert.equal(doneWords(resolved, []), "Resolved: shop is down");
    assert.equal(doneWords(resolved, [resolved]), "Resolved 2 alerts");
    assert.equal(doneWords({ ...resolved, kind: "silence", covers: "entity" }, []), "Silenced: all alerts of shop");
    assert.equal(doneWords(accepted("a", "b"), []), "Acknowledged 2 findings");
  });

  it("says why it failed, and for which of several", () => {
    assert.equal(failedWords(resolved, []), "Not resolved: Alert 4 is over");
    assert.equal(failedWords(accepted("a"), []), "Not acknowledged: 1 finding (too many)");
    assert.equal(failedWords(paused("shop", "gone"), []), "Not paused: shop (gone)");
    assert.equal(
      failedWords(paused("shop", "gone"), [paused("cart", "busy"), paused("mail", "gone")]),
      "Not paused: shop, mail (gone), cart (busy)",
    );
  });

  it("names a few, and counts the others", () => {
    const [first, ...others] = ["a", "b", "c", "d", "e", "f", "g"].map((name) => paused(name, "gone"));
    assert.equal(first && failedWords(first, others), "Not paused: a, b, c, d, e and 2 more (gone)");
  });
});
