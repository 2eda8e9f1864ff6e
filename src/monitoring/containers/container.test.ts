import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { defaultSettings, sighting } from "../../../test/support/sightings.ts";
import type { ContainerSighting } from "../../observations.ts";
import { type Container, type Decision, downInMs, type DownRule, countRestart, joinRestarts, type RestartHistory } from "./container.ts";
import { applySighting, archive, type SightingSource } from "./sightings.ts";
import { succeeded } from "./succession.ts";

const START = Date.parse("2026-03-01T12:00:00Z");
const at = (seconds: number): Date => new Date(START + seconds * 1000);

function see(
  current: Container | undefined,
  facts: Partial<ContainerSighting>,
  seconds: number,
  source: SightingSource = "news",
): Decision | undefined {
  return applySighting(current, { sighting: sighting(facts), observedAt: at(seconds), source, agentId: null });
}

function seen(current: Container | undefined, facts: Partial<ContainerSighting>, seconds: number, source?: SightingSource): Container {
  const decision = see(current, facts, seconds, source);
  assert.ok(decision);
  return decision.next;
}

const RULE = { afterMs: 30_000, knownSince: () => at(0) };
const isDownAt = (container: Container, seconds: number, rule: Partial<DownRule> = {}): boolean =>
  downInMs(container, at(seconds), { ...RULE, ...rule }) <= 0;
const running = (facts: Partial<ContainerSighting> = {}): Container => seen(undefined, facts, 0);

describe("the state of a container that ended", () => {
  const cases: [string, Partial<ContainerSighting>, string][] = [
    ["exit 0", { exitCode: 0 }, "completed"],
    ["exit 1", { exitCode: 1 }, "exited"],
    ["exit 0, asked", { exitCode: 0, stopRequested: true }, "exited"],
    ["exit 1 although a stop was asked for", { exitCode: 1, stopRequested: true }, "exited"],
    ["137 unasked", { exitCode: 137 }, "exited"],
    ["143 unasked", { exitCode: 143 }, "exited"],
    ["137 asked", { exitCode: 137, stopRequested: true }, "exited"],
    ["143 asked", { exitCode: 143, stopRequested: true }, "exited"],
    ["137 asked, but killed for memory", { exitCode: 137, stopRequested: true, oomKilled: true }, "exited"],
    ["exit 0, but killed for memory", { exitCode: 0, oomKilled: true }, "exited"],
    ["no code", { exitCode: null }, "exited"],
  ];
  for (const [name, facts, expected] of cases) {
    it(`${name}: ${expected}`, () => assert.equal(seen(running(), { state: "exited", ...facts }, 10).state, expected));
  }

  it("stays asked for when an inventory, which cannot know what was asked, sees the same end", () => {
    const ended = seen(running(), { state: "exited", exitCode: 0, stopRequested: true, finishedAt: at(10) }, 10);
    assert.equal(see(ended, { state: "exited", exitCode: 0, finishedAt: at(10) }, 60, "inventory"), undefined);
  });

  it("is asked for as well when an inventory was quicker than the news of it", () => {
    for (const exitCode of [0, 137]) {
      const end = { state: "exited" as const, exitCode, startedAt: at(0), finishedAt: at(10) };
      const listed = seen(running({ startedAt: at(0) }), end, 60, "inventory");
      assert.deepEqual([listed.state, listed.stopRequested], [exitCode === 0 ? "completed" : "exited", false]);
      const decision = see(listed, { ...end, stopRequested: true }, 10);
      assert.deepEqual([decision?.next.state, decision?.next.stopRequested, decision?.transitions], ["exited", true, []]);
      assert.partialDeepStrictEqual(decision?.corrected, { newState: "exited", stopRequested: true, exitCode, at: at(10) });
      assert.equal(see(decision?.next, { ...end, stopRequested: true }, 10), undefined);
      const other = { ...end, startedAt: at(-20), finishedAt: at(-10), stopRequested: true };
      assert.equal(see(listed, other, -10), undefined, "the news of an earlier end say nothing of this one");
    }
  });

  it("was not asked for when the kernel took its memory back while it was being stopped", () => {
    const killed = seen(running(), { state: "exited", exitCode: 137, stopRequested: true, oomKilled: true }, 10);
    assert.deepEqual([killed.stopRequested, isDownAt(killed, 60)], [false, true]);
  });

  it("is a crash when it was started again after the stop, although nobody saw that start", () => {
    const stopped = seen(running({ startedAt: at(0) }), { state: "exited", exitCode: 143, stopRequested: true, startedAt: at(0) }, 10);
    for (const exitCode of [1, 137]) {
      const again = { state: "exited" as const, exitCode, startedAt: at(20), finishedAt: at(30) };
      const crashed = seen(stopped, again, 60, "inventory");
      assert.deepEqual([crashed.state, crashed.stopRequested, isDownAt(crashed, 60)], ["exited", false, true], `exit ${exitCode}`);
    }
  });
});

