import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { SCOPES } from "../../../../src/contract/scope.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import { certificatesQuery } from "../../api/certificate-queries.ts";
import { endpointsQuery } from "../../api/endpoint-queries.ts";
import { heartbeatsQuery } from "../../api/heartbeat-queries.ts";
import { containersQuery } from "../../api/queries.ts";
import { type Host, hostId } from "../../app/host-id.ts";
import { useHostName, useHosts } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import type { Option } from "../../ui/forms/many-picker.tsx";

/** Everything monitored that an alert can be about, as `container:42` and by name; `withScopes` also whole hosts and groups. */
export function useEntityOptions({ withScopes = false }: { withScopes?: boolean } = {}): readonly Option[] {
  const { data: containers } = useQuery(containersQuery());
  const { data: endpoints } = useQuery(endpointsQuery());
  const { data: heartbeats } = useQuery(heartbeatsQuery);
  const { data: certificates } = useQuery(certificatesQuery);
  const hosts = useHosts();
  const nameOf = useHostName();
  return useMemo(
    () => [
      ...(withScopes ? [...hosts.map(hostOption), ...groupOptions(containers)] : []),
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
    [withScopes, hosts, nameOf, containers, endpoints, heartbeats, certificates],
  );
}

function hostOption({ id, name }: Host): Option {
  return { value: `${SCOPES.host}:${id}`, label: name, note: "Everything on this host" };
}

/** A group that hosts or sources share is one. */
function groupOptions(list: ContainerList | undefined): Option[] {
  const counts = new Map<string, number>();
  for (const { name, containers } of list?.groups ?? []) counts.set(name, (counts.get(name) ?? 0) + containers.length);
  return [...counts].map(([name, count]) => ({
    value: `${GROUP_START}${name}`,
    label: `${name} (group)`,
    note: countOf(count, "container"),
  }));
}

const GROUP_START = `${SCOPES.group}:`;

/** The names of monitored things: `container:42` is shop-db; one that is gone keeps its number, and a group is shown as empty. */
export function useEntityName(): (entity: string) => string {
  const options = useEntityOptions({ withScopes: true });
  const { isSuccess } = useQuery(containersQuery());
  return useMemo(() => {
    const names = new Map(options.map(({ value, label }) => [value, label]));
    return (entity: string) => names.get(entity) ?? nameOfUnknown(entity, isSuccess);
  }, [options, isSuccess]);
}

function nameOfUnknown(entity: string, isComplete: boolean): string {
  if (!entity.startsWith(GROUP_START)) return entity.replace(":", " ");
  return `${entity.slice(GROUP_START.length)} (group${isComplete ? ", no containers" : ""})`;
}
