import type { Explanation } from "../api.ts";
import type { AlertFacts } from "./facts.ts";

/** Tools that tell more of what an alert is about. */
export function nextOf({ alert, container, endpoint, heartbeat, certificate, imageChanges, related }: AlertFacts): Explanation["next"] {
  const next: Explanation["next"] = [];
  const add = (tool: string, id: number | null, why: string): void => void next.push({ tool, id, why });
  if (container !== null) {
    add("get_container", container.id, "the whole container: ports, labels, uptime");
    if (container.archived_at === null) add("get_container_logs", container.id, "more of its log");
    add("get_resources", container.id, "what it used over a longer time");
    if (imageChanges.length > 0) add("get_updates", container.id, "how it does since its image changed, and how to go back");
  }
  if (endpoint !== null) add("get_endpoint_history", endpoint.id, "more checks, and the response times");
  if (heartbeat !== null) add("list_heartbeats", heartbeat.id, "its schedule and the runs under way");
  if (certificate !== null) add("list_certificates", certificate.id, "its issuer, chain and expiry");
  if (alert.entity_type === "agent") add("list_agents", null, "whether the host's agent is connected");
  if (related.total > related.alerts.length) add("list_alerts", null, "all that is wrong now");
  add("what_changed", null, "what else changed around that time, on all hosts");
  if (alert.status === "active" && alert.acknowledged_at === null)
    add("acknowledge_alert", alert.id, "only if the person asks for it: says that somebody takes care of it");
  return next;
}
