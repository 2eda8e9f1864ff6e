import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where Kubernetes mounts what a pod may use of its service account. */
export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Whether this process runs in a pod with a service account. `serviceHost` is KUBERNETES_SERVICE_HOST, which every pod has. */
export function isInCluster(serviceHost: string | undefined): boolean {
  return serviceHost !== undefined && existsSync(join(SERVICE_ACCOUNT_FOLDER, "token"));
}
