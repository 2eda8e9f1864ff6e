import { queryOptions } from "@tanstack/react-query";
import type { CreateBody, SimulateBody, Simulation, TriggerList, TriggerRecord, UpdateBody } from "../../../src/alerting/routing/api.ts";
import { deleteJson, getJson, postJson, putJson } from "./client.ts";

const TRIGGERS = "/api/v1/alert-triggers";

/** All triggers, by name. */
export const triggersQuery = queryOptions({
  queryKey: ["triggers"],
  queryFn: ({ signal }) => getJson<TriggerList>(TRIGGERS, { signal }),
});

export function createTrigger(body: CreateBody): Promise<TriggerRecord> {
  return postJson<TriggerRecord>(TRIGGERS, body);
}

/** What is left out stays as it is. */
export function updateTrigger(id: number, body: UpdateBody): Promise<TriggerRecord> {
  return putJson<TriggerRecord>(`${TRIGGERS}/${id}`, body);
}

export function deleteTrigger(id: number): Promise<void> {
  return deleteJson(`${TRIGGERS}/${id}`);
}

/** What such a trigger would have sent in the last 30 days. */
export function simulateTrigger(body: SimulateBody): Promise<Simulation> {
  return postJson<Simulation>(`${TRIGGERS}/simulate`, body);
}
