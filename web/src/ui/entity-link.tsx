import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface Properties {
  /** What kind it is: `container`, `endpoint`, `heartbeat`, `certificate`, `agent`, `host`. */
  type: string;
  id: string;
  className?: string;
  children: ReactNode;
}

/** The pages of what has a number. */
const NUMBERED = {
  container: "/containers/$id",
  endpoint: "/endpoints/$id",
  heartbeat: "/heartbeats/$id",
  certificate: "/certificates/$id",
} as const;

const NAMED = {
  agent: "/hosts/$id",
  host: "/hosts/$id",
  swarm_service: "/swarm/services/$id",
  kubernetes_workload: "/kubernetes/workloads/$id",
} as const;

/** Of what has no page, the list that it is in. */
const LISTS = {
  kubernetes_cluster: "/kubernetes",
  kubernetes_node: "/kubernetes/nodes",
  kubernetes_claim: "/kubernetes/storage",
  kubernetes_certificate: "/kubernetes/network",
} as const;

function isOf<Pages extends object>(pages: Pages, type: string): type is Extract<keyof Pages, string> {
  return Object.hasOwn(pages, type);
}

/** Leads to the page of something monitored; a kind without pages is plain text. */
export function EntityLink({ type, id, className, children }: Properties) {
  const number = Number(id);
  if (isOf(NAMED, type)) return <Link to={NAMED[type]} params={{ id }} {...{ className, children }} />;
  if (isOf(LISTS, type)) return <Link to={LISTS[type]} {...{ className, children }} />;
  if (isOf(NUMBERED, type) && Number.isSafeInteger(number))
    return <Link to={NUMBERED[type]} params={{ id: number }} {...{ className, children }} />;
  if (type === "swarm_node" || type === "swarm") return <Link to="/swarm/nodes" search={{ node: id }} {...{ className, children }} />;
  return <span className={className}>{children}</span>;
}
