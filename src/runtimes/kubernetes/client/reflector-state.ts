import type { ApiRefusal } from "./client.ts";
import { type ApiResource, resourceName } from "./resource.ts";

export interface ReflectorState {
  /** `refused` by RBAC or since credentials are not accepted; `absent`: the cluster has no such kind; `unreachable`: the API server does not answer. */
  status: "starting" | "watching" | "refused" | "absent" | "unreachable";
  /** What is wrong and what helps, as a sentence; null when nothing is. */
  reason: string | null;
  /** Whether all that there was at some time was listed. */
  isListed: boolean;
}

export const STARTING: ReflectorState = { status: "starting", reason: null, isListed: false };

/** The worst first. */
const ORDER = ["unreachable", "refused", "absent", "starting", "watching"] as const satisfies readonly ReflectorState["status"][];

/** The state of a resource whose namespaces are followed one by one: the worst of them, and complete when all are. */
export function stateOfAll(states: readonly ReflectorState[]): ReflectorState {
  const worst = ORDER.map((status) => states.find((each) => each.status === status)).find((each) => each !== undefined) ?? STARTING;
  return { ...worst, isListed: states.length > 0 && states.every(({ isListed }) => isListed) };
}

/** What a refusal of a list or a watch means for the resource, without whether it was listed. */
export function stateOfRefusal(
  { status, message }: ApiRefusal,
  { resource, namespace, address }: { resource: ApiResource; namespace: string | null; address: string },
): Pick<ReflectorState, "status" | "reason"> {
  const what = resourceName(resource);
  if (status === 401)
    return {
      status: "refused",
      reason: `The Kubernetes API at ${address} does not accept the credentials. They may have expired or been revoked: renew them.`,
    };
  if (status === 403) {
    const where =
      namespace === null ? "with a ClusterRole and a ClusterRoleBinding" : `with a Role and a RoleBinding in the namespace ${namespace}`;
    return { status: "refused", reason: `This account may not list and watch ${what}. Allow list and watch of ${what} ${where}.` };
  }
  if (status === 404)
    return { status: "absent", reason: `The cluster has no ${what} of ${resource.group || "the core group"}/${resource.version}.` };
  if (status === 429 || status >= 500)
    return {
      status: "unreachable",
      reason: `The Kubernetes API at ${address} cannot list ${what}: "${message}" (status ${status}). It is tried again.`,
    };
  return { status: "refused", reason: `The Kubernetes API at ${address} refuses to list ${what}: "${message}" (status ${status}).` };
}
