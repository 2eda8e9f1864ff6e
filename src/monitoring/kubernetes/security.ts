import type { KubernetesWorkload } from "../../observations/kubernetes.ts";
import type { WorkloadDetail } from "./answers.ts";
import type { Inventory } from "./inventory.ts";

/** What of a workload matters for security; null where its pod template is not seen. */
export function securityOf(
  { security, containers, namespace }: KubernetesWorkload,
  { namespaceNamed }: Inventory,
): WorkloadDetail["security"] {
  if (security === null) return null;
  const { privileged, hostNetwork, hostPid, hostIpc, hostPaths, hostPorts, runsAsRoot, withoutMemoryLimit, withoutCpuLimit } = security;
  return {
    ...{ privileged, host_network: hostNetwork, host_pid: hostPid, host_ipc: hostIpc, host_paths: hostPaths, host_ports: hostPorts },
    ...{ runs_as_root: runsAsRoot, without_memory_limit: withoutMemoryLimit, without_cpu_limit: withoutCpuLimit },
    ...{
      added_capabilities: security.addedCapabilities,
      service_account: security.serviceAccount,
      automounts_token: security.automountsToken,
    },
    latest_tag: containers.filter(({ image }) => hasLatestTag(image)).map(({ name }) => name),
    namespace_level: namespaceNamed(namespace)?.podSecurity ?? null,
  };
}

/** Whether an image has no tag, or `latest`: what runs then depends on when it was pulled. One with a digest is always the same. */
export function hasLatestTag(image: string): boolean {
  if (image.includes("@")) return false;
  const last = image.slice(image.lastIndexOf("/") + 1);
  return !last.includes(":") || last.endsWith(":latest");
}
