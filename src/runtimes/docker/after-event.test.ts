import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeContainer } from "../../../test/support/fake-runtime.ts";
import type { RuntimeContainer } from "../runtime.ts";
import { type EventContext, containerAfter, isEnough } from "./after-event.ts";
import { type InspectedContainer, NO_TRAITS } from "./container.ts";
import type { EngineAction, EngineEvent } from "./event.ts";
import { NO_EXIT_CAUSE, createExitCauses } from "./exit-causes.ts";

const AT = new Date("2026-03-01T12:00:10.000Z");
const EARLIER = new Date("2026-03-01T12:00:00.000Z");
const LATER = new Date("2026-03-01T12:00:20.000Z");

function event(action: EngineAction, facts: Partial<EngineEvent> = {}): EngineEvent {
  const timeNs = BigInt(AT.getTime()) * 1_000_000n;
  return {
    action,
    containerId: "a".repeat(64),
    timeNs,
    name: "web",
    image: "app:1",
    labels: {},
    exitCode: null,
    health: null,
    signal: undefined,
    podman: false,
    ...facts,
  };
}

function container(facts: Partial<RuntimeContainer> = {}): RuntimeContainer {
  return fakeContainer(1, { state: "running", startedAt: EARLIER, finishedAt: null, ...facts });
}

function seen(facts: Partial<RuntimeContainer> = {}, traits: Partial<InspectedContainer> = {}): InspectedContainer {
  return { ...NO_TRAITS, restarts: false, ...traits, container: container(facts) };
}

function after(action: EngineAction, facts: Partial<EngineEvent>, context: Partial<EventContext>): RuntimeContainer | undefined {
  return containerAfter(event(action, facts), { seen: undefined, before: undefined, exitCause: NO_EXIT_CAUSE, ...context });
}

describe("container after an event", () => {
  const ended = { state: "exited", exitCode: 3, finishedAt: AT } as const;
  const cases: [string, RuntimeContainer | undefined, Partial<RuntimeContainer> | undefined][] = [
    ["start", after("start", {}, { seen: seen() }), { state: "running", startedAt: EARLIER, exitCode: null }],
    [
      "start of what has ended since",
      after("start", {}, { seen: seen({ ...ended, startedAt: EARLIER, finishedAt: LATER }) }),
      { state: "running", exitCode: null, startedAt: EARLIER, finishedAt: null },
    ],
    [
      "start of what has started again since",
      after("start", {}, { seen: seen({ startedAt: LATER, finishedAt: LATER }) }),
      { state: "running", startedAt: AT, finishedAt: null },
    ],
    [
      "start with a health check, not yet seen running",
      after("start", {}, { seen: seen(ended, { checked: true }) }),
      { health: "starting" },
    ],
    ["create of what runs already", after("create", {}, { seen: seen() }), { state: "created", startedAt: null }],
    ["die", after("die", { exitCode: 3 }, { seen: seen(ended) }), { state: "exited", exitCode: 3, finishedAt: AT, health: null }],
    [
      "die under a restart policy",
      after("die", { exitCode: 3 }, { seen: seen({ ...ended, state: "restarting" }) }),
      { state: "restarting" },
    ],
    [
      "die of what runs again already",
      after("die", { exitCode: 3 }, { seen: seen({ startedAt: LATER }, { restarts: true }), before: container() }),
      { state: "restarting", exitCode: 3, finishedAt: AT, startedAt: null },
    ],
    ["die of what was started again manually", after("die", { exitCode: 3 }, { seen: seen() }), { state: "exited", exitCode: 3 }],
    [
      "die on request, under a restart policy",
      after("die", { exitCode: 137 }, { seen: seen({}, { restarts: true }), exitCause: { stopRequested: true, outOfMemory: false } }),
      { state: "exited", stopRequested: true },
    ],
    [
      "die for memory, by the event",
      after("die", { exitCode: 137 }, { seen: seen(ended), exitCause: { stopRequested: false, outOfMemory: true } }),
      { oomKilled: true },
    ],
    ["die for memory, by inspection", after("die", { exitCode: 137 }, { seen: seen({ ...ended, oomKilled: true }) }), { oomKilled: true }],
    [
      "success although a child died for memory",
      after("die", { exitCode: 0 }, { seen: seen(ended), exitCause: { stopRequested: false, outOfMemory: true } }),
      { oomKilled: false, exitCode: 0 },
    ],
    [
      "die of what is removed already",
      after("die", { exitCode: 2, labels: { "com.docker.compose.project": "shop" } }, {}),
      { state: "exited", exitCode: 2, name: "web", image: "app:1", project: { name: "shop", source: "compose" } },
    ],
    ["pause", after("pause", {}, { seen: seen(), before: container({ health: "healthy" }) }), { state: "paused", health: "healthy" }],
    ["unpause", after("unpause", {}, { before: container({ state: "paused" }) }), { state: "running" }],
    ["health", after("health_status", { health: "unhealthy" }, { before: container({ health: "healthy" }) }), { health: "unhealthy" }],
    [
      "health that a look saw before its event",
      after("health_status", { health: "healthy" }, { before: container({ health: "healthy" }) }),
      { health: "healthy" },
    ],
    [
      "health repeated by Podman",
      after("health_status", { podman: true }, { seen: seen({ health: "healthy" }), before: container({ health: "healthy" }) }),
      undefined,
    ],
    ["health of what has ended", after("health_status", { health: "unhealthy" }, { before: container(ended) }), undefined],
    ["rename", after("rename", { name: "new" }, { before: container() }), { name: "new", state: "running" }],
    ["update", after("update", {}, { seen: seen(ended), before: container() }), { state: "running", exitCode: null }],
    [
      "stop of what waited to restart",
      after("stop", {}, { seen: seen(ended), before: container({ state: "restarting" }) }),
      { state: "exited", stopRequested: true },
    ],
    [
      "stop of what is known to be stopped",
      after("stop", {}, { seen: seen(ended), before: container({ ...ended, stopRequested: true }) }),
      undefined,
    ],
    ["stop, removed already", after("stop", {}, {}), undefined],
    [
      "failed start",
      after("disconnect", {}, { seen: seen({ state: "created", errorDetail: "no such file" }) }),
      { errorDetail: "no such file" },
    ],
    ["network of what never failed", after("disconnect", {}, { seen: seen({ state: "created" }) }), undefined],
  ];
  for (const [name, actual, expected] of cases) {
    it(name, () => {
      if (expected === undefined) assert.equal(actual, undefined);
      else assert.deepEqual({ ...actual, ...expected }, actual);
    });
  }
});

