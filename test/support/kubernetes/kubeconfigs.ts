/** A user of a kubeconfig, in its own words. */
export type KubeconfigUser = Record<string, unknown>;

/** The text of a kubeconfig with one context, whose cluster has the authority in a file. JSON is YAML too. */
export function kubeconfigOf({
  address,
  caFile,
  user,
  namespace = "default",
  cluster = {},
}: {
  address: string;
  caFile: string;
  user: KubeconfigUser;
  namespace?: string;
  /** Beside server and authority. */
  cluster?: Record<string, unknown>;
}): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server: address, "certificate-authority": caFile, ...cluster } }],
    users: [{ name: "tester", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "tester", namespace } }],
    "current-context": "test",
  });
}
