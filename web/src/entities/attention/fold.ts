import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import type { Attention, Folded } from "./attention.ts";

/**
 * One row for what is one problem: all that is wrong with one thing stands below the worst of it, what a parent holds back below that parent, what fails
 * because something else does below its cause, and the same problem on several hosts below its worst. The order of the rows stays.
 */
export function foldAttention(list: readonly Attention[]): Attention[] {
  return foldHosts(foldConsequences(foldDependents(foldThings(list))));
}

/** Several alerts about one thing, such as a crash loop and the memory that ran out. */
function foldThings(list: readonly Attention[]): Attention[] {
  return foldBy(list, ({ isSettled, type, id, agentId }) => JSON.stringify([isSettled, type, id, agentId]), "alerts");
}

/** What is suppressed by a dependency, below that dependency, where its alert is in the list. */
function foldDependents(list: readonly Attention[]): Attention[] {
  const dependents = new Map<Attention, Attention[]>();
  const folded = new Set<Attention>();
  for (const one of list) {
    if (one.alert?.suppressed_by !== "dependency") continue;
    const parent = parentOf(one, list);
    if (parent === undefined) continue;
    dependents.set(parent, [...(dependents.get(parent) ?? []), one]);
    folded.add(one);
  }
  return list.filter((one) => !folded.has(one)).map((one) => withFolded(one, "dependents", dependents.get(one)));
}

/** The container of an endpoint, else another problem of the same thing, else the host that is lost. */
function parentOf(child: Attention, list: readonly Attention[]): Attention | undefined {
  const containerId = child.alert?.details["container_id"];
  const candidates = list.filter((one) => one !== child && one.alert?.suppressed_by !== "dependency");
  return (
    candidates.find(({ type, id }) => type === "container" && id === String(containerId)) ??
    candidates.find(({ type, id }) => type === child.type && id === child.id) ??
    candidates.find(({ alert, agentId }) => alert?.source === "agent" && agentId === child.agentId)
  );
}

/** The endpoint of a container that has a problem, and a container that needs one which failed before it, below the cause. */
function foldConsequences(list: readonly Attention[]): Attention[] {
  const below = new Map<Attention, Attention[]>();
  const folded = new Set<Attention>();
  for (const one of list) {
    const cause = causeOf(one, list);
    if (cause === undefined) continue;
    below.set(cause, [...(below.get(cause) ?? []), one]);
    folded.add(one);
  }
  // In one list, the nearest to the cause first.
  const allBelow = (one: Attention): Attention[] => (below.get(one) ?? []).flatMap((each) => [each, ...allBelow(each)]);
  return list.filter((one) => !folded.has(one)).map((one) => withFolded(one, "consequences", allBelow(one)));
}

/** What nobody has in hand is not hidden below what somebody has. A cause came first, so that none is its own. */
function causeOf(one: Attention, list: readonly Attention[]): Attention | undefined {
  const containers = list.filter(({ type, isSettled }) => type === "container" && isSettled === one.isSettled);
  if (one.type === "endpoint") return containers.find(({ id }) => id === String(one.alert?.details["container_id"]));
  const needs = one.type === "container" ? neededBy(one) : NOTHING;
  return containers.find(
    ({ alert, agentId, impact, since }) =>
      agentId === one.agentId &&
      impact === "outage" &&
      since < one.since &&
      alert !== undefined &&
      needs.includes(composeName(alert) ?? ""),
  );
}

const NOTHING: readonly string[] = [];
const COMPOSE = "com.docker.compose";

function composeName({ labels }: Pick<ShownAlert, "labels">): string | undefined {
  const [project, service] = [labels[`${COMPOSE}.project`], labels[`${COMPOSE}.service`]];
  return project === undefined || service === undefined ? undefined : `${project}/${service}`;
}

/** `payments:service_started:false,postgres:service_healthy:true`, as Compose notes it. */
function neededBy({ alert }: Attention): readonly string[] {
  const project = alert?.labels[`${COMPOSE}.project`];
  const needs = alert?.labels[`${COMPOSE}.depends_on`];
  if (project === undefined || needs === undefined) return NOTHING;
  return needs.split(",").map((need) => `${project}/${need.split(":", 1).join("")}`);
}

/** The same problem of what has the same name on several hosts, in one row. */
function foldHosts(list: readonly Attention[]): Attention[] {
  const hostsOf = (group: readonly Attention[]): Set<string | null> => new Set(group.map(({ agentId }) => agentId));
  // What holds others back already has something below it.
  return foldBy(list, problemOf, "hosts", (group) => hostsOf(group).size > 1 && group.every(({ folded }) => folded === undefined));
}

/** Puts what has the same key below the first of it. */
function foldBy(
  list: readonly Attention[],
  keyOf: (one: Attention) => string,
  kind: Folded["kind"],
  isOne: (group: readonly Attention[]) => boolean = () => true,
): Attention[] {
  return [...Map.groupBy(list, keyOf).values()].flatMap((group) => {
    const [first, ...others] = group;
    return first === undefined || !isOne(group) ? group : [withFolded(first, kind, others)];
  });
}

/** Problems without an alert, by the event that their alert would have. */
const EVENTS: Readonly<Record<string, string>> = { "is crash-looping": "restart_loop", "is unhealthy": "health_unhealthy" };

/** The same for the same problem of the same name, however bad it is on each host. Hosts themselves have different names. */
function problemOf({ type, name, what, isSettled, alert }: Attention): string {
  const about =
    alert === undefined
      ? [type, EVENTS[what] ?? what, name]
      : [alert.source, alert.event, alert.source === "agent" ? "" : alert.entity_name];
  return JSON.stringify([isSettled, ...about]);
}

function withFolded(one: Attention, kind: Folded["kind"], list: readonly Attention[] = []): Attention {
  return list.length === 0 ? one : { ...one, folded: [...(one.folded ?? []), { kind, list }] };
}
