import { randomUUID } from "node:crypto";
import { DAY_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { CreateBody, ListQuery, PageQuery, UpdateBody } from "./api.ts";
import { completeSettings } from "./settings.ts";
import type { DailyUptime, ExecutionList, HeartbeatDetail, HeartbeatRecord, PingList } from "./answers.ts";
import { createHeartbeatBulk, type HeartbeatBulk } from "./bulk.ts";
import { lifeEvent, ONE_BY_ONE, type SavedHeartbeat, updatedEvent } from "./changes.ts";
import { type Change, createHeartbeat, edit, pause, resume, standingOf } from "./heartbeat.ts";
import type { PingIntake } from "./pings.ts";
import type { HistoryStore } from "./history-store.ts";
import { executionRecord, heartbeatRecord, pingRecord, pingUrl } from "./records.ts";
import type { HeartbeatParts } from "./serving.ts";
import { snippetsFor } from "./snippets.ts";
import { savingOf } from "./store.ts";
import { countTime, type Day, uptimePercent } from "./uptime.ts";

/** What can be asked of heartbeats. Those that take an id throw `not_found`; those that change, `storage_unavailable`. */
export interface HeartbeatService extends PingIntake {
  /** The list as JSON bytes. */
  list(filter: ListQuery): Buffer;
  detail(id: number): HeartbeatDetail;
  /** Throws `unusable_values` when the settings do not fit together. */
  create(body: CreateBody): Promise<HeartbeatRecord>;
  /** Creates and changes many by the caller's keys. */
  setUp: HeartbeatBulk;
  update(id: number, body: UpdateBody): Promise<HeartbeatRecord>;
  /** Its address answers 404 from then on; its history is deleted in the background. */
  remove(id: number): Promise<void>;
  pause(id: number): Promise<HeartbeatRecord>;
  resume(id: number): Promise<HeartbeatRecord>;
  /** Newest first. */
  pings(id: number, page: PageQuery): Promise<PingList>;
  /** Newest first; `until`: those that were reported by then. */
  executions(id: number, page: PageQuery & { until?: Date | undefined }): Promise<ExecutionList>;
  /** Newest day first; days are UTC. */
  dailyUptime(id: number, days: number): Promise<DailyUptime>;
}

export interface HeartbeatServiceDependencies extends HeartbeatParts {
  history: HistoryStore;
  intake: PingIntake;
  baseUrl: string;
}

export function createHeartbeatService({
  store,
  history,
  projection,
  intake,
  serving,
  serial,
  bus,
  clock,
  baseUrl,
}: HeartbeatServiceDependencies): HeartbeatService {
  const record = (heartbeat: SavedHeartbeat): HeartbeatRecord => heartbeatRecord(heartbeat, baseUrl);

  function find(id: number): SavedHeartbeat {
    const heartbeat = projection.get(id);
    if (heartbeat === undefined) throw new ServiceError("not_found", `There is no heartbeat ${id}.`);
    return heartbeat;
  }

  /** Decides by its state when its turn has come, saves, and publishes. A decision of undefined leaves it unchanged. */
  function change(
    id: number,
    what: "edited" | "paused" | "resumed",
    decide: (before: SavedHeartbeat, now: Date) => Change | undefined,
  ): Promise<HeartbeatRecord> {
    return serial(ONE_BY_ONE, async () => {
      const before = find(id);
      const now = clock.now();
      const decided = decide(before, now);
      if (decided === undefined) return record(before);
      const pausing = what === "edited" ? undefined : { isPaused: what === "paused", at: now };
      const saving = { ...savingOf(id, decided), pause: pausing };
      const { next } = saving;
      const event = updatedEvent(before, next, { at: now, change: what });
      await store.setUp({ created: [], changed: [saving] }, (unit) => bus.keep(unit, [event]));
      projection.put(next);
      bus.publish(event);
      return record(next);
    });
  }

  return {
    ...intake,
    list: projection.listBody,
    detail(id) {
      const heartbeat = find(id);
      const { name, schedule, uuid } = heartbeat;
      return { heartbeat: record(heartbeat), snippets: snippetsFor({ name, schedule, url: pingUrl(uuid, baseUrl) }) };
    },
    async create(body) {
      const settings = completeSettings(body);
      const now = clock.now();
      const heartbeat = createHeartbeat(settings, { uuid: randomUUID(), now });
      const events: Event[] = [];
      const saved = await store.setUp({ created: [heartbeat], changed: [] }, async (unit, created) => {
        events.push(...created.map((each) => lifeEvent("heartbeat.created", each, now)));
        await bus.keep(unit, events);
      });
      const created = { ...heartbeat, id: saved[0]?.id ?? 0 };
      projection.put(created);
      for (const event of events) bus.publish(event);
      return record(created);
    },
    setUp: createHeartbeatBulk({ store, projection, serving, serial, bus, clock, baseUrl }),
    update: (id, body) => change(id, "edited", (before, now) => edit(before, completeSettings(body, before), now, serving.times())),
    remove: (id) =>
      serial(ONE_BY_ONE, async () => {
        const heartbeat = find(id);
        const now = clock.now();
        const event = lifeEvent("heartbeat.deleted", heartbeat, now);
        await store.markDeleted(id, now, (unit) => bus.keep(unit, [event]));
        projection.remove(id);
        bus.publish(event);
      }),
    pause: (id) => change(id, "paused", (before, now) => (before.status === "paused" ? undefined : pause(before, now, serving.times()))),
    resume: (id) => change(id, "resumed", (before, now) => (before.status === "paused" ? resume(before, now, serving.times()) : undefined)),
    async pings(id, page) {
      find(id);
      const { pings, total } = await history.pings(id, page);
      return { heartbeat_id: id, pings: pings.map(pingRecord), total, has_more: page.offset + pings.length < total };
    },
    async executions(id, page) {
      find(id);
      const { executions, total } = await history.executions(id, page);
      const records = executions.map(executionRecord);
      return { heartbeat_id: id, executions: records, total, has_more: page.offset + records.length < total };
    },
    async dailyUptime(id, days) {
      const heartbeat = find(id);
      const now = clock.now();
      const todayMs = now.getTime() - (now.getTime() % DAY_MS);
      const fromMs = todayMs - (days - 1) * DAY_MS;
      const { tally, past } = countTime(heartbeat.tally, standingOf(heartbeat), now, serving.times().gaps);
      const before = (await history.days([id], fromMs)).get(id) ?? [];
      const known = new Map([...before, ...past, tally].map((day) => [day.startMs, day]));
      return { days: Array.from({ length: days }, (_, index) => dayRecord(todayMs - index * DAY_MS, known)) };
    },
  };
}

function dayRecord(startMs: number, known: ReadonlyMap<number, Day>): DailyUptime["days"][number] {
  const day = known.get(startMs);
  return {
    date: new Date(startMs).toISOString().slice(0, 10),
    uptime_percent: day === undefined ? null : uptimePercent(day),
    checks: day?.checks ?? 0,
    incidents: day?.incidents ?? 0,
  };
}