describe("a container that ended unasked", () => {
  const failed = (facts: Partial<ContainerSighting> = {}): Container => seen(running(), { state: "exited", exitCode: 1, ...facts }, 10);
  const labelled = (downAfterMs: number): Partial<ContainerSighting> => ({ settings: { ...defaultSettings, downAfterMs } });
  const cases: [string, Container, number, Partial<DownRule>, boolean][] = [
    ["a second before the time of the program", failed(), 39, {}, false],
    ["after the time of the program", failed(), 40, {}, true],
    ["the program has no time", failed(), 4000, { afterMs: null }, false],
    ["its label has a time and the program none", failed(labelled(5000)), 15, { afterMs: null }, true],
    ["its label has a shorter time", failed(labelled(5000)), 15, {}, true],
    ["its label has a longer time", failed(labelled(60_000)), 69, {}, false],
    ["its label says off", failed(labelled(0)), 4000, {}, false],
    ["it had ended before anything of its host was known", failed(), 4000, { knownSince: () => at(11) }, false],
    ["it was stopped", failed({ stopRequested: true }), 4000, {}, false],
    ["it is a job that is done", failed({ exitCode: 0 }), 4000, {}, false],
    ["it was killed for memory", failed({ exitCode: 137, oomKilled: true }), 40, {}, true],
    ["it could not be removed completely", failed({ state: "dead" }), 40, {}, true],
    ["it was never started", seen(undefined, { state: "created", errorDetail: "port is taken" }, 10), 4000, {}, false],
    ["it is ignored", failed({ settings: { ...defaultSettings, ignored: true } }), 4000, {}, false],
  ];
  for (const [name, container, seconds, rule, expected] of cases)
    it(`${name}: ${expected ? "down" : "not down"}`, () => assert.equal(isDownAt(container, seconds, rule), expected));
});

describe("a restart that nobody saw", () => {
  it("is an end and a start, though the engine does not know when it ended", () => {
    const current = running({ startedAt: at(0) });
    for (const finishedAt of [null, at(-60), at(40)]) {
      const decision = see(current, { startedAt: at(50), finishedAt, restartCount: 1 }, 60, "inventory");
      assert.deepEqual(
        decision?.transitions.map(({ newState, at: moment }) => [newState, moment]),
        [
          ["exited", finishedAt !== null && finishedAt > at(0) ? finishedAt : at(50)],
          ["running", at(50)],
        ],
      );
    }
  });

  it("counts once when it happens during a listing, whose news follow", () => {
    let container = running({ startedAt: at(0) });
    const steps: [Partial<ContainerSighting>, number, SightingSource][] = [
      [{ startedAt: at(12), finishedAt: at(11), restartCount: 1 }, 10, "inventory"],
      [{ state: "exited", exitCode: 1, startedAt: at(0), finishedAt: at(11), restartCount: 0 }, 11, "news"],
      [{ startedAt: at(12), finishedAt: at(11), restartCount: 1 }, 12, "news"],
      [{ startedAt: at(12), finishedAt: at(11), restartCount: 1 }, 300, "inventory"],
    ];
    const transitions = steps.flatMap(([facts, seconds, source]) => {
      const decision = see(container, facts, seconds, source);
      container = decision?.next ?? container;
      return decision?.transitions ?? [];
    });
    assert.deepEqual(
      transitions.map(({ newState, at: moment }) => [newState, moment]),
      [
        ["exited", at(11)],
        ["running", at(12)],
      ],
    );
    assert.equal(container.restartHistory.restarts.length, 1);
  });
});

