import { queryOptions } from "@tanstack/react-query";
import type { CreateBody, SimulateBody, UpdateBody } from "../../../src/alerting/routing/api.ts";
import type { Simulation, TriggerRecord } from "../../../src/alerting/routing/answers.ts";
import { request } from "./client.ts";

/** All triggers, by name. */
export const triggersQuery = queryOptions({
  queryKey: ["triggers"],
  queryFn: ({ signal }) => request("GET /api/v1/alert-triggers", { signal }),
});

export function createTrigger(body: CreateBody): Promise<TriggerRecord> {
  return request("POST /api/v1/alert-triggers", { body });
}

/** What is left out stays as it is. */
export function updateTrigger(id: number, body: UpdateBody): Promise<TriggerRecord> {
  return request("PUT /api/v1/alert-triggers/{id}", { params: { id }, body });
}

export function deleteTrigger(id: number): Promise<void> {
  return request("DELETE /api/v1/alert-triggers/{id}", { params: { id } });
}

/** What such a trigger would have sent in the last 30 days. */
export function simulateTrigger(body: SimulateBody): Promise<Simulation> {
  return request("POST /api/v1/alert-triggers/simulate", { body });
}
