import { tlsPeerOf } from "../../contract/targets.ts";
import { type CertificateTarget, certificateTargetKey } from "../../observations.ts";
import { certificatesOfService, serviceCheckOwner, type SwarmService } from "../../observations/swarm.ts";
import { alertsOf, type SavedEndpoint } from "../endpoints/index.ts";
import type { Certificate, CertificateContainer } from "./certificate.ts";

/** A peer that something asks to be watched, and what asks. */
export type Wanted = CertificateTarget & Pick<Certificate, "source" | "endpointId" | "container" | "alerts">;

/** What the labels of one container, or service, ask for. */
export interface LabelledTargets {
  container: CertificateContainer;
  alerts: Certificate["alerts"];
  targets: readonly CertificateTarget[];
}

/** What the labels of a service ask for: at most one. */
export function targetsOfService(service: SwarmService): LabelledTargets[] {
  const targets = certificatesOfService(service);
  if (targets.length === 0) return [];
  const { id, name, labels } = service;
  return [{ container: { id: null, externalId: serviceCheckOwner(id), name, labels }, alerts: alertsOf(service), targets }];
}

/** Everything of one host that asks to be watched, each peer once: by labels before endpoints, and by the oldest of several. */
export function wantedTargets(endpoints: readonly SavedEndpoint[], labelled: Iterable<LabelledTargets>): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { container, alerts, targets } of labelled) {
    for (const target of targets) {
      const key = certificateTargetKey(target);
      if (!wanted.has(key)) wanted.set(key, { ...target, source: "label", endpointId: null, container, alerts });
    }
  }
  for (const { id, check, alerts } of endpoints.toSorted((a, b) => a.id - b.id)) {
    const target = check.type === "http" ? tlsPeerOf(check.target) : undefined;
    if (target === undefined) continue;
    const key = certificateTargetKey(target);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, { ...target, source: "endpoint", endpointId: id, container: null, alerts });
    else known.endpointId ??= id;
  }
  return wanted;
}
