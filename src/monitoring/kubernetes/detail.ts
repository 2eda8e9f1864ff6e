import { type KubernetesPod, type KubernetesWorkload, IMAGE_KINDS, OBJECT_NAME } from "../../observations/kubernetes-workloads.ts";
import type { WorkloadDetail } from "./answers.ts";
import type { ClusterEvents } from "./cluster-events.ts";
import { explainPod } from "./explain.ts";
import { byNamespaceAndName, claimRecord, clusterRecord, routeRecord, serviceRecord, servicesByName } from "./object-records.ts";
import { podRecord, type RecordContext, workloadRecord, sumOf } from "./records.ts";
import { securityOf } from "./exposure.ts";
import { isCurrent } from "./state.ts";

const IMAGE = /^[A-Za-z0-9][A-Za-z0-9_./:@-]{0,511}$/;

const MOST_PODS = 500;
const MOST_EVENTS = 50;

/** All that is known of a workload. */
export async function detailOf(
  workload: KubernetesWorkload,
  context: RecordContext,
  events: Pick<ClusterEvents, "list">,
): Promise<WorkloadDetail> {
  const { cluster } = context;
  const { inventory } = cluster;
  const { id, namespace } = workload;
  const pods = inventory.podsOf(id);
  const services = inventory.servicesOf(id);
  const names = new Set(services.map(({ name }) => name));
  const routes = [...inventory.objects.routes.values()].filter(
    (route) => route.namespace === namespace && route.rules.some(({ serviceName }) => serviceName !== null && names.has(serviceName)),
  );
  const mounted = new Set(pods.flatMap((pod) => pod.claims));
  const claims = [...inventory.objects.claims.values()].filter((claim) => claim.namespace === namespace && mounted.has(claim.name));
  const byName = servicesByName(cluster);
  const { events: recorded } = await events.list({ workload_id: id, limit: MOST_EVENTS }, [cluster.id]);
  return {
    ...workloadRecord(workload, context),
    pods: pods
      .toSorted(worstFirst)
      .slice(0, MOST_PODS)
      .map((pod) => podRecord(pod, context)),
    services: services.toSorted(byNamespaceAndName).map((each) => serviceRecord(each, context)),
    routes: routes.toSorted(byNamespaceAndName).map((each) => routeRecord(each, byName, context)),
    claims: claims.toSorted(byNamespaceAndName).map((each) =>
      claimRecord(
        each,
        pods.filter((pod) => pod.claims.includes(each.name)),
        context,
      ),
    ),
    events: recorded,
    used: usedBy(pods),
    security: securityOf(workload, inventory),
    commands: commandsOf(workload),
    cluster: clusterRecord(context),
  };
}

function worstFirst(a: KubernetesPod, b: KubernetesPod): number {
  const rank = (pod: KubernetesPod): number => (explainPod(pod) !== null ? 0 : isCurrent(pod) ? 1 : 2);
  return rank(a) - rank(b) || a.name.localeCompare(b.name, "en", { numeric: true });
}

/** What its pods use together, as far as that is seen. */
function usedBy(pods: readonly KubernetesPod[]): WorkloadDetail["used"] {
  const running = pods.filter(({ phase }) => phase === "Running");
  const seen = running.flatMap(({ usage }) => usage ?? []);
  if (seen.length === 0) return null;
  const { cpuCores, memoryBytes } = sumOf(seen);
  return { cpu_cores: cpuCores, memory_bytes: memoryBytes, pods_seen: seen.length, pods_running: running.length };
}

/** Commands about a workload; null of a kind that has none, and where a name cannot be put into a command. */
function commandsOf({ kind, namespace, name, containers }: KubernetesWorkload): WorkloadDetail["commands"] {
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
