import { queryOptions } from "@tanstack/react-query";
import type { ComponentBody, ComponentUpdate, GroupBody, Order } from "../../../src/publishing/status/components/api.ts";
import type { ComponentRecord, GroupRecord } from "../../../src/publishing/status/components/answers.ts";
import { request } from "./client.ts";

/** The components of the status page, in its order, hidden ones too. */
export const componentsQuery = queryOptions({
  queryKey: ["status", "components"],
  queryFn: ({ signal }) => request("GET /api/v1/status/components", { signal }),
});

/** The groups of components, in the order of the page. */
export const groupsQuery = queryOptions({
  queryKey: ["status", "groups"],
  queryFn: ({ signal }) => request("GET /api/v1/status/groups", { signal }),
});

export function createComponent(body: ComponentBody): Promise<ComponentRecord> {
  return request("POST /api/v1/status/components", { body });
}

/** What is left out stays as it is. */
export function updateComponent(id: number, body: ComponentUpdate): Promise<ComponentRecord> {
  return request("PUT /api/v1/status/components/{id}", { params: { id }, body });
}

export function deleteComponent(id: number): Promise<void> {
  return request("DELETE /api/v1/status/components/{id}", { params: { id } });
}

export function createGroup(body: GroupBody): Promise<GroupRecord> {
  return request("POST /api/v1/status/groups", { body });
}

export function renameGroup(id: number, name: string): Promise<GroupRecord> {
  return request("PUT /api/v1/status/groups/{id}", { params: { id }, body: { name } });
}

/** Its components stay, without a group. */
export function deleteGroup(id: number): Promise<void> {
  return request("DELETE /api/v1/status/groups/{id}", { params: { id } });
}

/** Sets the whole order of the page at once. */
export async function saveOrder(order: Order): Promise<void> {
  await request("PUT /api/v1/status/order", { body: order });
}
