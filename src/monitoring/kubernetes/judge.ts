import type { KubernetesAlert } from "../../events.ts";
import type { KubernetesWorkload } from "../../observations/kubernetes-workloads.ts";
import type { Cluster } from "./cluster.ts";
import type { Delta, Inventory } from "./inventory.ts";
import { problemsOfCertificate, problemsOfClaim, problemsOfNode } from "./object-problems.ts";
import {
  ALERT_RULES,
  type Context,
  type KubernetesProblem,
  UNANNOTATED,
  forget,
  idOfKey,
  type Memory,
  problemKey,
  sinceOf,
} from "./problem.ts";
import { nodeState } from "./state.ts";
import { problemsOfWorkload, WORKLOAD_ALERTS } from "./workload-problems.ts";

/** What is judged: ids by kind. What is in it and not in the inventory is gone. */
export interface Scope {
  workloads: Set<string>;
  nodes: Set<string>;
  claims: Set<string>;
  certificates: Set<string>;
}

const ALERTS: { [Kind in keyof Scope]: readonly KubernetesAlert[] } = {
  workloads: WORKLOAD_ALERTS,
  nodes: ["node_not_ready", "node_pressure"],
  claims: ["pvc_filling"],
  certificates: ["certificate_expiring"],
};

const KINDS = ["workloads", "nodes", "claims", "certificates"] as const satisfies readonly (keyof Scope)[];

/** So many workloads take some milliseconds to judge. */
const MUCH = 200;
const AT_ONCE = 25;

/** Everything. */
export function wholeScope({ objects }: Inventory): Scope {
  return {
    workloads: new Set(objects.workloads.keys()),
    nodes: new Set(objects.nodes.keys()),
    claims: new Set(objects.claims.keys()),
    certificates: new Set(objects.certificates.keys()),
  };
}

/**
 * What time alone can have made well or wrong: workloads of which something is remembered, those with a schedule, and the little that there is of all else.
 * Of other workloads nothing is wrong, and only a change makes it so.
 */
export function timeScope(inventory: Inventory, { since, incidents, rollouts }: Memory): Scope {
  const remembered = new Set([...rollouts.keys(), ...[...since.keys(), ...incidents.keys()].map(idOfKey)]);
  const isAwaited = ({ id, cronJob }: KubernetesWorkload): boolean => cronJob !== null || remembered.has(id);
  const awaited = [...inventory.objects.workloads.values()].filter(isAwaited);
  return { ...wholeScope(inventory), workloads: new Set(awaited.map(({ id }) => id)) };
}

/** What a change can have made well or wrong: a pod its workload, a node the workloads that have pods on it. */
export function scopeOf(delta: Delta, inventory: Inventory): Scope {
  const workloads = new Set(delta.workloads.keys());
  for (const { before, after } of delta.pods.values())
    for (const id of [before?.workloadId, after?.workloadId]) if (id != null) workloads.add(id);
  for (const { before, after } of delta.nodes.values()) {
    if (before !== undefined && after !== undefined && nodeState(before) === nodeState(after)) continue;
    for (const { workloadId } of inventory.podsOn((after ?? before)?.name ?? "")) if (workloadId !== null) workloads.add(workloadId);
  }
  return {
    workloads,
    nodes: new Set(delta.nodes.keys()),
    claims: new Set(delta.claims.keys()),
    certificates: new Set(delta.certificates.keys()),
  };
}

/** Judges what a problem is about too. */
export function addTo(scope: Scope, { entity_type: type, id }: KubernetesProblem): void {
  const kind = KIND_OF[type];
  if (kind !== undefined) scope[kind].add(id);
}

/** Those that were removed are judged too: their alerts are over. */
export function withGone(scope: Scope, delta: Delta): Scope {
  for (const kind of KINDS) for (const [id, { after }] of delta[kind]) if (after === undefined) scope[kind].add(id);
  return scope;
}

/** Whether so much changed that it is judged apart, in a turn of the event loop for itself. Of what is gone the memory goes at once. */
export function takesLong({ workloads }: Scope, delta: Delta): boolean {
  return workloads.size >= MUCH && [...delta.workloads.values()].every(({ after }) => after !== undefined);
}

