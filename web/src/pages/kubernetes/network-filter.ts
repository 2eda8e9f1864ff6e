import type { CertificateRecord, RouteRecord, ServiceRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import type { KubernetesFilter } from "./filter.ts";

/** What the filter leaves of objects, each found by its own texts. */
function filterBy<Row extends { cluster_id: string; namespace: string; name: string }>(
  rows: readonly Row[],
  { q, cluster, namespace }: KubernetesFilter,
  textsOf: (row: Row) => readonly (string | null)[],
): Row[] {
  const text = q?.toLowerCase();
  return rows.filter(
    (row) =>
      (cluster === undefined || row.cluster_id === cluster) &&
      (namespace === undefined || row.namespace === namespace) &&
      (text === undefined || [`${row.namespace}/${row.name}`, ...textsOf(row)].some((each) => each?.toLowerCase().includes(text))),
  );
}

export function filterServices(services: readonly ServiceRecord[], filter: KubernetesFilter): ServiceRecord[] {
  return filterBy(services, filter, ({ type, external_addresses: addresses, workloads }) => [
    type,
    ...addresses,
    ...workloads.map(({ name }) => name),
  ]);
}

export function filterRoutes(routes: readonly RouteRecord[], filter: KubernetesFilter): RouteRecord[] {
  return filterBy(routes, filter, ({ kind, rules, workloads }) => [
    kind,
    ...rules.flatMap(({ host, path, service_name: service }) => [host + path, service]),
    ...workloads.map(({ name }) => name),
  ]);
}

export function filterCertificates(certificates: readonly CertificateRecord[], filter: KubernetesFilter): CertificateRecord[] {
  return filterBy(certificates, filter, ({ subject, sans, issuer }) => [subject, ...sans, issuer]);
}

/** `80→8080 (http), node port 30080`, as one reads them. */
export function portText({ name, port, node_port: nodePort, protocol, target }: ServiceRecord["ports"][number]): string {
  const mapping = target === "" || target === String(port) ? String(port) : `${port}→${target}`;
  return [
    `${mapping}${protocol === "tcp" ? "" : `/${protocol}`}`,
    name !== null && name !== "" && name !== target ? ` (${name})` : "",
    nodePort === null ? "" : `, node port ${nodePort}`,
  ].join("");
}
