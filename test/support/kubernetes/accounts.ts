import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Api } from "./api.ts";
import { kubeconfigOf } from "./kubeconfigs.ts";

/** A rule of RBAC. */
export interface Rule {
  apiGroups: readonly string[];
  resources: readonly string[];
  verbs: readonly string[];
  resourceNames?: readonly string[];
}

/** A service account whose rules can be changed while it is used. */
export interface Account {
  name: string;
  token: string;
  /** The path of a kubeconfig of it. */
  kubeconfig: string;
  /** Replaces what it may do. The API server follows within moments. */
  allow(rules: readonly Rule[]): Promise<void>;
  /** A token that is not valid for long; the API server gives none below ten minutes. */
  anotherToken(): Promise<string>;
  /** Removes it: its tokens are not accepted any more. */
  remove(): Promise<void>;
}

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const GROUP = "rbac.authorization.k8s.io";
const TOKEN_SECONDS = 3600;

export async function createAccount({
  api,
  folder,
  address,
  caFile,
  name,
  namespace = "default",
  rules,
  isClusterWide = true,
}: {
  api: Api;
  folder: string;
  address: string;
  caFile: string;
  name: string;
  namespace?: string;
  rules: readonly Rule[];
  isClusterWide?: boolean;
}): Promise<Account> {
  const [kind, base] = isClusterWide ? (["ClusterRole", RBAC] as const) : (["Role", `${RBAC}/namespaces/${namespace}`] as const);
  const plural = kind === "Role" ? "role" : "clusterrole";
  const roleName = `test-${name}`;
  const role = (of: readonly Rule[]) => ({ apiVersion: `${GROUP}/v1`, kind, metadata: { name: roleName }, rules: of });
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;

  async function requestToken(): Promise<string> {
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: TOKEN_SECONDS } };
    const { status } = await api.call<{ status: { token: string } }>("POST", `${accounts}/${name}/token`, body);
    return status.token;
  }

  await api.post(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
  await api.post(`${base}/${plural}s`, role(rules));
  await api.post(`${base}/${plural}bindings`, {
    apiVersion: `${GROUP}/v1`,
    kind: `${kind}Binding`,
    metadata: { name: roleName },
    roleRef: { apiGroup: GROUP, kind, name: roleName },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  });
  const token = await requestToken();
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  await writeFile(kubeconfig, kubeconfigOf({ address, caFile, user: { token }, namespace }));
  return {
    name,
    token,
    kubeconfig,
    async allow(next) {
      await api.call("PUT", `${base}/${plural}s/${roleName}`, role(next));
    },
    anotherToken: requestToken,
    remove: () => api.remove(`${accounts}/${name}`),
  };
}
