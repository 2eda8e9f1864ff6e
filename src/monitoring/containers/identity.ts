import type { RuntimeKind } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";

/** What names a container for those who re-create it. */
interface Named {
  name: string;
  labels: Readonly<Record<string, string>>;
  runtime: RuntimeKind;
  unit: string | null;
}

interface Identified {
  identity: string;
  /** The runtime's own. */
  externalId: string;
}

const COMPOSE = "com.docker.compose.";
const SWARM = "com.docker.swarm.";

/**
 * What stays the same over re-creations, unique on its host: the service with its number in Compose, the service with its slot in Swarm, the workload with
 * its kind in Kubernetes, else the name.
 * Source: contract, section 19.
 */
export function identityOf({ name, labels, runtime, unit }: Named): string {
  if (runtime === "kubernetes" && unit !== null) return `kubernetes:${name}/${cleanName(unit)}`;
  const [project, service, number] = ["project", "service", "container-number"].map((label) => labels[COMPOSE + label]);
  const isOnce = labels[`${COMPOSE}oneoff`]?.toLowerCase() === "true";
  if (project && service && number && !isOnce) return `compose:${project}/${service}/${number}`;
  const slot = slotOf(labels);
  if (slot) return `swarm:${labels[`${SWARM}service.name`]}/${slot}`;
  return `name:${name}`;
}

/** Whether another one of this identity may be on another host one day: a slot of a swarm is wherever its task runs. */
export function mayMove({ identity }: Pick<Identified, "identity">): boolean {
  return identity.startsWith("swarm:");
}

/** Of the container of a task named `SERVICE.SLOT.TASK`, or `SERVICE.NODE.TASK` of a global service. */
export function slotOf(labels: Named["labels"]): string | undefined {
  const [service, task] = ["service", "task"].map((what) => labels[`${SWARM}${what}.name`]);
  return service && task?.startsWith(`${service}.`) ? task.slice(service.length + 1).split(".")[0] : undefined;
}

/** The identity of one that is there beside the container whose place it may take, or had. */
export function besides(identity: string, externalId: string): string {
  return `${identity}#${externalId}`;
}

/** Whether it is there beside another that has the identity of both. */
export function isBeside({ identity, externalId }: Identified): boolean {
  return identity.endsWith(`#${externalId}`);
}

/** The identity that it has, or would have if it were alone. */
export function ownIdentity(container: Identified): string {
  return isBeside(container) ? container.identity.slice(0, -(container.externalId.length + 1)) : container.identity;
}
