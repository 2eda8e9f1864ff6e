import type { Event } from "../../events.ts";
import type { CheckResult } from "../../observations.ts";
import type { Bus } from "../../platform/bus.ts";
import { checkEvents, definitionEvents, removedEvents } from "./changes.ts";
import type { Head, Check } from "./checks/head.ts";
import { applyCheck, type CheckChange, isChecked, longestMs, mustBeSaved, type SavedEndpoint } from "./endpoint.ts";
import type { FitHosts } from "./host-limit.ts";
import type { Projection } from "./projection.ts";
import { definitionOf, type Step } from "./definition.ts";
import type { EndpointStore } from "./store.ts";
import { copyTally, countCheck, endStretch, newTally, type Tally } from "./tally.ts";

/** Everything that changes endpoints happens one after another under this key: what is in memory and what is stored stay the same. */
export const ONE_BY_ONE = "endpoints";

/** A check of a known endpoint, newer than those before. */
export interface TakenCheck {
  endpointId: number;
  check: Check;
  certificate: CheckResult["certificate"];
}

/** What endpoints become: decided, saved, kept in memory, and then published. Each call must wait for the one before. */
export interface Register {
  /** Carries out changes of definitions, and of whether they are checked; answers what they became. New ones of hosts that have too many are left out. Throws `storage_unavailable`; then nothing was changed. */
  change(steps: readonly Step[], now: Date): Promise<SavedEndpoint[]>;
  /** Takes checks in order, of each host by themselves. Throws `storage_unavailable`; then nothing was changed. */
  take(checks: readonly (readonly TakenCheck[])[]): Promise<void>;
  remove(endpoints: readonly SavedEndpoint[], now: Date): Promise<void>;
}

/** An endpoint after some checks that are not saved yet. */
interface Staged {
  endpoint: SavedEndpoint;
  checks: Check[];
  mustBeSaved: boolean;
}

