import { MINUTE_MS } from "../../../contract/time.ts";
import type { Event } from "../../../events.ts";
import type { Observation } from "../../../observations.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { Serial } from "../../../platform/queues.ts";
import type { Containers, SavedContainer } from "../../containers/index.ts";
import type { Allocations } from "./usage.ts";
import { beginComparison, type Comparison, endComparison, foundWorse, comparedEvent, mayAlert, earlyTroubleOf } from "./comparison.ts";
import { goneRun, type ImageRun, runNameOf, stepOf } from "./image-run.ts";
import { keyOf, type ComparisonProjection } from "./projection.ts";
import type { ComparisonStore, RunSaving } from "./store.ts";

/** Follows which image runs under which name, and begins a comparison whenever that is another one. */
export interface Follow {
  /** All that is there: what changed while the program did not run. */
  begin(): Promise<void>;
  /** The containers know already what the same observations say. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  forgetHost(agentId: string): void;
}

/** What follows, evaluates and forgets the comparisons of updates. */
export interface ComparisonParts {
  store: ComparisonStore;
  projection: ComparisonProjection;
  containers: Pick<Containers, "present" | "service">;
  allocations: Allocations;
  bus: Bus<Event>;
  clock: Clock;
  serial: Serial;
  log: Log;
  /** Regressions raise alerts. */
  alerts: boolean;
}

/** Names that are followed. */
export const MOST_RUNS = 5000;
/** All changes of runs and comparisons are made one after another. */
export const ONE_BY_ONE = "runs";
/** How many of them give way at once to new ones. */
const GIVE_WAY = 200;
/** Saved in one go. */
const CHUNK = 128;
/** Between two readings of how many CPUs the containers of a host may use. */
const LEARN_EVERY_MS = MINUTE_MS;

interface Taken extends RunSaving {
  /** The container whose regression is over, as it was published last. */
  over: SavedContainer | undefined;
}

export function createFollow({ store, projection, containers, allocations, bus, clock, serial, log, alerts }: ComparisonParts): Follow {
  const { present } = containers;
  const learntAt = new Map<string | null, number>();
  let warnedFull = false;

  async function take(ids: Iterable<number | undefined>): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => id !== undefined);
    for (let from = 0; from < wanted.length; from += CHUNK) await takeSome(wanted.slice(from, from + CHUNK));
    for (const id of wanted) await reportEarlyTrouble(id);
  }

  /** What does not run, is unhealthy or restarts before the first evaluation of its figures does worse at once. */
  async function reportEarlyTrouble(id: number): Promise<void> {
    const container = present.get(id);
    const name = container === undefined ? undefined : runNameOf(container);
    if (container === undefined || name === undefined) return;
    const run = projection.get(container.agentId ?? "local", name);
    const comparison = run?.containerId === id ? projection.comparison(run.comparisonId) : undefined;
    if (comparison?.evaluation !== 0 || comparison.dueAt === null) return;
    const at = clock.now();
    const trouble = earlyTroubleOf(container, comparison);
    if (trouble === undefined || comparison.changes[0]?.text === trouble.text) return;
    const next = foundWorse(comparison, trouble, { at, alerting: alerts && mayAlert(container) });
    if (!(await store.saveEvaluation(comparison, next))) return;
    projection.putComparison(next);
    bus.publish(comparedEvent(next, container, at));
  }

  /** What is decided of one name waits for nothing but itself: two containers of one name are taken one after another. */
  async function takeSome(ids: readonly number[]): Promise<void> {
    let pending = new Map<string, Taken>();
    for (const id of ids) {
      const container = present.get(id);
      const name = container === undefined ? undefined : runNameOf(container);
      if (container === undefined || name === undefined) continue;
      const key = keyOf({ host: container.agentId ?? "local", name });
      if (pending.has(key)) {
        await save([...pending.values()]);
        pending = new Map();
      }
      const taken = await decide(container, name, pending.size);
      if (taken !== undefined) pending.set(key, taken);
    }
    await save([...pending.values()]);
  }

  async function decide(container: SavedContainer, name: string, pending: number): Promise<Taken | undefined> {
    const run = projection.get(container.agentId ?? "local", name);
    const holder = run === undefined ? undefined : present.get(run.containerId);
    const step = stepOf(run, container, holder !== undefined && runNameOf(holder) === name ? holder : undefined);
    if (step === undefined) return undefined;
    if (step.kind === "first") return (await hasRoom(pending)) ? { run: step.next, over: undefined } : undefined;
    if (step.kind === "continued") return { run: step.next, over: undefined };
    const { previous, next } = step;
    const known = previous.containerId === container.id ? undefined : await findContainer(previous.containerId);
    const until = endOf(previous, known, next.since);
    const latest = projection.comparison(previous.comparisonId);
    return {
      run: next,
      begun: beginComparison(previous, next, { until, cpus: allocations.get(previous.containerId) }),
      ...(latest !== undefined && { ended: endComparison(latest) }),
      over: latest?.alerting === true ? known : undefined,
    };
  }

  async function save(taken: readonly Taken[]): Promise<void> {
    if (taken.length === 0) return;
    const saved = await store.save(taken);
    for (const [index, { run, begun }] of saved.entries()) {
      const { ended, over } = taken[index] ?? {};
      projection.put(run);
      if (begun !== undefined) projection.putComparison(begun);
      const now = clock.now();
      if (ended !== undefined && over !== undefined) bus.publish(comparedEvent(ended, over, now));
      const container = present.get(run.containerId);
      if (begun === undefined || container === undefined) continue;
      log.info({ container: run.name, agent_id: container.agentId, comparison: begun.id }, "image changed; figures will be compared");
      bus.publish(comparedEvent(begun, container, now));
    }
  }

  /** Marks what nothing runs any more; a regression of it is over. */
  async function notice(agentId: string | null): Promise<void> {
    const host = agentId ?? "local";
    const gone = [...projection.all()].filter((run) => run.host === host && run.goneAt === null && !isThere(run));
    for (let from = 0; from < gone.length; from += CHUNK) await noticeSome(gone.slice(from, from + CHUNK));
  }

  /** Its container may have moved to another host. */
  function isThere({ containerId, host }: ImageRun): boolean {
    const container = present.get(containerId);
    return container !== undefined && (container.agentId ?? "local") === host;
  }

  async function noticeSome(gone: readonly ImageRun[]): Promise<void> {
    const now = clock.now();
    const savings: (RunSaving & { over: Comparison | undefined })[] = gone.map((run) => {
      const latest = projection.comparison(run.comparisonId);
      // What is not over is evaluated all the same: the container may come back under its name.
      const over = latest?.alerting === true ? { ...latest, alerting: false } : undefined;
      return { run: goneRun(run, now), ...(over !== undefined && { ended: over }), over };
    });
    await store.save(savings);
    for (const { run, over } of savings) {
      projection.put(run);
      if (over === undefined) continue;
      projection.putComparison(over);
      const container = await findContainer(run.containerId);
      if (container !== undefined) bus.publish(comparedEvent(over, container, now));
    }
  }

  async function findContainer(id: number): Promise<SavedContainer | undefined> {
    try {
      return await containers.service.find(id);
    } catch (error) {
      if (isServiceError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** Names that nothing has any more give way, the longest gone first. */
  async function hasRoom(pending: number): Promise<boolean> {
    if (projection.size() + pending < MOST_RUNS) return true;
    const oldest = [...projection.gone()].sort((a, b) => (a.goneAt?.getTime() ?? 0) - (b.goneAt?.getTime() ?? 0)).slice(0, GIVE_WAY);
    if (oldest.length > 0) await store.removeRuns(oldest);
    for (const run of oldest) projection.remove(run);
    if (projection.size() + pending < MOST_RUNS) return true;
    if (!warnedFull) log.warn({ most: MOST_RUNS }, "too many names of containers: of further ones updates are not compared");
    warnedFull = true;
    return false;
  }

  function learn(agentId: string | null, { readings }: Observation & { kind: "resources.sampled" }): void {
    const nowMs = clock.monotonicMs();
    if (nowMs - (learntAt.get(agentId) ?? -Infinity) < LEARN_EVERY_MS) return;
    learntAt.set(agentId, nowMs);
    allocations.learn(readings, (externalId) => present.find(agentId, externalId)?.id);
  }

  return {
    begin: () =>
      serial(ONE_BY_ONE, async () => {
        await take(present.ids());
        for (const host of new Set([...projection.all()].map((run) => run.host))) await notice(host === "local" ? null : host);
      }),
    forgetHost: (agentId) => void learntAt.delete(agentId),
    async observe(agentId, observations) {
      const seen: (number | undefined)[] = [];
      let someGone = false;
      for (const observation of observations) {
        if (observation.kind === "resources.sampled") learn(agentId, observation);
        if (observation.kind === "container.seen") seen.push(present.find(agentId, observation.container.externalId)?.id);
        if (observation.kind === "container.inventory")
          seen.push(...observation.containers.map(({ externalId }) => present.find(agentId, externalId)?.id));
        someGone ||= observation.kind === "container.gone" || observation.kind === "container.inventory";
      }
      if (seen.length === 0 && !someGone) return;
      await serial(ONE_BY_ONE, async () => {
        await take(seen);
        if (someGone) await notice(agentId);
      });
    },
  };
}

/** When a run was over: when its container ended, or was removed. */
function endOf(run: ImageRun, container: SavedContainer | undefined, changedAt: Date): Date {
  if (container === undefined) return run.goneAt ?? changedAt;
  const hasEnded = container.state === "exited" || container.state === "completed" || container.state === "dead";
  return hasEnded ? container.lastStateChangeAt : (container.archivedAt ?? changedAt);
}
