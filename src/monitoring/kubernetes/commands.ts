import { IMAGE_KINDS, type KubernetesWorkload, OBJECT_NAME } from "../../observations/kubernetes.ts";
import type { WorkloadDetail } from "./api.ts";

const IMAGE = /^[A-Za-z0-9][A-Za-z0-9_./:@-]{0,511}$/;

/** Commands about a workload; null of a kind that has none, and where a name cannot be put into a command. */
export function commandsOf({ kind, namespace, name, containers }: KubernetesWorkload): WorkloadDetail["commands"] {
  const found = IMAGE_KINDS.get(kind);
  const apps = containers.filter((container) => container.kind === "app");
  const isPlain =
    [namespace, name, ...apps.map((each) => each.name)].every((each) => OBJECT_NAME.test(each)) &&
    apps.every(({ image }) => IMAGE.test(image));
  if (found === undefined || apps.length === 0 || !isPlain) return null;
  const workload = `${kind.toLowerCase()}/${name}`;
  const images = apps.map((each) => `${each.name}=${each.image}`).join(" ");
  return {
    update: `kubectl -n ${namespace} set image ${workload} ${images}`,
    undo: found.rolls ? `kubectl -n ${namespace} rollout undo ${workload}` : null,
    restart: found.rolls ? `kubectl -n ${namespace} rollout restart ${workload}` : null,
  };
}
