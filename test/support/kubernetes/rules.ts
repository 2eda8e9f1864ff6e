import type { Rule } from "./accounts.ts";

const READ = ["get", "list", "watch"];

/** What the chart grants an installation that watches the whole cluster, without the rights that have to be asked for. */
export const RULES: readonly Rule[] = [
  { apiGroups: [""], resources: ["namespaces", "nodes", "pods", "services", "events", "persistentvolumeclaims"], verbs: READ },
  { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
  { apiGroups: ["apps"], resources: ["deployments", "statefulsets", "daemonsets", "replicasets"], verbs: READ },
  { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs: READ },
  { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: READ },
  { apiGroups: ["networking.k8s.io"], resources: ["ingresses", "networkpolicies"], verbs: READ },
];
/** Those that have to be asked for. */
export const SECRETS_RULE: Rule = { apiGroups: [""], resources: ["secrets"], verbs: ["list", "watch"] };
export const NODE_STATS_RULE: Rule = { apiGroups: [""], resources: ["nodes/proxy"], verbs: ["get"] };
/** Of agents. */
export const LEASES_RULE: Rule = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] };

/** The same without some resources. */
export function rulesWithout(rules: readonly Rule[], ...names: readonly string[]): Rule[] {
  return rules
    .map((rule) => ({ ...rule, resources: rule.resources.filter((name) => !names.includes(name)) }))
    .filter(({ resources }) => resources.length > 0);
}
