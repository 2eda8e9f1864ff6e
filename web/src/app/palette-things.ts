import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { certificatesQuery } from "../api/certificate-queries.ts";
import { endpointsQuery } from "../api/endpoint-queries.ts";
import { nodesQuery, workloadsQuery } from "../api/kubernetes.ts";
import { heartbeatsQuery } from "../api/heartbeat-queries.ts";
import { containersQuery } from "../api/queries.ts";
import { swarmNodesQuery, swarmServicesQuery } from "../api/swarm.ts";
import { CERTIFICATE_WORDS, daysWords } from "../format/certificate-status.ts";
import { containerStatus } from "../format/container-status.ts";
import { shownEndpointStatus } from "../format/endpoint-status.ts";
import { lastKnownStatus } from "../format/last-known.ts";
import { LOCAL_HOST } from "./host-id.ts";
import { useIsUnseen } from "./sight.ts";
import { useSections } from "./use-sections.ts";
import { useHosts, useLostHosts } from "./hosts.ts";
import { heartbeatStatus } from "../format/heartbeat-status.ts";
import { nodeStatus, workloadStatus } from "../format/kubernetes-status.ts";
import { asObserved, nodeStatus as swarmNodeStatus, observedBy, serviceStatus } from "../format/service-status.ts";
import { scheduleWords } from "../format/schedule.ts";
import type { Status } from "../format/status.ts";

/** Something monitored that the palette leads to. */
export interface Thing {
  key: string;
  name: string;
  /** What distinguishes it from others of the same name. */
  note: string;
  status: Status;
  open: () => void;
}

/** Everything monitored, by kind. */
export function useThings(): { heading: string; items: readonly Thing[] }[] {
  const navigate = useNavigate();
  const { data: containers } = useQuery(containersQuery());
  const { data: endpoints } = useQuery(endpointsQuery());
  const { data: heartbeats } = useQuery(heartbeatsQuery);
  const { data: certificates } = useQuery(certificatesQuery);
  const sections = useSections();
  const hasSwarm = sections.some(({ to }) => to === "/swarm");
  const hasKubernetes = sections.some(({ to }) => to === "/kubernetes");
  const { data: swarm } = useQuery({ ...swarmServicesQuery, enabled: hasSwarm });
  const { data: swarmNodes } = useQuery({ ...swarmNodesQuery, enabled: hasSwarm });
  const { data: workloads } = useQuery({ ...workloadsQuery(), enabled: hasKubernetes });
  const { data: nodes } = useQuery({ ...nodesQuery(), enabled: hasKubernetes });
  const hosts = useHosts();
  const lost = useLostHosts();
  const isUnseen = useIsUnseen();
  return useMemo(() => {
    const isObservedService = observedBy(swarm?.clusters ?? []);
    const isObservedNode = observedBy(swarmNodes?.clusters ?? []);
    return [
      {
        heading: "Containers",
        items: (containers?.groups.flatMap((group) => group.containers) ?? []).map((container) => ({
          key: `container ${container.id}`,
          name: container.name,
          note: container.group,
          status: asSeen(containerStatus(container).status, isUnseen("container", container.agent_id)),
          open: () => void navigate({ to: "/containers/$id", params: { id: container.id } }),
        })),
      },
      {
        heading: "Services",
        items: (swarm?.services ?? []).map((service) => ({
          key: `service ${service.id}`,
          name: service.name,
          note: service.group,
          status: asObserved(serviceStatus(service), isObservedService(service)).status,
          open: () => void navigate({ to: "/swarm/services/$id", params: { id: service.id } }),
        })),
      },
      {
        heading: "Swarm nodes",
        items: (swarmNodes?.nodes ?? []).map((node) => ({
          key: `swarm node ${node.id}`,
          name: node.hostname,
          note: node.role,
          status: asObserved(swarmNodeStatus(node), isObservedNode(node)).status,
          open: () => void navigate({ to: "/swarm/nodes", search: { node: node.id } }),
        })),
      },
      {
        heading: "Workloads",
        items: (workloads?.workloads ?? []).map((workload) => ({
          key: `workload ${workload.id}`,
          name: workload.name,
          note: `${workload.kind} in ${workload.namespace}`,
          status: workloadStatus(workload).status,
          open: () => void navigate({ to: "/kubernetes/workloads/$id", params: { id: workload.id }, search: {} }),
        })),
      },
      {
        heading: "Nodes",
        items: (nodes?.nodes ?? []).map((node) => ({
          key: `node ${node.id}`,
          name: node.name,
          note: node.roles.join(", "),
          status: nodeStatus(node).status,
          open: () => void navigate({ to: "/kubernetes/nodes", search: { node: node.name } }),
        })),
      },
      {
        heading: "Endpoints",
        items: (endpoints?.endpoints ?? []).map((endpoint) => ({
          key: `endpoint ${endpoint.id}`,
          name: endpoint.name,
          note: endpoint.name === endpoint.target ? (endpoint.container_name ?? endpoint.service_name ?? "") : endpoint.target,
          status: shownEndpointStatus(endpoint, isUnseen("endpoint", endpoint.agent_id)).status,
          open: () => void navigate({ to: "/endpoints/$id", params: { id: endpoint.id } }),
        })),
      },
      {
        heading: "Heartbeats",
        items: (heartbeats?.heartbeats ?? []).map((record) => ({
          key: `heartbeat ${record.id}`,
          name: record.name,
          note: scheduleWords(record),
          status: heartbeatStatus(record).status,
          open: () => void navigate({ to: "/heartbeats/$id", params: { id: record.id } }),
        })),
      },
      {
        heading: "Certificates",
        items: (certificates?.certificates ?? []).map((certificate) => ({
          key: `certificate ${certificate.id}`,
          name: certificate.domain,
          note: [certificate.port === 443 ? "" : `port ${certificate.port}`, daysWords(certificate.days_until_expiry) ?? ""]
            .filter((part) => part !== "")
            .join(", "),
          status: asSeen(CERTIFICATE_WORDS[certificate.status].status, isUnseen("certificate", certificate.agent_id)),
          open: () => void navigate({ to: "/certificates/$id", params: { id: certificate.id } }),
        })),
      },
      {
        heading: "Hosts",
        // Who has one host only finds it among the pages.
        items: (hosts.length > 1 || hosts[0] !== LOCAL_HOST ? hosts : []).map(({ id, name }) => ({
          key: `host ${id}`,
          name,
          note: lost[id] === undefined ? "" : "not connected",
          status: lost[id] === undefined ? "ok" : "down",
          open: () => void navigate({ to: "/hosts/$id", params: { id } }),
        })),
      },
    ];
  }, [containers, swarm, swarmNodes, workloads, nodes, endpoints, heartbeats, certificates, hosts, lost, isUnseen, navigate]);
}

function asSeen(status: Status, isUnseen: boolean): Status {
  return isUnseen ? lastKnownStatus(status) : status;
}
