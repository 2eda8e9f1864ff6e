/** What every object of a Kubernetes cluster has. `id` is its uid. */
export interface KubernetesObject {
  id: string;
  name: string;
  createdAt: Date | null;
}

/** An object within a namespace. */
export interface NamespacedObject extends KubernetesObject {
  namespace: string;
}

/** CPU in cores, memory in bytes; null where none is set. */
export interface ResourceAmounts {
  cpuCores: number | null;
  memoryBytes: number | null;
}
