import { z } from "zod";
import { SCOPES } from "../contract/scope.ts";
import type { Alert, Entity } from "./vocabulary.ts";

/** The group that a container is in now; undefined when it does not exist. */
export type GroupOf = (containerId: number) => string | undefined;

const agentId = z.union([z.literal("local"), z.uuid()]);

/** What an alert is about: the thing itself, its host, and the present groups of its containers. */
export function subjectsOf(alert: Alert, groupOf: GroupOf): Entity[] {
  return [
    alert.entity,
    { type: SCOPES.host, id: alert.agentId ?? "local" },
    ...[...groupsOf(alert, groupOf)].map((id) => ({ type: SCOPES.group, id })),
  ];
}

export function isSameEntity(one: Entity, other: Entity): boolean {
  return one.type === other.type && one.id === other.id;
}

/** The thing that a rule, silence or filter names; null and undefined are any. */
interface Named {
  type: string | null | undefined;
  id: string | null | undefined;
}

/** Whether an alert that is about these subjects is about the named thing. */
export function isNamed({ type, id }: Named, { entity }: Alert, subjects: readonly Entity[]): boolean {
  if (type != null && id != null) return subjects.some((subject) => isSameEntity(subject, { type, id }));
  return (type == null || type === entity.type) && (id == null || id === entity.id);
}

/** An endpoint is in the group of its container. A workload or service of a cluster is grouped by its label, else by its stack or namespace. */
function groupsOf({ entity, parents, labels, details }: Alert, groupOf: GroupOf): Set<string> {
  const ofContainers = [entity, ...parents].flatMap(({ type, id }) => (type === "container" ? (groupOf(Number(id)) ?? []) : []));
  if (ofContainers.length > 0) return new Set(ofContainers);
  const inCluster = details["stack"] ?? details["namespace"];
  const byLabel = Object.hasOwn(labels, "service.group") ? labels["service.group"]?.trim() : undefined;
  if (typeof inCluster !== "string") return new Set();
  return new Set([byLabel === undefined || byLabel === "" ? inCluster : byLabel]);
}

/** Writes the id of a host in its canonical form. */
export function readEntity({ type, id }: Entity): Entity {
  return { type, id: type === SCOPES.host ? id.toLowerCase() : id };
}

/** What is wrong with the id of a scope; undefined when it is valid. A group need not have a container yet. */
export function scopeFault({ type, id }: Named): string | undefined {
  if (type === SCOPES.group && id == null) return "Must name the group";
  if (type === SCOPES.host && id != null && !agentId.safeParse(id.toLowerCase()).success) return "Must be `local` or the UUID of an agent";
  return undefined;
}
