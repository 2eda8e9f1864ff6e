import assert from "node:assert/strict";
import { test } from "node:test";
import type { GenerationRecord } from "../../../../../src/monitoring/containers/answers.ts";
import { describeChanges } from "./change.ts";
import { transitionsOf } from "./transitions.fixture.ts";

const START = new Date("2026-01-01T12:00:00.000Z");

/** Each step with the words that describe the last of them. */
const stories: [[number, string][], string][] = [
  [[[0, "running"]], "ok First seen: running"],
  [[[0, "running/starting"]], "ok First seen: running, health unknown"],
  [[[0, "exited 1"]], "down First seen: exited with code 1"],
  [[[0, "completed 0"]], "idle First seen: completed (exit 0)"],
  [
    [
      [0, "running"],
      [720, "exited 137 oom"],
    ],
    "down OOM killed (exit 137); ran 12 min",
  ],
  [
    [
      [0, "running"],
      [273_600, "exited 143 asked"],
    ],
    "idle Stopped by request (exit 143); ran 3 d 4 h",
  ],
  [
    [
      [0, "running"],
      [60, "completed 0"],
    ],
    "idle Completed (exit 0); ran 1 min",
  ],
  [
    [
      [0, "running"],
      [60, "exited 1"],
    ],
    "down Exited with code 1; ran 1 min",
  ],
  [
    [
      [0, "running"],
      [60, "exited 139"],
    ],
    "down Exited with code 139: segmentation fault (SIGSEGV); ran 1 min",
  ],
  [
    [
      [0, "running"],
      [60, "restarting 1"],
    ],
    "down Exited with code 1; ran 1 min",
  ],
  [
    [
      [0, "running"],
      [60, "restarting 1"],
      [62, "running"],
    ],
    "ok Restarted by policy; was down 2 s",
  ],
  [
    [
      [0, "running"],
      [60, "restarting 1"],
      [62, "exited 1"],
    ],
    "down No longer restarting; was down 2 s",
  ],
  [
    [
      [0, "running"],
      [60, "exited 1"],
      [61, "restarting 1"],
    ],
    "down Restarting by policy; was down 1 s",
  ],
  [
    [
      [0, "exited 1"],
      [60, "running"],
    ],
    "ok Started again; was down 1 min",
  ],
  [
    [
      [0, "created"],
      [1, "running"],
    ],
    "ok Started; after 1 s",
  ],
  [
    [
      [0, "running"],
      [5, "paused"],
    ],
    "idle Paused; ran 5 s",
  ],
  [
    [
      [0, "running"],
      [5, "paused"],
      [8, "running"],
    ],
    "ok Resumed; was paused 3 s",
  ],
  [
    [
      [0, "running/starting"],
      [5, "running/healthy"],
    ],
    "ok Health check passed; after 5 s",
  ],
  [
    [
      [0, "running/healthy"],
      [720, "running/unhealthy"],
    ],
    "degraded Became unhealthy; was healthy 12 min",
  ],
  [
    [
      [0, "running/unhealthy"],
      [60, "running/healthy"],
    ],
    "ok Healthy again; was unhealthy 1 min",
  ],
  [
    [
      [0, "running/healthy"],
      [60, "running/unhealthy"],
      [90, "exited 1"],
    ],
    "down Exited with code 1; ran 1 min",
  ],
  [
    [
      [0, "exited 1"],
      [60, "dead"],
    ],
    "down Dead: removal failed; was down 1 min",
  ],
];
for (const [steps, words] of stories) {
  test(`${steps.map(([, state]) => state).join(" → ")}: ${words}`, () => {
    const [last] = describeChanges(transitionsOf(START, steps));
    assert.equal(`${last?.status} ${last?.what}${last?.before === null ? "" : `; ${last?.before}`}`, words);
  });
}

test("how long it was before is not guessed when the older transition is not there", () => {
  const [last] = describeChanges(
    transitionsOf(START, [
      [0, "running"],
      [60, "exited 1"],
    ]).slice(0, 1),
  );
  assert.deepEqual([last?.what, last?.before], ["Exited with code 1", null]);
});

test("a slot of a swarm that continued on another host says so", () => {
  const transitions = transitionsOf(START, [
    [0, "running"],
    [100, "running"],
  ]);
  const part = { image: "web:1", image_digest: null, created_at: null, started_at: null, external_id: "" };
  const ended = { ended_at: new Date(START.getTime() + 100_000).toISOString(), end_reason: "removed" as const };
  const generations: GenerationRecord[] = [
    { ...part, number: 2, agent_id: "b", ended_at: null, end_reason: null },
    { ...part, ...ended, number: 1, agent_id: "a" },
  ];
  assert.deepEqual(
    describeChanges(transitions, generations).map(({ what }) => what),
    ["Moved to another host", "First seen: running"],
  );
});

test("what began with another container says so, and with which image", () => {
  const transitions = transitionsOf(START, [
    [0, "running"],
    [100, "exited 143 asked"],
    [101, "created"],
    [102, "running"],
    [200, "exited 1"],
    [205, "running"],
    [300, "exited 137 oom"],
    [310, "running"],
  ]);
  const at = (second: number): string => new Date(START.getTime() + second * 1000).toISOString();
  const generation = (number: number, image: string, ended: number | null): GenerationRecord => ({
    ...{ number, image, agent_id: null, external_id: String(number), image_digest: null, created_at: null, started_at: null },
    ...{ ended_at: ended === null ? null : at(ended), end_reason: ended === null ? null : "stopped" },
  });
  const generations = [generation(3, "web:2", null), generation(2, "web:2", 300), generation(1, "web:1", 100)];
  assert.deepEqual(
    describeChanges(transitions, generations)
      .toReversed()
      .map(({ what }) => what),
    [
      ...["First seen: running", "Stopped by request (exit 143)", "Re-created with web:2", "Started"],
      ...["Exited with code 1", "Started again", "OOM killed (exit 137)", "Re-created"],
    ],
  );
});
