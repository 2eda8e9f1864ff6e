import { useQuery } from "@tanstack/react-query";
import type { CertificateRecord, RouteRecord, ServiceRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { certificatesQuery, routesQuery, servicesQuery } from "../../api/kubernetes.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useTitle } from "../../app/use-title.ts";
import { countOf } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { CertificateTable } from "./certificate-table.tsx";
import { clusterChoices, useClusterName } from "../../entities/kubernetes/cluster-words.ts";
import { countedChoices, FilterBar } from "./filter-bar.tsx";
import { KubernetesFrame } from "./kubernetes-frame.tsx";
import { filterCertificates, filterRoutes, filterServices } from "./network-filter.ts";
import { NoResults } from "./no-results.tsx";
import { RouteTable } from "./route-table.tsx";
import { ServiceTable } from "./service-table.tsx";
import { useListFilter } from "./use-filter.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";

const NO_SERVICES: ServiceRecord[] = [];
const NO_ROUTES: RouteRecord[] = [];
const NO_CERTIFICATES: CertificateRecord[] = [];

/** What leads to workloads: hosts of Ingresses and Gateway routes, services, and the TLS certificates of the cluster. */
export function NetworkPage() {
  useRowKeys();
  const list = useListFilter("/kubernetes/network");
  const host = useChosenHost();
  const services = useQuery(servicesQuery(host));
  const routes = useQuery(routesQuery(host));
  const certificates = useQuery(certificatesQuery(host));
  const nameOf = useClusterName();
  const queries = [routes, services, certificates];
  const all = {
    services: services.data?.services ?? NO_SERVICES,
    routes: routes.data?.routes ?? NO_ROUTES,
    certificates: certificates.data?.certificates ?? NO_CERTIFICATES,
  };
  const shown = {
    services: filterServices(all.services, list.filter),
    routes: filterRoutes(all.routes, list.filter),
    certificates: filterCertificates(all.certificates, list.filter),
  };
  useTitle("Kubernetes network");
  const clusters = services.data?.clusters ?? routes.data?.clusters;
  const isRead = queries.every(({ data }) => data !== undefined);
  const isEmpty = all.services.length + all.routes.length + all.certificates.length === 0;
  const nothingLeft = shown.services.length + shown.routes.length + shown.certificates.length === 0;

  return (
    <KubernetesFrame
      path="/kubernetes/network"
      note={isRead && `${countOf(all.routes.length, "route")}, ${countOf(all.services.length, "service")}`}
      clusters={clusters}
      error={queries.find(({ error }) => error !== null)?.error ?? null}
      isPending={queries.some(({ isPending }) => isPending)}
      onRetry={() => void Promise.all(queries.map((query) => query.refetch()))}
      filter={
        !isEmpty && (
          <FilterBar
            list={list}
            placeholder="Name or host"
            narrowings={[
              { name: "cluster", label: "Cluster", choices: clusterChoices(clusters, nameOf) },
              {
                name: "namespace",
                label: "Namespace",
                choices: countedChoices([...all.services, ...all.routes, ...all.certificates].map(({ namespace }) => namespace)),
              },
            ]}
          />
        )
      }
    >
      {isRead && isEmpty && (
        <EmptyState title="No services or routes">
          <p>The agent sees no Service, Ingress or Gateway route.</p>
        </EmptyState>
      )}
      {isRead && !isEmpty && nothingLeft && <NoResults path="/kubernetes/network">Nothing matches the filters.</NoResults>}
      {isRead && shown.routes.length > 0 && (
        <Section title="Ingresses and routes" aside={countOf(shown.routes.length, "route")}>
          <RouteTable routes={shown.routes} />
        </Section>
      )}
      {isRead && shown.services.length > 0 && (
        <Section title="Services" aside={countOf(shown.services.length, "service")}>
          <ServiceTable services={shown.services} />
        </Section>
      )}
      {isRead && shown.certificates.length > 0 && (
        <Section title="TLS certificates" aside={countOf(shown.certificates.length, "Secret")}>
          <CertificateTable certificates={shown.certificates} />
        </Section>
      )}
    </KubernetesFrame>
  );
}
