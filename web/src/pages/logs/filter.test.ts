import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isNarrowed, logsFilter, queryOf } from "./filter.ts";

const NOTHING = {
  q: undefined,
  level: undefined,
  fields: undefined,
  columns: undefined,
  view: undefined,
  group: undefined,
  container: undefined,
  period: undefined,
  since: undefined,
  until: undefined,
};

describe("the address of the logs", () => {
  it("is read as far as it makes sense", () => {
    const given = {
      q: "error",
      level: "warn",
      fields: "a=1",
      columns: ["a"],
      view: "patterns",
      group: "shop",
      container: "7",
      period: "1h",
      since: "2026-03-01T12:00:00+01:00",
      until: "",
    };
    assert.deepEqual(logsFilter(given), { ...given, since: "2026-03-01T11:00:00.000Z", until: undefined });
    assert.deepEqual(logsFilter({ level: "loud", container: "0x7", period: "2h", since: "yesterday", until: 5 }), NOTHING);
  });

  it("asks for the last day unless it says otherwise", () => {
    assert.equal(queryOf(NOTHING).lastMs, 86_400_000);
    assert.equal(queryOf({ period: "1h" }).lastMs, 3_600_000);
    assert.equal(queryOf({ period: "all" }).lastMs, undefined);
    const span = queryOf({ period: "1h", since: "2026-03-01T11:00:00.000Z", container: "7" }, "local");
    assert.deepEqual([span.lastMs, span.since, span.container_id, span.agent_id], [undefined, "2026-03-01T11:00:00.000Z", 7, "local"]);
  });

  it("narrows by all but the time", () => {
    assert.equal(isNarrowed({ period: "1h", since: "2026-03-01T11:00:00.000Z" }), false);
    assert.equal(isNarrowed({ group: "shop" }), true);
  });
});