describe("a sighting", () => {
  it("begins the history of a container that was not known", () => {
    assert.deepEqual(see(undefined, {}, 0)?.transitions, [
      {
        previousState: null,
        newState: "running",
        previousHealth: null,
        newHealth: null,
        healthFailure: null,
        exitCode: null,
        oomKilled: false,
        stopRequested: false,
        at: at(0),
      },
    ]);
  });

  it("is undefined when it is the same or older", () => {
    const current = running();
    assert.equal(see(current, {}, 5), undefined);
    assert.equal(see(current, { state: "exited", exitCode: 1 }, -5), undefined);
  });

  it("changes facts without a transition", () => {
    const decision = see(running(), { name: "renamed" }, 5);
    assert.equal(decision?.next.name, "renamed");
    assert.deepEqual(decision?.transitions, []);
  });

  it("takes the time of a change seen late from the container itself", () => {
    const [transition] = see(running(), { state: "exited", exitCode: 1, finishedAt: at(20) }, 300, "inventory")?.transitions ?? [];
    assert.deepEqual(transition?.at, at(20));
  });

  it("includes an end and a start that nobody saw", () => {
    const current = running({ startedAt: at(-10) });
    const { transitions } = see(current, { startedAt: at(50), finishedAt: at(40), exitCode: 3, restartCount: 1 }, 300, "inventory") ?? {};
    assert.deepEqual(
      transitions?.map(({ previousState, newState, exitCode, at: when }) => [previousState, newState, exitCode, when]),
      [
        ["running", "exited", 3, at(40)],
        ["exited", "running", null, at(50)],
      ],
    );
  });

  it("forgets the health of a container that does not run", () => {
    const unhealthy = running({ health: "unhealthy" });
    const [transition] = see(unhealthy, { state: "exited", exitCode: 1, health: "unhealthy" }, 5)?.transitions ?? [];
    assert.equal(transition?.previousHealth, "unhealthy");
    assert.equal(transition?.newHealth, null);
  });

  it("remembers how a container that runs again had ended", () => {
    const ended = seen(running(), { state: "restarting", exitCode: 137, oomKilled: true }, 5);
    const again = seen(ended, { startedAt: at(6), restartCount: 1 }, 6);
    assert.deepEqual([again.exitCode, again.oomKilled], [137, true]);
  });

  it("brings an archived container back", () => {
    const gone = archive(running(), at(10)).next;
    const decision = see(gone, {}, 20);
    assert.equal(decision?.next.archivedAt, null);
    assert.equal(decision?.transitions.length, 1);
  });

  it("keeps no history of an ignored container", () => {
    const settings = { ...defaultSettings, ignored: true };
    assert.deepEqual(see(undefined, { settings }, 0)?.transitions, []);
    assert.deepEqual(see(running({ settings }), { settings, state: "exited", exitCode: 1 }, 5)?.transitions, []);
  });

  it("masks secrets in labels and cleans names", () => {
    const { labels, name } = running({ labels: { "db.password": "hunter2", plain: "yes" }, name: "we\u001b[31mb\u202e\n" });
    assert.deepEqual(labels, { "db.password": "***", plain: "yes" });
    assert.equal(name, "web");
  });

  it("counts again after the runtime's clock went back an hour, once an inventory has come", () => {
    const current = running();
    assert.equal(see(current, { state: "exited", exitCode: 1 }, -3600), undefined);
    const put = seen(current, {}, -3590, "inventory");
    assert.equal(seen(put, { state: "exited", exitCode: 1 }, -3580).state, "exited");
  });
});

