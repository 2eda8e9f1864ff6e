import type { KubernetesWorkload } from "../../observations/kubernetes.ts";
import type { WorkloadDetail } from "./api.ts";

/** Kinds whose images kubectl can set, and whether it can also roll them back and restart them. */
const KINDS: ReadonlyMap<string, { resource: string; rolls: boolean }> = new Map([
  ["Deployment", { resource: "deployment", rolls: true }],
  ["StatefulSet", { resource: "statefulset", rolls: true }],
  ["DaemonSet", { resource: "daemonset", rolls: true }],
  ["CronJob", { resource: "cronjob", rolls: false }],
  ["ReplicaSet", { resource: "replicaset", rolls: false }],
  ["Pod", { resource: "pod", rolls: false }],
]);

const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const IMAGE = /^[A-Za-z0-9][A-Za-z0-9_./:@-]{0,511}$/;

/** Commands about a workload; null of a kind that has none, and where a name cannot be put into a command. */
export function commandsOf({ kind, namespace, name, containers }: KubernetesWorkload): WorkloadDetail["commands"] {
  const found = KINDS.get(kind);
  const apps = containers.filter((container) => container.kind === "app");
  const isPlain =
    [namespace, name, ...apps.map((each) => each.name)].every((each) => NAME.test(each)) && apps.every(({ image }) => IMAGE.test(image));
  if (found === undefined || apps.length === 0 || !isPlain) return null;
  const workload = `${found.resource}/${name}`;
  const images = apps.map((each) => `${each.name}=${each.image}`).join(" ");
  return {
    update: `kubectl -n ${namespace} set image ${workload} ${images}`,
    undo: found.rolls ? `kubectl -n ${namespace} rollout undo ${workload}` : null,
    restart: found.rolls ? `kubectl -n ${namespace} rollout restart ${workload}` : null,
  };
}
