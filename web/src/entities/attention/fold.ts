import type { Attention } from "./attention.ts";

/**
 * One row for what is one problem: what a parent holds back stands below that parent, and the same problem on several hosts below its worst.
 * The order of the rows stays.
 */
export function foldAttention(list: readonly Attention[]): Attention[] {
  return foldHosts(foldDependents(list));
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

/** The same problem of what has the same name on several hosts, in one row. */
function foldHosts(list: readonly Attention[]): Attention[] {
  const groups = new Map<string, Attention[]>();
  for (const one of list) {
    const key = problemOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    const hosts = new Set(group.map(({ agentId }) => agentId));
    // What holds others back already has something below it.
    if (first === undefined || hosts.size < 2 || group.some(({ folded }) => folded !== undefined)) return group;
    return [withFolded(first, "hosts", others)];
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

function withFolded(one: Attention, kind: "hosts" | "dependents", list: readonly Attention[] = []): Attention {
  return list.length === 0 ? one : { ...one, folded: { kind, list } };
}
