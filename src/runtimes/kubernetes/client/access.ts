/** How a cluster is reached, and as whom: by a service account, or by the context of a kubeconfig. */

/** A certificate, key or token: as text, or a file that is read again when it is replaced. */
export type Material = { kind: "text"; text: string } | { kind: "file"; path: string };

/** A program that prints credentials, as the `exec` of a kubeconfig names it. */
export interface CredentialPlugin {
  apiVersion: string;
  command: string;
  args: string[];
  /** All that it gets: this process's own, and what the kubeconfig adds. */
  environment: Record<string, string | undefined>;
  /** The cluster as it is described to the program, where it asks for that. */
  cluster: Record<string, unknown> | null;
  /** What to install when the program is not there; null when nothing is given. */
  installHint: string | null;
}

export interface ClusterIdentity {
  token: Material | null;
  certificate: { certificate: Material; key: Material } | null;
  plugin: CredentialPlugin | null;
}

export interface ClusterAccess {
  /** https://host:port, with the path that the API is below, if any. Without credentials: fit for logs and answers. */
  address: string;
  /** Where this was found, as in `the service account of this pod` or `context kind-dev of /root/.kube/config`. */
  origin: string;
  host: string;
  port: number;
  /** False of a local proxy, as `kubectl proxy`; nothing secret is sent there. */
  isTls: boolean;
  /** Empty, or as in `/k8s/clusters/c-1`. */
  basePath: string;
  /** Of the service account or the context; null when neither names one. */
  namespace: string | null;
  /** Whom to trust; null: the authorities of the system. */
  authority: Material | null;
  isVerified: boolean;
  /** The name in its certificate, where that is not the host. */
  serverName: string | null;
  identity: ClusterIdentity;
  /** Reads again, from where this was found, who this is: people renew credentials in place. Throws when they cannot be read. Absent: they never change. */
  renewed?: () => ClusterIdentity;
}

export const NO_IDENTITY: ClusterIdentity = { token: null, certificate: null, plugin: null };
