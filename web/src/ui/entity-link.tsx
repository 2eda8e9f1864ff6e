import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface Properties {
  /** What kind it is: `container`, `endpoint`, `heartbeat`, `certificate`, `agent`, `host`. */
  type: string;
  id: string;
  className?: string;
  children: ReactNode;
}

/** Of what has no page, the list that it is in. */
const KUBERNETES_PAGES: Readonly<Record<string, "/kubernetes" | `/kubernetes/${"nodes" | "storage" | "network"}`>> = {
  kubernetes_cluster: "/kubernetes",
  kubernetes_node: "/kubernetes/nodes",
  kubernetes_claim: "/kubernetes/storage",
  kubernetes_certificate: "/kubernetes/network",
};

/** Leads to the page of something monitored; a kind without pages is plain text. */
export function EntityLink({ type, id, className, children }: Properties) {
  if (type === "agent" || type === "host")
    return (
      <Link to="/hosts/$id" params={{ id }} className={className}>
        {children}
      </Link>
    );
  if (type === "swarm_service")
    return (
      <Link to="/swarm/services/$id" params={{ id }} className={className}>
        {children}
      </Link>
    );
  if (type === "swarm_node" || type === "swarm")
    return (
      <Link to="/swarm/nodes" search={{ node: String(id) }} className={className}>
        {children}
      </Link>
    );
  if (type === "kubernetes_workload")
    return (
      <Link to="/kubernetes/workloads/$id" params={{ id }} className={className}>
        {children}
      </Link>
    );
  const page = KUBERNETES_PAGES[type];
  if (page !== undefined)
    return (
      <Link to={page} className={className}>
        {children}
      </Link>
    );
  const params = { id: Number(id) };
  if (!Number.isSafeInteger(params.id)) return <span className={className}>{children}</span>;
  switch (type) {
    case "container":
      return (
        <Link to="/containers/$id" params={params} className={className}>
          {children}
        </Link>
      );
    case "endpoint":
      return (
        <Link to="/endpoints/$id" params={params} className={className}>
          {children}
        </Link>
      );
    case "heartbeat":
      return (
        <Link to="/heartbeats/$id" params={params} className={className}>
          {children}
        </Link>
      );
    case "certificate":
      return (
        <Link to="/certificates/$id" params={params} className={className}>
          {children}
        </Link>
      );
    default:
      return <span className={className}>{children}</span>;
  }
}
