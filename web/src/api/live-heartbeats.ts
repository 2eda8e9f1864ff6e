import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { EventData } from "../../../src/events.ts";
import type { HeartbeatDetail, HeartbeatList, HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { coalesce } from "./coalesce.ts";
import { heartbeatQuery, heartbeatsQuery } from "./heartbeat-queries.ts";
import type { LiveUpdates } from "./live-stream.ts";

type HeartbeatEvent = EventData["heartbeat.created"];

/** Keeps cached heartbeats up to date by their events. What an event does not contain is read again, for the heartbeats it is about. */
export function createHeartbeatUpdates(queryClient: QueryClient): LiveUpdates<"heartbeat"> {
  const changedIds = new Set<number>();

  /** Its next expected time, its runs and pings. */
  const changedSoon = coalesce(
    () => {
      reread(heartbeatsQuery.queryKey);
      for (const id of changedIds) reread(["heartbeat", id]);
      changedIds.clear();
    },
    { quietMs: 250, longestMs: 1000 },
  );

  function reread(queryKey: QueryKey): void {
    void queryClient.invalidateQueries({ queryKey });
  }

  function changed(event: HeartbeatEvent): void {
    queryClient.setQueryData(heartbeatsQuery.queryKey, (list) => list && patchInList(list, event));
    queryClient.setQueryData(
      heartbeatQuery(event.id).queryKey,
      (detail): HeartbeatDetail | undefined => detail && { ...detail, heartbeat: patchHeartbeat(detail.heartbeat, event) },
    );
    changedIds.add(event.id);
    changedSoon.call();
  }

  return {
    events: {
      "heartbeat.created": changed,
      "heartbeat.pinged": changed,
      "heartbeat.deadline_missed": changed,
      "heartbeat.recovered": changed,
      "heartbeat.updated": changed,
      "heartbeat.deleted": ({ id }) => {
        queryClient.setQueryData(heartbeatsQuery.queryKey, (list) => list && withoutRow(list, id));
        changedIds.add(id);
        changedSoon.call();
      },
    },
    reread() {
      reread(heartbeatsQuery.queryKey);
      reread(["heartbeat"]);
    },
    cancel: () => changedSoon.cancel(),
  };
}

/** The facts of an event about a heartbeat, put into its record. */
export function patchHeartbeat(record: HeartbeatRecord, event: HeartbeatEvent): HeartbeatRecord {
  return {
    ...record,
    name: event.name,
    status: event.status,
    status_changed_at: event.status === record.status ? record.status_changed_at : event.timestamp,
    reason: event.reason,
    failing_since: event.failing_since,
    last_ping_at: event.last_ping_at,
    next_deadline_at: event.next_deadline_at,
    current_run_started_at: event.current_run_started_at,
    last_exit_code: event.last_exit_code,
    last_duration_ms: event.last_duration_ms,
  };
}

/** The list with the facts of an event in one of its rows; the other rows stay the same objects. */
export function patchInList(list: HeartbeatList, event: HeartbeatEvent): HeartbeatList {
  if (!list.heartbeats.some(({ id }) => id === event.id)) return list;
  return { ...list, heartbeats: list.heartbeats.map((record) => (record.id === event.id ? patchHeartbeat(record, event) : record)) };
}

/** The list without a row. */
export function withoutRow(list: HeartbeatList, id: number): HeartbeatList {
  const heartbeats = list.heartbeats.filter((record) => record.id !== id);
  return { ...list, heartbeats, total: list.total - (list.heartbeats.length - heartbeats.length) };
}
