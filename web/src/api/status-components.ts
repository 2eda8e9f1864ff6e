import { queryOptions } from "@tanstack/react-query";
import type {
  ComponentBody,
  ComponentList,
  ComponentRecord,
  ComponentUpdate,
  GroupBody,
  GroupList,
  GroupRecord,
  Order,
} from "../../../src/publishing/status/components/api.ts";
import { deleteJson, getJson, postJson, putJson } from "./client.ts";

const COMPONENTS = "/api/v1/status/components";
const GROUPS = "/api/v1/status/groups";

/** The components of the status page, in its order, hidden ones too. */
export const componentsQuery = queryOptions({
  queryKey: ["status", "components"],
  queryFn: ({ signal }) => getJson<ComponentList>(COMPONENTS, { signal }),
});

/** The groups of components, in the order of the page. */
export const groupsQuery = queryOptions({
  queryKey: ["status", "groups"],
  queryFn: ({ signal }) => getJson<GroupList>(GROUPS, { signal }),
});

export function createComponent(body: ComponentBody): Promise<ComponentRecord> {
  return postJson<ComponentRecord>(COMPONENTS, body);
}

/** What is left out stays as it is. */
export function updateComponent(id: number, body: ComponentUpdate): Promise<ComponentRecord> {
  return putJson<ComponentRecord>(`${COMPONENTS}/${id}`, body);
}

export function deleteComponent(id: number): Promise<void> {
  return deleteJson(`${COMPONENTS}/${id}`);
}

export function createGroup(body: GroupBody): Promise<GroupRecord> {
  return postJson<GroupRecord>(GROUPS, body);
}

export function renameGroup(id: number, name: string): Promise<GroupRecord> {
  return putJson<GroupRecord>(`${GROUPS}/${id}`, { name });
}

/** Its components stay, without a group. */
export function deleteGroup(id: number): Promise<void> {
  return deleteJson(`${GROUPS}/${id}`);
}

/** Sets the whole order of the page at once. */
export async function saveOrder(order: Order): Promise<void> {
  await putJson("/api/v1/status/order", order);
}