describe("what an event shows without an inspection", () => {
  const asked = { stopRequested: true, outOfMemory: false };
  const cases: [string, boolean, boolean][] = [
    ["an end without a restart policy", isEnough(event("die", { exitCode: 1 }), { before: seen(), exitCause: NO_EXIT_CAUSE }), true],
    [
      "an end by SIGKILL that nobody asked for",
      isEnough(event("die", { exitCode: 137 }), { before: seen(), exitCause: NO_EXIT_CAUSE }),
      false,
    ],
    ["an end on request", isEnough(event("die", { exitCode: 137 }), { before: seen({}, { restarts: true }), exitCause: asked }), true],
    [
      "an end under a restart policy",
      isEnough(event("die", { exitCode: 1 }), { before: seen({}, { restarts: true }), exitCause: NO_EXIT_CAUSE }),
      false,
    ],
    [
      "an end whose beginning was missed",
      isEnough(event("die", { exitCode: 1 }), { before: seen({ state: "exited" }), exitCause: asked }),
      false,
    ],
    ["an end without its code", isEnough(event("die"), { before: seen(), exitCause: asked }), false],
    ["a start", isEnough(event("start"), { before: seen(), exitCause: NO_EXIT_CAUSE }), false],
    ["a pause", isEnough(event("pause"), { before: seen(), exitCause: NO_EXIT_CAUSE }), true],
  ];
  for (const [name, actual, expected] of cases) it(`${name}: ${expected}`, () => assert.equal(actual, expected));
});

describe("exitCauses", () => {
  const later = (seconds: number, facts: Partial<EngineEvent> = {}): EngineEvent =>
    event("die", { timeNs: event("die").timeNs + BigInt(seconds) * 1_000_000_000n, ...facts });
  const cases: [string, EngineEvent[], EngineEvent, Parameters<ReturnType<typeof createExitCauses>["take"]>[1], [boolean, boolean]][] = [
    ["SIGTERM", [event("kill", { signal: "15" })], later(10), undefined, [true, false]],
    ["a name instead of a number", [event("kill", { signal: "SIGKILL" })], later(1), undefined, [true, false]],
    ["a kill without its signal", [event("kill")], later(1), undefined, [true, false]],
    [
      "a signal that may be a label's",
      [event("kill", { signal: "SIGHUP" })],
      later(1),
      { ...NO_TRAITS, disguised: ["signal"] },
      [true, false],
    ],
    ["a reload by SIGHUP", [event("kill", { signal: "1" })], later(1), undefined, [false, false]],
    [
      "SIGWINCH as the container's stop signal",
      [event("kill", { signal: "28" })],
      later(1),
      { ...NO_TRAITS, stopSignal: 28 },
      [true, false],
    ],
    ["SIGHUP, then SIGTERM", [event("kill", { signal: "1" }), event("kill", { signal: "15" })], later(1), undefined, [true, false]],
    ["a kill long ago", [event("kill", { signal: "15" })], later(61), undefined, [false, false]],
    [
      "a kill within a long stop timeout",
      [event("kill", { signal: "15" })],
      later(100),
      { ...NO_TRAITS, stopTimeoutMs: 120_000 },
      [true, false],
    ],
    ["out of memory", [event("oom")], later(1), undefined, [false, true]],
    ["out of memory long ago", [event("oom")], later(6), undefined, [false, false]],
    ["another container's", [event("kill", { containerId: "b".repeat(64) })], later(1), undefined, [false, false]],
    ["nothing", [], later(1), undefined, [false, false]],
  ];
  for (const [name, noted, end, traits, expected] of cases) {
    it(name, () => {
      const exitCauses = createExitCauses();
      for (const one of noted) exitCauses.note(one);
      const { stopRequested, outOfMemory } = exitCauses.take(end, traits);
      assert.deepEqual([stopRequested, outOfMemory], expected);
      assert.deepEqual(exitCauses.take(end, traits), NO_EXIT_CAUSE);
    });
  }
});
