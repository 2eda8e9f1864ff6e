import type { Event, ResourceMetric } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { createSerial, hold } from "../../platform/queues.ts";
import { aboutContainer, type Containers, type SavedContainer } from "../containers/index.ts";
import type { Current } from "./current.ts";
import { createLimits, type LimitChange, type Limits, type ThresholdScope, type Breach, type BreachChange } from "./limits.ts";
import type { ResourceStore } from "./store.ts";
import type { Tick } from "./snapshot.ts";
import { createWatch, valueAt, type Verdict } from "./watch.ts";

/** Thresholds and their breaches: decided in memory, saved, and then published. */
export interface ThresholdWatch {
  start(): Promise<void>;
  /** Judges a tick that is newer than all before it of its host. Throws `storage_unavailable`; then nothing was changed. */
  take(tick: Tick): Promise<void>;
  /** Sets thresholds or takes them away, and ends at once what that makes an end of. `refuse` is called when its turn has come, and may throw. */
  set(change: LimitChange, refuse?: () => void): Promise<void>;
  /** Which apply to whom. */
  limits: Pick<Limits, "of" | "inherited" | "ids" | "scopes">;
  /** Containers that exceed a threshold now. */
  exceeded(): ReadonlySet<number>;
  breach(id: number, metric: ResourceMetric): Breach | null;
  /** The events of every threshold that is exceeded now. */
  announce(): Event[];
  /** Saves what has risen since the last time. */
  savePeaks(): Promise<void>;
  /** Deletes what ended before a time. */
  prune(endedBefore: Date, signal: AbortSignal): Promise<void>;
  /** Of containers that were deleted, and of their host. */
  forget(ids: Iterable<number>, host: ThresholdScope): void;
  /** Leaves all thresholds as they are, until the answer is called. */
  hold(): Promise<() => void>;
}

/** Ticks of several hosts may end each other's breaches, so all are judged one after another. */
const ONE_BY_ONE = "thresholds";

export function createThresholdWatch({
  store,
  current,
  containers,
  bus,
  clock,
}: {
  store: ResourceStore;
  current: Current;
  containers: Pick<Containers, "present" | "service">;
  bus: Bus<Event>;
  clock: Clock;
}): ThresholdWatch {
  const { present } = containers;
  const limits = createLimits(present.get);
  const watch = createWatch(limits);
  const serial = createSerial();
  const savedPeaks = new Map<string, number>();

  /** Saves a verdict, then applies it in memory, then publishes it. */
  async function carryOut({ changes, keep }: Verdict, save: (also: (unit: object) => Promise<void>) => Promise<void>): Promise<void> {
    const events = (await Promise.all(changes.map(eventOf))).filter((event) => event !== undefined);
    await save((unit) => bus.keep(unit, events));
    keep();
    for (const event of events) bus.publish(event);
  }

  /** undefined for a container that was deleted, and its breaches with it. */
  async function eventOf(change: BreachChange): Promise<Event | undefined> {
    const container = await find(change.breach.containerId);
    return container === undefined ? undefined : breachEvent(container, change);
  }

  function breachEvent(container: SavedContainer, { breach, end, value, debounceSeconds, at }: BreachChange): Event {
    const data = {
      ...aboutContainer(container, at),
      metric: breach.metric,
      value,
      threshold: breach.threshold,
      debounce_seconds: debounceSeconds,
    };
    return end === null ? { type: "resource.alert", data } : { type: "resource.recovery", data: { ...data, reason: end } };
  }

  async function find(id: number): Promise<SavedContainer | undefined> {
    try {
      return present.get(id) ?? (await containers.service.find(id));
    } catch (error) {
      if (isServiceError(error, "not_found")) return undefined;
      throw error;
    }
  }

  /** A container that a tick does not have: it is gone, or not watched any more. One that only does not run shows no health. */
  function isOver(id: number): boolean {
    const container = present.get(id);
    return container === undefined || container.settings.ignored;
  }

  function valueOf(id: number, metric: ResourceMetric): number | null {
    const container = present.get(id);
    const tick = container && current.tick(container.agentId);
    const place = tick?.placeOf(id);
    return tick === undefined || place === undefined ? null : valueAt(metric, tick.columns, place);
  }

  function forget(id: number): void {
    limits.keep({ kind: "container", id, thresholds: null });
    watch.forget(id);
  }

  return {
    async start() {
      limits.load(await store.thresholds(), await store.scopeThresholds());
      watch.load(await store.openBreaches());
    },
    take: (tick) =>
      serial(ONE_BY_ONE, async () => {
        const verdict = watch.judge(tick, isOver);
        if (verdict.changes.length === 0) verdict.keep();
        else await carryOut(verdict, (also) => store.saveChanges(verdict.changes, also));
      }),
    set: (change, refuse = () => undefined) =>
      serial(ONE_BY_ONE, async () => {
        refuse();
        const verdict = watch.reconsider(change, { valueOf, at: clock.now() });
        await carryOut(verdict, (also) => store.saveLimit(change, verdict.changes, also));
      }),
    limits,
    exceeded: () => new Set(watch.open().map(({ containerId }) => containerId)),
    breach: watch.breach,
    announce() {
      const at = clock.now();
      return watch.open().flatMap((breach) => {
        const container = present.get(breach.containerId);
        const debounceSeconds = limits.of(breach.containerId)?.thresholds.debounceSeconds ?? 0;
        return container === undefined ? [] : [breachEvent(container, { breach, end: null, value: breach.peak, debounceSeconds, at })];
      });
    },
    savePeaks: () =>
      serial(ONE_BY_ONE, async () => {
        const open = watch.open();
        const keyOf = ({ containerId, metric, firedAt }: Breach): string => `${containerId} ${metric} ${firedAt.getTime()}`;
        const risen = open.filter((breach) => savedPeaks.get(keyOf(breach)) !== breach.peak);
        if (risen.length > 0) await store.savePeaks(risen);
        savedPeaks.clear();
        for (const breach of open) savedPeaks.set(keyOf(breach), breach.peak);
      }),
    forget(ids, host) {
      for (const id of ids) forget(id);
      limits.keep({ kind: "scope", scope: host, thresholds: null });
    },
    hold: () => hold(serial, ONE_BY_ONE),
    async prune(endedBefore, signal) {
      while (!signal.aborted && (await store.prune(endedBefore)));
      const kept = await store.thresholds();
      // A deleted container's id is never given again, so nothing that came meanwhile is forgotten.
      for (const id of new Set([...limits.ids(), ...watch.ids()])) if (!kept.has(id) && present.get(id) === undefined) forget(id);
    },
  };
}
