import type { QueryClient } from "@tanstack/react-query";
import type { MonitorDeed } from "./alert-acts.ts";
import { silenceEntity } from "./alert-queries.ts";
import { deleteEndpoint, endpointsQuery, setEndpointPaused } from "./endpoint-queries.ts";
import { deleteHeartbeat, heartbeatsQuery, setHeartbeatPaused } from "./heartbeat-queries.ts";
import { withoutRow } from "./live-heartbeats.ts";

type Monitor = MonitorDeed["monitor"];

/** Pauses or resumes a monitor; the list shows what was answered at once, as events come a moment later. */
export async function setMonitorPaused(queryClient: QueryClient, { type, id }: Monitor, isPaused: boolean): Promise<void> {
  if (type === "endpoint") {
    const record = await setEndpointPaused(id, isPaused);
    queryClient.setQueryData(
      endpointsQuery().queryKey,
      (list) => list && { ...list, endpoints: list.endpoints.map((each) => (each.id === id ? record : each)) },
    );
  } else {
    const record = await setHeartbeatPaused(id, isPaused);
    queryClient.setQueryData(
      heartbeatsQuery.queryKey,
      (list) => list && { ...list, heartbeats: list.heartbeats.map((each) => (each.id === id ? record : each)) },
    );
  }
}

/** Deletes a monitor with its history. */
export async function deleteMonitor(queryClient: QueryClient, { type, id }: Monitor): Promise<void> {
  if (type === "endpoint") {
    await deleteEndpoint(id);
    queryClient.setQueryData(
      endpointsQuery().queryKey,
      (list) => list && { ...list, endpoints: list.endpoints.filter((each) => each.id !== id) },
    );
  } else {
    await deleteHeartbeat(id);
    queryClient.setQueryData(heartbeatsQuery.queryKey, (list) => list && withoutRow(list, id));
  }
}

/** Silences all alerts about a monitor, a container, a group or a host until then. */
export async function silenceAbout(
  { type, id, name }: { type: string; id: string | number; name: string },
  { by, until }: { by: string; until: string },
): Promise<void> {
  await silenceEntity({ entity_type: type, entity_id: String(id) }, { reason: `Silenced: ${name}`, by, until });
}
