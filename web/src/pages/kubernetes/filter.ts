import { textParam } from "../../app/search-params.ts";

/** What the address of a list says. Each list has its own of them; what it does not know leaves nothing over, and can be cleared. */
export interface KubernetesFilter {
  q?: string | undefined;
  cluster?: string | undefined;
  namespace?: string | undefined;
  kind?: string | undefined;
  state?: string | undefined;
  node?: string | undefined;
}

export function kubernetesFilter({ q, cluster, namespace, kind, state, node }: Record<string, unknown>): KubernetesFilter {
  return {
    q: textParam(q),
    cluster: textParam(cluster),
    namespace: textParam(namespace),
    kind: textParam(kind),
    state: textParam(state),
    node: textParam(node),
  };
}

/** Whether anything is left out. */
export function isNarrowed(filter: KubernetesFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
