import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { activeAlertsQuery } from "../../api/alert-queries.ts";
import { certificatesQuery } from "../../api/certificate-queries.ts";
import { isApiError } from "../../api/client.ts";
import { endpointsQuery } from "../../api/endpoint-queries.ts";
import { heartbeatsQuery } from "../../api/heartbeat-queries.ts";
import { containersQuery } from "../../api/queries.ts";
import { hasMore } from "../../api/whole-list.ts";
import { useAlertOverlay } from "../../app/alert-acts.ts";
import { applyFilter as filterCertificates } from "../certificates/filter.ts";
import { applyFilter as filterContainers } from "../containers/filter.ts";
import { applyFilter as filterEndpoints } from "../endpoints/filter.ts";
import { applyFilter as filterHeartbeats } from "../heartbeats/filter.ts";
import { isEmpty, type Watched } from "./watched.ts";

interface Reading {
  /** Undefined until everything was answered for the first time. */
  watched: Watched | undefined;
  alerts: readonly ShownAlert[];
  /** Whether some of it could not be read at all, or is still being read. */
  isPartial: boolean;
  /** What could not be read, and why; undefined when all could, or when the notice above the page shows it. */
  failed: { names: string[]; isKnown: boolean; error: Error; retry: () => void } | undefined;
}

const NONE: never[] = [];

/** All that the overview shows of one host, or of all. */
export function useWatched(host: string | undefined): Reading {
  const containers = useQuery(containersQuery());
  const endpoints = useQuery(endpointsQuery());
  const heartbeats = useQuery(heartbeatsQuery);
  const certificates = useQuery(certificatesQuery);
  const alerts = useQuery(activeAlertsQuery);
  const overlay = useAlertOverlay();
  const all = [
    { name: "containers", query: containers },
    { name: "endpoints", query: endpoints },
    { name: "heartbeats", query: heartbeats },
    { name: "certificates", query: certificates },
    { name: "alerts", query: alerts },
  ];
  const isAnswered = all.every(({ query }) => !query.isPending);

  const watched = useMemo((): Watched => {
    const groups = filterContainers(containers.data?.groups ?? NONE, { host });
    return {
      groups,
      containers: groups.flatMap((group) => group.containers),
      endpoints: filterEndpoints(endpoints.data?.endpoints ?? NONE, { host }),
      heartbeats: filterHeartbeats(heartbeats.data?.heartbeats ?? NONE, { host }),
      certificates: filterCertificates(certificates.data?.certificates ?? NONE, { host }),
    };
  }, [containers.data, endpoints.data, heartbeats.data, certificates.data, host]);

  const shownAlerts = useMemo(() => {
    const agentId = host === "local" ? null : host;
    const active = (alerts.data?.alerts ?? NONE).map(overlay).filter(({ status }) => status === "active");
    return agentId === undefined ? active : active.filter(({ agent_id }) => agent_id === agentId);
  }, [alerts.data, overlay, host]);

  const failing = all.filter(({ query: { error, data } }) => error !== null && (data === undefined || !isApiError(error, "unreachable")));
  const error = failing[0]?.query.error;
  const hasUnread = [containers, endpoints, heartbeats, certificates].some(({ data }) => hasMore(data));
  return {
    // Of a host that is on pages to come nothing is known yet.
    watched: isAnswered && failing.length < all.length && !(hasUnread && isEmpty(watched)) ? watched : undefined,
    alerts: shownAlerts,
    isPartial: hasUnread || failing.some(({ query }) => query.data === undefined),
    failed:
      error === undefined || error === null
        ? undefined
        : {
            names: failing.map(({ name }) => name),
            isKnown: failing.every(({ query }) => query.data !== undefined),
            error,
            retry: () => failing.forEach(({ query }) => void query.refetch()),
          },
  };
}
