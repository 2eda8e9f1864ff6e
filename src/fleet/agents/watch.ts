import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  type Agent,
  isSameHello,
  agentData,
  connectionOf,
  contactEvent,
  eventsBetween,
  spoolEvent,
  isConnected,
  nextRate,
} from "./agent.ts";
import { type Entry, type Roster, spoolOf } from "./roster.ts";
import type { AgentStore } from "./store.ts";

/** How often the time at which an agent was last seen is saved, if nothing else of it changed. */
const SEEN_SAVED_EVERY_MS = 30_000;

/** If this program could not listen for longer than this, it stood still. */
const STOOD_STILL_MS = 5_000;

export interface Watch {
  /**
   * To be called every second while there are agents, and before one is admitted. While this program stood still no message could arrive, so no agent
   * counts as silent.
   */
  listen(): void;
  /**
   * Finds agents that are no longer connected, saves what the listener noted, and publishes the changes. Throws `storage_unavailable`; nothing is
   * lost by that.
   */
  evaluate(): Promise<void>;
  /** Saves everything that is not saved. */
  finish(): Promise<void>;
  /** Publishes what another part has saved. */
  publish(entry: Entry, saved: Partial<Agent>): void;
  /** The events of all agents that are disconnected now, or were revoked. */
  announce(): Event[];
}

export interface WatchParts {
  roster: Roster;
  store: Pick<AgentStore, "saveLive">;
  bus: Bus<Event>;
  clock: Clock;
  staleMs: number;
}

export function createWatch({ roster, store, bus, clock, staleMs }: WatchParts): Watch {
  let evaluatedMs = clock.monotonicMs();
  let listenedMs = evaluatedMs;

  function listen(): void {
    const nowMs = clock.monotonicMs();
    const awayMs = nowMs - listenedMs;
    listenedMs = nowMs;
    if (roster.count() === 0) evaluatedMs = nowMs;
    if (awayMs > STOOD_STILL_MS) for (const { contact } of roster.all()) contact.seenMs += awayMs;
  }

  function judge(entry: Entry, nowMs: number): void {
    const { agent } = entry;
    entry.rate = nextRate(entry.rate, entry.uncounted, nowMs - evaluatedMs);
    if (nowMs > evaluatedMs) entry.uncounted = 0;
    if (agent.status === "active" && agent.lostSince === null && !isConnected(entry.contact, { nowMs, staleMs }))
      entry.agent = { ...agent, lostSince: agent.lastSeenAt };
  }

  async function save(isDue: (entry: Entry) => boolean): Promise<void> {
    const due = [...roster.all()].filter(isDue).map((entry) => ({ entry, agent: entry.agent }));
    if (due.length === 0) return;
    await store.saveLive(due.map(({ agent }) => agent));
    for (const { entry, agent } of due) {
      entry.saved = agent;
      // The deletion of an agent is published where it is deleted.
      if (roster.get(agent.id) === entry) publish(entry, liveOf(agent));
    }
  }

  function publish(entry: Entry, saved: Partial<Agent>): void {
    const next = { ...entry.published, ...saved };
    const events = eventsBetween(entry.published, next, clock.now());
    entry.published = next;
    for (const event of events) bus.publish(event);
  }

  return {
    publish,
    listen,
    async evaluate() {
      listen();
      const nowMs = clock.monotonicMs();
      for (const entry of roster.all()) judge(entry, nowMs);
      evaluatedMs = nowMs;
      await save(isWorthSaving);
      for (const entry of roster.all()) {
        if (entry.isSpoolPublished) continue;
        entry.isSpoolPublished = true;
        bus.publish(spoolEvent(entry.published, spoolOf(entry), clock.now()));
      }
    },
    finish: () => save(({ agent, saved }) => agent !== saved),
    announce: () => [...roster.all()].flatMap(({ published }) => standing(published, clock.now())),
  };
}

/** A revocation is listed for good, with its time: its host is never seen again. */
function standing(agent: Agent, now: Date): Event[] {
  if (agent.status === "revoked")
    return [{ type: "agent.revoked", data: { ...agentData(agent, agent.revokedAt ?? now), previous_status: "active" } }];
  return agent.lostSince === null ? [] : [contactEvent(agent, connectionOf(agent), now)];
}

function isWorthSaving({ agent, saved }: Entry): boolean {
  return (
    agent !== saved &&
    (agent.awaited !== saved.awaited ||
      agent.lostSince?.getTime() !== saved.lostSince?.getTime() ||
      agent.spoolDropped !== saved.spoolDropped ||
      !isSameHello(agent, saved) ||
      Math.abs(agent.lastSeenAt.getTime() - saved.lastSeenAt.getTime()) >= SEEN_SAVED_EVERY_MS)
  );
}

/** The fields that streams change; label and status are changed elsewhere. */
function liveOf({ label: _label, status: _status, revokedAt: _revokedAt, ...live }: Agent): Partial<Agent> {
  return live;
}
