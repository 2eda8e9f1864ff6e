import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { IMPACTS } from "../../format/impact.ts";
import { alertAttention } from "./alert-attention.ts";
import type { Attention } from "./attention.ts";
import { certificateAttention, endpointAttention, heartbeatAttention } from "./check-attention.ts";
import { containerAttention } from "./container-attention.ts";
import type { Watched } from "./watched.ts";

/**
 * What needs attention: alerts, and what is unhealthy without one. What people lose most by first, then the latest; last what is acknowledged or suppressed.
 * One problem is listed once: a thing with an alert by that, a workload's row by the alert of the workload, an endpoint and its certificate by the one that is to blame.
 */
export function attentionList(watched: Watched, alerts: readonly ShownAlert[] = []): Attention[] {
  const alerted = alertAttention(alerts);
  const covered = new Set(alerted.map(({ type, id }) => `${type} ${id}`));
  const containers = watched.containers.filter(({ external_id: id }) => !covered.has(`kubernetes_workload ${id}`));
  const endpoints = endpointAttention(watched.endpoints, watched.certificates);
  const failing = new Set(endpoints.map(({ id }) => id));
  const without = [
    ...containerAttention(containers),
    ...endpoints,
    ...heartbeatAttention(watched.heartbeats),
    ...certificateAttention(watched.certificates, failing),
  ].filter(({ type, id }) => !covered.has(`${type} ${id}`));
  return [...alerted, ...without].sort((one, other) => rank(one) - rank(other) || other.since.localeCompare(one.since));
}

function rank({ impact, isSettled }: Attention): number {
  return (isSettled ? IMPACTS.length : 0) + IMPACTS.indexOf(impact);
}
