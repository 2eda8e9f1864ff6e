import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { port, startSecurity, type WatchedSecurity } from "../../../test/support/security.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { postureQuery } from "./api.ts";
import type { PostureSeverity } from "./posture.ts";
import type { NewerImage } from "./steps.ts";

interface Known {
  updates: PostureSeverity[];
  newer?: NewerImage;
}

describe("the posture, with what is known of updates", () => {
  let database: Database;
  let watched: WatchedSecurity;
  let known: Record<string, Known>;

  const knownOf = (id: number): Known | undefined => Object.entries(known).find(([externalId]) => watched.idOf(externalId) === id)?.[1];

  beforeEach(async () => {
    known = {};
    database = openSqlite({ path: `${temporaryFolder()}/updates.db`, clock: systemClock, log: silentLog });
    await database.start();
    watched = await startSecurity({
      database,
      clock: createFakeClock(),
      updatesOf: (id) => knownOf(id)?.updates,
      newerImageOf: (id) => knownOf(id)?.newer,
    });
    await watched.show(
      { externalId: "old", name: "old", image: "shop/old:1.2" },
      { externalId: "open", name: "open", ports: [port(80)] },
      { externalId: "stuck", name: "stuck" },
      { externalId: "stopped", name: "stopped", state: "exited", exitCode: 1 },
    );
  });
  afterEach(async () => {
    await watched.stop();
    await database.stop();
  });

  const posture = () => watched.security.postures.overall(postureQuery.parse({}));

  it("leaves them out where nothing is known", async () => {
    const { categories, score } = await posture();
    assert.deepEqual(
      categories.map(({ name }) => name),
      ["network", "configuration"],
    );
    known = { old: { updates: [] } };
    const then = await posture();
    // One that is known to be well changes nothing of the others, and lifts nobody.
    assert.equal(then.score, score);
    assert.deepEqual(then.categories.at(-1), { name: "updates", score: 100, weight: 25, findings: 0 });
  });

  it("ranks by all that counts, and says what to run instead by what that gains", async () => {
    known = {
      old: { updates: ["critical", "high", "medium"], newer: { image: "shop/old:1.3", leaves: ["medium"] } },
      stuck: { updates: ["critical", "critical", "critical"] },
      stopped: { updates: ["critical"], newer: { image: "x:2", leaves: [] } },
    };
    const before = await posture();
    // open: 65 * 45 + 100 * 30 of 75; old: 35 of 25; stuck: 0 of 25.
    assert.deepEqual(
      before.ranking.map(({ container_name, score }) => [container_name, score]),
      [
        ["stuck", 75],
        ["open", 79],
        ["old", 84],
      ],
    );
    assert.deepEqual(
      before.next_steps.map(({ container_name, remedy, image, resolves, container_gain }) => [
        container_name,
        remedy,
        image,
        resolves.length,
        container_gain,
      ]),
      [
        ["old", "update_image", "shop/old:1.3", 0, 13.75],
        // A port of the web is a question, whatever it would gain.
        ["open", "confirm_public", null, 1, 21],
      ],
    );
    assert.deepEqual(before.severity_distribution, { critical: 1, high: 0, medium: 0 });
    assert.deepEqual(before.categories.at(-1)?.findings, 6);

    // What the step promises comes true.
    const promised = before.next_steps[0]?.gain ?? 0;
    known = { ...known, old: { updates: ["medium"] } };
    const gained = ((await posture()).score ?? 0) - (before.score ?? 0);
    assert.ok(Math.abs(gained - promised) <= 1, `${gained} of ${promised}`);
    assert.deepEqual(
      (await posture()).next_steps.map(({ container_name }) => container_name),
      ["open"],
    );
  });

  it("says the same of one container", async () => {
    known = { old: { updates: ["critical"], newer: { image: "shop/old:1.2", leaves: [] } } };
    const one = await watched.security.postures.ofContainer(watched.idOf("old"));
    assert.partialDeepStrictEqual(one, {
      score: 91,
      insights: [],
      next_steps: [{ remedy: "update_image", image: "shop/old:1.2", gain: 8.75, container_gain: 8.75, snippet: null }],
    });
    known = { stopped: { updates: ["critical"], newer: { image: "x:2", leaves: [] } } };
    const stopped = await watched.security.postures.ofContainer(watched.idOf("stopped"));
    assert.deepEqual([stopped.score, stopped.categories, stopped.next_steps], [null, [], []]);
  });
});
