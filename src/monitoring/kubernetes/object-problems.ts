import { DAY_MS } from "../../contract/time.ts";
import type { KubernetesCertificate, KubernetesClaim, KubernetesNode } from "../../observations/kubernetes.ts";
import { type Context, type KubernetesProblem, nameOf, UNANNOTATED, problemKey, sinceOf } from "./problem.ts";
import { hasUnknownPressure, nodeState, pressuresOf, readyCondition } from "./state.ts";

/** How full a volume may be; what is alerted is over when it has that much more room again. */
const FULL = { warning: 0.85, critical: 0.95, margin: 0.03 };
/** How long before its end a certificate is alerted. */
const EXPIRES = { warningMs: 14 * DAY_MS, criticalMs: 3 * DAY_MS };

/** What is wrong with a node, however long it has been so. */
export function problemsOfNode(node: KubernetesNode, { memory, now, alerted }: Context): KubernetesProblem[] {
  const { id, name } = node;
  const base = { ...UNANNOTATED, id, name, entity_type: "kubernetes_node" as const, namespace: null };
  const problems: KubernetesProblem[] = [];
  const state = nodeState(node);
  if (state !== "ready") {
    const ready = readyCondition(node);
    problems.push({
      ...{ ...base, alert: "node_not_ready", severity: "critical", since: sinceOf(memory, problemKey("node_not_ready", id), now) },
      message: state === "unknown" ? `The node ${name} does not report any more.` : `The node ${name} is not ready.`,
      cause: ready?.message ?? ready?.reason ?? null,
    });
  }
  const pressures = pressuresOf(node);
  const before = alerted("node_pressure", id);
  if (before !== undefined && pressures.length === 0 && hasUnknownPressure(node)) problems.push(before);
  if (pressures.length > 0) {
    const condition = node.conditions.find(({ type }) => type === pressures[0]);
    problems.push({
      ...{ ...base, alert: "node_pressure", severity: "warning", since: sinceOf(memory, problemKey("node_pressure", id), now) },
      message: `The node ${name} reports ${pressures.join(" and ")}.`,
      cause: condition?.message ?? condition?.reason ?? null,
    });
  }
  return problems;
}

/** Share of a volume that is used; null where that is not known. */
export function fullness({ usedBytes, sizeBytes, capacityBytes }: KubernetesClaim): number | null {
  const size = sizeBytes ?? capacityBytes;
  return usedBytes === null || size === null || size === 0 ? null : usedBytes / size;
}

export function problemsOfClaim(claim: KubernetesClaim, { memory, now, alerted }: Context): KubernetesProblem[] {
  const share = fullness(claim);
  const { id, namespace } = claim;
  const before = alerted("pvc_filling", id);
  // How full it is now is not known while its node does not say it.
  if (share === null) return before === undefined ? [] : [before];
  if (share < (before === undefined ? FULL.warning : FULL.warning - FULL.margin)) return [];
  return [
    {
      ...{ ...UNANNOTATED, id, name: nameOf(claim), entity_type: "kubernetes_claim", namespace },
      ...{ alert: "pvc_filling", severity: share >= FULL.critical ? "critical" : "warning" },
      message: `The volume of ${nameOf(claim)} is filling up.`,
      cause: `${Math.floor(share * 100)} % used`,
      since: sinceOf(memory, problemKey("pvc_filling", id), now),
    },
  ];
}

export function problemsOfCertificate(certificate: KubernetesCertificate, { memory, now }: Context): KubernetesProblem[] {
  const { id, namespace, expiresAt, subject, chainError } = certificate;
  const leftMs = expiresAt.getTime() - now.getTime();
  const name = nameOf(certificate);
  if (leftMs > EXPIRES.warningMs && chainError === null) return [];
  const expires =
    leftMs > EXPIRES.warningMs ? undefined : leftMs <= 0 ? "has expired" : `expires on ${expiresAt.toISOString().slice(0, 10)}`;
  return [
    {
      ...{ ...UNANNOTATED, id, name, entity_type: "kubernetes_certificate", namespace },
      ...{ alert: "certificate_expiring", severity: leftMs <= EXPIRES.criticalMs ? "critical" : "warning" },
      message:
        expires === undefined
          ? `The certificate in the Secret ${name} has a broken chain.`
          : `The certificate in the Secret ${name} ${expires}.`,
      cause: chainError ?? `subject ${subject}`,
      since: sinceOf(memory, problemKey("certificate_expiring", id), now),
    },
  ];
}
