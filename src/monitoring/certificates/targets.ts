import type { CertificateTarget } from "../../observations.ts";
import { parseDomain, parseHttpUrl } from "../../platform/targets.ts";
import type { SavedEndpoint } from "../endpoints/index.ts";
import { type Certificate, type CertificateContainer, targetKey } from "./certificate.ts";

/** A peer that something asks to be watched, and what asks. */
export type Wanted = CertificateTarget & Pick<Certificate, "agentId" | "source" | "endpointId" | "container" | "alerts">;

/** What the labels of one container ask for. */
export interface LabelledTargets {
  container: CertificateContainer;
  alerts: Certificate["alerts"];
  targets: readonly CertificateTarget[];
}

/** Everything of the local host that asks to be watched, each peer once: by labels before endpoints, and by the oldest of several. */
export function wantedTargets(endpoints: readonly SavedEndpoint[], labelled: Iterable<LabelledTargets>): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { container, alerts, targets } of labelled) {
    for (const target of targets) {
      const key = targetKey(target);
      if (!wanted.has(key)) wanted.set(key, { ...target, agentId: null, source: "label", endpointId: null, container, alerts });
    }
  }
  for (const { id, agentId, check, alerts } of endpoints.toSorted((a, b) => a.id - b.id)) {
    const target = agentId === null && check.type === "http" ? tlsPeerOf(check.target) : undefined;
    if (target === undefined) continue;
    const key = targetKey(target);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, { ...target, agentId: null, source: "endpoint", endpointId: id, container: null, alerts });
    else known.endpointId ??= id;
  }
  return wanted;
}

/** undefined for a URL that is not https. */
export function tlsPeerOf(target: string): CertificateTarget | undefined {
  const url = parseHttpUrl(target);
  const domain = url?.protocol === "https:" ? parseDomain(url.hostname) : undefined;
  if (url === undefined || domain === undefined) return undefined;
  return { domain, port: url.port === "" ? 443 : Number(url.port), serverName: domain };
}
