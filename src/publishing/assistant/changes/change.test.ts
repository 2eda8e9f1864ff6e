import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { fc } from "../../../../test/support/seed.ts";
import { CHANGE_KINDS, type ChangeKind } from "../../../contract/change-kinds.ts";
import type { PastChanges } from "../../../platform/look-back.ts";
import { changesSchemas } from "../answers.ts";
import { COUNTED_UP_TO, cursorOf, positionOf, type Remembered } from "./change.ts";
import { createWhatChanged } from "./what-changed.ts";

const { input: changesInput } = changesSchemas();
const NOW = new Date("2026-03-01T12:00:00Z");

interface Row {
  kind: ChangeKind;
  at: Date;
  id: number;
}

const SECONDS = [0, 1, 2, 3, 4, 5, 6];
const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

/** Changes of a few moments only, so that many are of the same time; an id is there once in its kind. */
const rows = fc.uniqueArray(
  fc.record({ kind: fc.constantFrom(...CHANGE_KINDS), at: fc.constantFrom(...SECONDS).map(ago), id: fc.constantFrom(...IDS) }),
  { selector: ({ kind, id }) => `${kind} ${id}`, maxLength: 80 },
);

const nameOf = (at: Date, kind: string, id: unknown): string => `${at.toISOString()} ${kind} ${String(id)}`;

/** The newest first; of one time by kind, and of one kind the highest id first. */
function inOrder(all: readonly Row[]): string[] {
  const known = new Set(all.map(({ at, kind, id }) => nameOf(at, kind, id)));
  const places = SECONDS.flatMap((seconds) => CHANGE_KINDS.flatMap((kind) => IDS.toReversed().map((id) => nameOf(ago(seconds), kind, id))));
  return places.filter((name) => known.has(name));
}

function sourcesOf(all: readonly Row[]) {
  const past = (kind: ChangeKind): PastChanges<Remembered> => ({
    count: async ({ since, until = NOW, most }) =>
      Math.min(all.filter((row) => row.kind === kind && row.at >= since && row.at <= until).length, most),
    page: async ({ since, before, limit }) =>
      all
        .filter((row) => row.kind === kind && row.at >= since)
        .filter(({ at, id }) => at < before.at || (at.getTime() === before.at.getTime() && id < before.id))
        .toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
        .slice(0, limit)
        .map(({ at, id }) => ({
          at,
          id,
          describe: () => ({
            what: "It changed.",
            entity: { type: "other" as const, id, name: "" },
            from: null,
            to: null,
            evidence: { kind: "alert" as const, id, at: null },
            agentId: null,
          }),
        })),
    nextAt: () => Promise.reject(new Error("nobody asks for it here")),
  });
  return Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, past(kind)]));
}

describe("pages of what changed", () => {
  it("list everything once, in order, however long they are, and whatever comes meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 12 }), fc.boolean(), async (all, limit, isBusy) => {
        const clock = createFakeClock(NOW);
        const known = [...all];
        const whatChanged = createWhatChanged({ sources: sourcesOf(known), clock });
        const listed: string[] = [];
        let pages = 0;
        for (let cursor: string | null = ""; cursor !== null;) {
          const page = await whatChanged(changesInput.parse({ since: "7s", limit, ...(cursor === "" ? {} : { cursor }) }));
          assert.ok(page.changes.length <= limit);
          listed.push(...page.changes.map(({ kind, at, evidence }) => nameOf(new Date(at), kind, evidence.id)));
          assert.ok(listed.length <= all.length, "a page repeats what was listed");
          pages += 1;
          cursor = page.next_cursor;
          await clock.advance(500);
          if (isBusy) known.push({ kind: "alert_raised", at: clock.now(), id: 1000 + listed.length });
        }
        assert.deepEqual(listed, inOrder(all));
        assert.equal(pages, Math.max(1, Math.ceil(all.length / limit)));
      }),
    );
  });

  it("count each kind, and no further than is worth it", async () => {
    const all = Array.from({ length: COUNTED_UP_TO + 10 }, (_, id): Row => ({ kind: "container_changed", at: NOW, id }));
    const whatChanged = createWhatChanged({
      sources: sourcesOf([...all, { kind: "update_found", at: NOW, id: 1 }]),
      clock: createFakeClock(NOW),
    });
    const { counts, changes } = await whatChanged(changesInput.parse({ limit: 3 }));
    assert.deepEqual(counts, [
      { kind: "container_changed", count: COUNTED_UP_TO, more: true },
      { kind: "update_found", count: 1, more: false },
    ]);
    assert.equal(changes.length, 3);
  });

  it("take spans of time and moments of the last 30 days", async () => {
    const whatChanged = createWhatChanged({ sources: {}, clock: createFakeClock(NOW) });
    const since = async (text: string): Promise<string> => (await whatChanged(changesInput.parse({ since: text }))).since;
    const cases: [text: string, expected: string][] = [
      ["30m", "2026-03-01T11:30:00.000Z"],
      ["1h30m", "2026-03-01T10:30:00.000Z"],
      ["7d", "2026-02-22T12:00:00.000Z"],
      ["30d", "2026-01-30T12:00:00.000Z"],
      ["2026-02-28T12:00:00+02:00", "2026-02-28T10:00:00.000Z"],
    ];
    for (const [text, expected] of cases) assert.equal(await since(text), expected);
    for (const text of [
      "31d",
      "721h",
      "2026-01-01T00:00:00Z",
      "2026-03-01T12:00:01Z",
      "yesterday",
      "",
      "-1h",
      "2026-99-01T00:00:00Z",
      "1 OR 1=1",
    ])
      await assert.rejects(since(text), { code: "invalid_request" }, text);
  });

  it("know their own cursors again, and no others", async () => {
    const time = fc.integer({ min: 0, max: 99_999_999_999_999 });
    fc.assert(
      fc.property(time, time, fc.constantFrom(...CHANGE_KINDS), fc.maxSafeNat(), (sinceMs, atMs, kind, id) => {
        const position = { sinceMs, atMs, kind, id };
        assert.deepEqual(positionOf(cursorOf(position)), position);
        assert.ok(cursorOf(position).length <= 64);
      }),
    );
    const whatChanged = createWhatChanged({ sources: {}, clock: createFakeClock(NOW) });
    const longAgo = cursorOf({ sinceMs: 1, atMs: 2, kind: "alert_raised", id: 3 });
    for (const cursor of ["", "after-3", "past-1-2-99-3", "past-1-2-3", "past-1-2-3-9999999999999999", longAgo])
      await assert.rejects(whatChanged({ ...changesInput.parse({}), cursor }), { code: "invalid_request" }, cursor);
  });
});
