import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { certificatesQuery } from "../../api/certificate-queries.ts";
import { endpointsQuery } from "../../api/endpoint-queries.ts";
import { heartbeatsQuery } from "../../api/heartbeat-queries.ts";
import { containersQuery } from "../../api/queries.ts";
import { hostId } from "../../app/host-id.ts";
import { useHostName, useHosts } from "../../app/hosts.ts";
import type { Option } from "../../ui/forms/many-picker.tsx";

/** Everything monitored that an alert can be about, as `container:42` and by name; `withHosts` also whole hosts. */
export function useEntityOptions({ withHosts = false }: { withHosts?: boolean } = {}): readonly Option[] {
  const { data: containers } = useQuery(containersQuery());
  const { data: endpoints } = useQuery(endpointsQuery());
  const { data: heartbeats } = useQuery(heartbeatsQuery);
  const { data: certificates } = useQuery(certificatesQuery);
  const hosts = useHosts();
  const nameOf = useHostName();
  return useMemo(
    () => [
      ...(withHosts ? hosts.map(({ id, name }) => ({ value: `agent:${id}`, label: name, note: "Everything on this host" })) : []),
      ...(containers?.groups ?? []).flatMap((group) =>
        group.containers.map((container) => {
          const host = hostId(container);
          return {
            value: `container:${container.id}`,
            label: container.name,
            note: host === "local" ? `Container in ${container.group}` : `Container in ${container.group}, ${nameOf(host)}`,
          };
        }),
      ),
      ...(endpoints?.endpoints ?? []).map(({ id, name }) => ({ value: `endpoint:${id}`, label: name, note: "Endpoint" })),
      ...(heartbeats?.heartbeats ?? []).map(({ id, name }) => ({ value: `heartbeat:${id}`, label: name, note: "Heartbeat" })),
      ...(certificates?.certificates ?? []).map(({ id, domain, port }) => ({
        value: `certificate:${id}`,
        label: port === 443 ? domain : `${domain}:${port}`,
        note: "Certificate",
      })),
    ],
    [withHosts, hosts, nameOf, containers, endpoints, heartbeats, certificates],
  );
}

/** How monitored things are called: `container:42` is shop-db; one that is gone keeps its number. */
export function useEntityName(): (entity: string) => string {
  const options = useEntityOptions({ withHosts: true });
  return useMemo(() => {
    const names = new Map(options.map(({ value, label }) => [value, label]));
    return (entity: string) => names.get(entity) ?? entity.replace(":", " ");
  }, [options]);
}