/** A scope in parts that take a millisecond or two each. */
export function partsOf({ workloads, ...others }: Scope): Scope[] {
  const ids = [...workloads];
  const parts: Scope[] = [{ ...others, workloads: new Set(ids.slice(0, AT_ONCE)) }];
  for (let from = AT_ONCE; from < ids.length; from += AT_ONCE)
    parts.push({ ...noScope(), workloads: new Set(ids.slice(from, from + AT_ONCE)) });
  return parts;
}

function noScope(): Scope {
  return { workloads: new Set(), nodes: new Set(), claims: new Set(), certificates: new Set() };
}

export function isInScope(scope: Scope, { entity_type: type, id }: Pick<KubernetesProblem, "entity_type" | "id">): boolean {
  const kind = KIND_OF[type];
  return kind === undefined || scope[kind].has(id);
}

/** Whether what a problem is about is there; a cluster always is. */
export function isThere({ objects }: Inventory, { entity_type: type, id }: Pick<KubernetesProblem, "entity_type" | "id">): boolean {
  const kind = KIND_OF[type];
  return kind === undefined || objects[kind].has(id);
}

/** The kind of objects that an entity is one of; a cluster is none. */
const KIND_OF: Record<KubernetesProblem["entity_type"], keyof Scope | undefined> = {
  kubernetes_workload: "workloads",
  kubernetes_node: "nodes",
  kubernetes_claim: "claims",
  kubernetes_certificate: "certificates",
  kubernetes_cluster: undefined,
};

/** What is wrong within a scope, long enough to be alerted. What is alerted already lasts until health is seen, and need not wait again. */
export function judge(scope: Scope, context: Context): KubernetesProblem[] {
  const { workloads, nodes, claims, certificates, namespaces } = context.inventory.objects;
  const found = [
    ...judged(scope.workloads, workloads, (each) => problemsOfWorkload(each, context)),
    ...judged(scope.nodes, nodes, (each) => problemsOfNode(each, context)),
    ...judged(scope.claims, claims, (each) => problemsOfClaim(each, context)),
    ...judged(scope.certificates, certificates, (each) => problemsOfCertificate(each, context)),
  ];
  forgetWell(scope, found, context);
  const terminating = new Set([...namespaces.values()].filter(({ phase }) => phase === "Terminating").map(({ name }) => name));
  return found.filter(({ alert, id, since, namespace }) => {
    if (context.alerted(alert, id) !== undefined) return true;
    // What is being removed is not to be mended.
    if (namespace !== null && terminating.has(namespace)) return false;
    return context.now.getTime() - since.getTime() >= ALERT_RULES[alert].waitsMs;
  });
}

function judged<Object>(
  ids: ReadonlySet<string>,
  objects: ReadonlyMap<string, Object>,
  problemsOf: (each: Object) => KubernetesProblem[],
): KubernetesProblem[] {
  return [...ids].flatMap((id) => {
    const object = objects.get(id);
    return object === undefined ? [] : problemsOf(object);
  });
}

/** Since when something was wrong is over when it is well. */
function forgetWell(scope: Scope, found: readonly KubernetesProblem[], { memory, inventory, isSeen }: Context): void {
  const wrong = new Set(found.map(({ alert, id }) => problemKey(alert, id)));
  for (const kind of KINDS) {
    const alerts = ALERTS[kind].filter(isSeen);
    for (const id of scope[kind])
      if (!inventory.objects[kind].has(id)) forget(memory, id, alerts);
      else for (const alert of alerts) if (!wrong.has(problemKey(alert, id))) memory.since.delete(problemKey(alert, id));
  }
}

/** Nobody sees a cluster, since its API server does not answer, or allows nothing. */
export function unreachable(
  cluster: Pick<Cluster, "id" | "reason">,
  { memory, now, alerted }: Pick<Context, "memory" | "now" | "alerted">,
): KubernetesProblem | undefined {
  const since = sinceOf(memory, problemKey("api_unreachable", cluster.id), now);
  if (alerted("api_unreachable", cluster.id) === undefined && now.getTime() - since.getTime() < ALERT_RULES.api_unreachable.waitsMs)
    return undefined;
  return {
    ...{ ...UNANNOTATED, id: cluster.id, name: "Kubernetes", entity_type: "kubernetes_cluster", namespace: null },
    ...{ alert: "api_unreachable", severity: "critical", since },
    message: "The Kubernetes API shows nothing: what runs in the cluster is not seen.",
    cause: cluster.reason,
  };
}