describe("unexpected restarts", () => {
  function crash(container: Container, seconds: number, facts: Partial<ContainerSighting> = {}): Container {
    return seen(container, { state: "exited", exitCode: 1, ...facts }, seconds);
  }
  function start(container: Container, seconds: number, facts: Partial<ContainerSighting> = {}): Container {
    return seen(container, { startedAt: at(seconds), ...facts }, seconds);
  }

  it("make a loop at the threshold, a critical one at three times that", () => {
    let container = running();
    const severities: (string | null)[] = [];
    for (let round = 1; round <= 9; round += 1) {
      container = start(crash(container, round * 10), round * 10 + 1, { restartCount: round });
      severities.push(container.restartHistory.loop?.severity ?? null);
    }
    assert.deepEqual(severities, [null, null, "warning", "warning", "warning", "warning", "warning", "warning", "critical"]);
  });

  for (const threshold of [100, 101, 301, 1000])
    it(`make a loop at a threshold of ${threshold} too, and a critical one at three times that`, () => {
      let history: RestartHistory = { restarts: [], loop: null };
      const first: Record<string, number> = {};
      for (let count = 1; count <= threshold * 3; count += 1) {
        history = countRestart(history, at(count / 10), threshold);
        first[history.loop?.severity ?? "none"] ??= count;
      }
      assert.deepEqual(first, { none: 1, warning: threshold, critical: threshold * 3 });
    });

  it("are not those that someone asked for", () => {
    let container = running();
    for (let round = 1; round <= 5; round += 1) {
      container = start(crash(container, round * 10, { stopRequested: true, exitCode: 143 }), round * 10 + 1);
    }
    assert.deepEqual(container.restartHistory, { restarts: [], loop: null });
  });

  it("are not the runs of a job that ends well and is started again manually", () => {
    let container = running();
    for (let round = 1; round <= 5; round += 1) container = start(crash(container, round * 10, { exitCode: 0 }), round * 10 + 1);
    assert.equal(container.restartHistory.loop, null);
  });

  it("are those of a container that ends well but is restarted by its policy", () => {
    let container = running();
    for (let round = 1; round <= 3; round += 1)
      container = start(crash(container, round * 10, { exitCode: 0 }), round * 10 + 1, { restartCount: round });
    assert.equal(container.restartHistory.loop?.severity, "warning");
  });

  it("spread over more than ten minutes make no loop", () => {
    let container = running();
    for (let round = 1; round <= 5; round += 1) container = start(crash(container, round * 301), round * 301 + 1, { restartCount: round });
    assert.equal(container.restartHistory.loop, null);
  });

  const loop = (severity: "warning" | "critical", since: number, ...restarts: number[]): RestartHistory => ({
    restarts: restarts.map(at),
    loop: { severity, since: at(since) },
  });

  it("continue with the one that takes the place of another, but not after that was given up for removed", () => {
    const before = { ...running(), id: 1, restartHistory: loop("critical", 10, 10, 20) };
    const next = sighting({ externalId: "next", createdAt: at(60) });
    assert.deepEqual(succeeded(before, next, at(60)).restartHistory, before.restartHistory);
    assert.deepEqual(succeeded({ ...before, removedAt: at(50) }, next, at(60)).restartHistory, { restarts: [], loop: null });
  });

  it("of two of which one takes the place of the other are those of both, and the worse loop is theirs", () => {
    assert.deepEqual(joinRestarts(loop("warning", 10, 10, 30), loop("critical", 20, 20)), loop("critical", 10, 10, 20, 30));
    const none: RestartHistory = { restarts: [at(5)], loop: null };
    assert.deepEqual(joinRestarts(none, loop("warning", 20, 20)), loop("warning", 20, 5, 20));
    assert.deepEqual(joinRestarts(none, none), { restarts: [at(5), at(5)], loop: null });
  });
});

describe("any sequence of sightings", () => {
  const facts = fc.record({
    state: fc.constantFrom("created", "running", "paused", "restarting", "exited", "dead"),
    health: fc.constantFrom("healthy", "unhealthy", "starting", null),
    exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
    oomKilled: fc.boolean(),
    stopRequested: fc.boolean(),
    restartCount: fc.nat(5),
    startedAt: fc.option(fc.nat(1000).map(at)),
    finishedAt: fc.option(fc.nat(1000).map(at)),
  });
  const sightings = fc.array(fc.tuple(facts, fc.integer({ min: -100, max: 1000 }), fc.constantFrom<SightingSource>("news", "inventory")), {
    maxLength: 40,
  });

  it("gives an unbroken history whose end is the state, and the same sighting twice changes nothing", () => {
    fc.assert(
      fc.property(sightings, (steps) => {
        let current: Container | undefined;
        let last: { newState: string; newHealth: string | null } | undefined;
        for (const [step, seconds, source] of steps) {
          const decision = see(current, step as Partial<ContainerSighting>, seconds, source);
          if (decision === undefined) continue;
          for (const transition of decision.transitions) {
            assert.equal(transition.previousState, last?.newState ?? null);
            assert.equal(transition.previousHealth, last?.newHealth ?? null);
            last = transition;
          }
          current = decision.next;
          assert.equal(current.state, last?.newState);
          assert.equal(current.health, last?.newHealth);
          assert.deepEqual(see(current, step as Partial<ContainerSighting>, seconds, source)?.transitions ?? [], []);
        }
      }),
    );
  });
});
