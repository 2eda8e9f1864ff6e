import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aboutContainer } from "../../../test/support/alerts.ts";
import { lengthText, createRecent } from "./recent.ts";

const AT = "2026-03-01T12:00:00.000Z";
const STATE = {
  previous_state: "running",
  health: null,
  exit_code: null,
  oom_killed: false,
  stop_requested: false,
  error_detail: null,
} as const;

describe("what happened lately", () => {
  it("makes a cause", () => {
    const recent = createRecent();
    const web = { agent_id: null, name: "web" };
    assert.equal(recent.causeOf(web, AT), null);
    recent.note({ type: "container.updated", data: aboutContainer({ timestamp: "2026-03-01T11:00:00.000Z" }) });
    // Created again with another image, so with another id.
    recent.note({
      type: "container.updated",
      data: aboutContainer({ id: 43, image: "shop/web:2", timestamp: "2026-03-01T11:57:00.000Z" }),
    });
    recent.note({
      type: "container.state_changed",
      data: {
        ...aboutContainer({ id: 43, image: "shop/web:2", timestamp: "2026-03-01T11:59:20.000Z" }),
        ...STATE,
        state: "exited",
        exit_code: 137,
        oom_killed: true,
      },
    });
    assert.equal(
      recent.causeOf(web, AT),
      "last exit code 137 (OOM killed) at 2026-03-01 11:59:20 UTC; image changed at 2026-03-01 11:57:00 UTC",
    );
    assert.equal(recent.causeOf({ agent_id: null, name: "db" }, AT), null);
    assert.equal(recent.causeOf(web, "2026-03-01T12:30:00.000Z"), "image changed at 2026-03-01 11:57:00 UTC");
    assert.equal(recent.causeOf(web, "2026-03-02T12:30:00.000Z"), null);
  });

  it("in words", () => {
    assert.deepEqual([-5, 0, 119_000, 120_000, 7_199_000, 7_200_000].map(lengthText), ["0 s", "0 s", "119 s", "2 min", "120 min", "2 h"]);
  });
});