export function createRegister({
  store,
  projection,
  fitHosts,
  head,
  bus,
  onChanged,
}: {
  store: EndpointStore;
  projection: Projection;
  fitHosts: FitHosts;
  head: Head;
  bus: Bus<Event>;
  /** Called when endpoints may be checked otherwise from now on. */
  onChanged(): void;
}): Register {
  /** Keeps what was saved; its days are in the database now. */
  function keepSaved(endpoint: SavedEndpoint, tally: Tally): void {
    tally.days.clear();
    projection.put(endpoint, tally);
  }

  async function remove(endpoints: readonly SavedEndpoint[], now: Date): Promise<void> {
    const all = endpoints.map((endpoint) => ({ endpoint, events: endpoint.inactiveSince === null ? removedEvents(endpoint, now) : [] }));
    await store.remove(
      endpoints.map(({ id }) => id),
      (unit, removed) =>
        bus.keep(
          unit,
          all.flatMap(({ endpoint, events }) => (removed.has(endpoint.id) ? events : [])),
        ),
    );
    for (const { endpoint, events } of all) {
      projection.remove(endpoint.id);
      head.drop(endpoint.id);
      for (const event of events) bus.publish(event);
    }
    onChanged();
  }

  async function saveSteps(steps: readonly Step[], now: Date): Promise<SavedEndpoint[]> {
    const changes = steps.map(({ previous, next }) => ({
      id: previous?.id,
      endpoint: next,
      tally: tallyAfter(previous, next, now),
      pause: next.paused === (previous?.paused ?? false) ? undefined : { isPaused: next.paused, at: now },
    }));
    const saved: SavedEndpoint[] = [];
    const events: Event[] = [];
    await store.save(changes, { checks: [], countedId: head.journalId() }, async (unit, ids) => {
      for (const [index, { previous, next: endpoint }] of steps.entries()) {
        const next = { ...endpoint, id: ids[index] ?? 0 };
        saved.push(next);
        events.push(...definitionEvents(previous, next, now));
      }
      await bus.keep(unit, events);
    });
    for (const [index, endpoint] of saved.entries()) keepSaved(endpoint, changes[index]?.tally ?? newTally());
    for (const event of events) bus.publish(event);
    return saved;
  }

  return {
    async change(wanted, now) {
      const { steps: all, makingRoom } = fitHosts(wanted);
      if (makingRoom.length > 0) await remove(makingRoom, now);
      const steps: Step[] = [];
      const others: SavedEndpoint[] = [];
      for (const step of all) {
        const { previous, next } = step;
        if (previous === undefined || isWorthSaving(previous, next)) steps.push(step);
        else others.push({ ...next, id: previous.id });
      }
      const saved = steps.length === 0 ? [] : await saveSteps(steps, now);
      for (const each of others) projection.put(each, projection.tally(each.id));
      onChanged();
      return [...saved, ...others];
    },

    async take(byHost) {
      const staged = new Map<number, Staged>();
      const applied: { host: number; previous: SavedEndpoint; next: SavedEndpoint; check: Check; change: CheckChange }[] = [];
      const taken = byHost.flatMap((checks, host) => checks.map((each) => ({ ...each, host })));
      for (const { host, endpointId, check: seen, certificate } of taken) {
        const before = staged.get(endpointId) ?? fromProjection(endpointId);
        if (before === undefined) continue;
        const { endpoint: previous } = before;
        const { next: state, change } = applyCheck(previous.state, seen, previous.check, certificate);
        const check = change === "alert" ? { ...seen, wentDown: true } : seen;
        const next = { ...previous, state };
        before.checks.push(check);
        staged.set(endpointId, {
          endpoint: next,
          checks: before.checks,
          mustBeSaved: before.mustBeSaved || mustBeSaved(previous.state, state),
        });
        applied.push({ host, previous, next, check, change });
      }
      if (applied.length === 0) return;
      const changes = [...staged.values()]
        .filter((each) => each.mustBeSaved)
        .map(({ endpoint, checks }) => ({
          id: endpoint.id,
          endpoint,
          tally: counted(copyTally(projection.tally(endpoint.id)), endpoint, checks),
        }));
      const checks = [...Map.groupBy(applied, ({ host }) => host).values()].map((ofHost) =>
        ofHost.map(({ next, check }) => ({ endpointId: next.id, check })),
      );
      const events = applied.flatMap(checkEvents);
      const { journalId } = await store.save(changes, { checks, countedId: head.journalId() }, (unit) => bus.keep(unit, events));
      head.reach(journalId);
      for (const { endpointId, check } of checks.flat()) head.add(endpointId, check);
      for (const { endpoint, tally } of changes) keepSaved(endpoint, tally);
      for (const { endpoint, checks: own, mustBeSaved: wasSaved } of staged.values())
        if (!wasSaved) projection.put(endpoint, counted(projection.tally(endpoint.id), endpoint, own));
      for (const event of events) bus.publish(event);
    },

    remove,
  };

  function fromProjection(id: number): Staged | undefined {
    const endpoint = projection.get(id);
    return endpoint === undefined ? undefined : { endpoint, checks: [], mustBeSaved: false };
  }

  /** What a host reports again after a restart is known already, except for what is never stored. */
  function isWorthSaving(previous: SavedEndpoint, next: Step["next"]): boolean {
    const isRecreated = next.container?.externalId !== previous.container?.externalId;
    const isMoved = next.agentId !== previous.agentId;
    return isRecreated || isMoved || next.state !== previous.state || definitionOf(next) !== definitionOf(previous);
  }

  /** A check no longer speaks for what comes after a pause, or after another definition. */
  function tallyAfter(previous: SavedEndpoint | undefined, next: Step["next"], now: Date): Tally {
    if (previous === undefined) return newTally();
    const tally = projection.tally(previous.id);
    const continues = isChecked(next) && previous.check.intervalMs === next.check.intervalMs && next.state === previous.state;
    if (continues) return tally;
    const ended = copyTally(tally);
    endStretch(ended, now.getTime(), longestMs(previous.check));
    return ended;
  }
}

function counted(tally: Tally, endpoint: SavedEndpoint, checks: readonly Check[]): Tally {
  for (const check of checks) countCheck(tally, check, longestMs(endpoint.check));
  return tally;
}
