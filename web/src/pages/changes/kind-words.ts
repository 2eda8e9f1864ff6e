import type { PastChangeList } from "../../../../src/publishing/overview/changes/api.ts";
import type { Status } from "../../format/status.ts";

type Kind = PastChangeList["changes"][number]["kind"];

/** What kind of change it is, and the shape before it; undefined: one that is neither good nor bad. */
export const KIND_WORDS: Readonly<Record<Kind, { word: string; status?: Status }>> = {
  alert_raised: { word: "Alert fired", status: "down" },
  alert_resolved: { word: "Alert resolved", status: "ok" },
  alert_acknowledged: { word: "Alert acknowledged" },
  container_changed: { word: "Container" },
  container_removed: { word: "Removed" },
  image_changed: { word: "Image" },
  endpoint_changed: { word: "Endpoint" },
  heartbeat_changed: { word: "Heartbeat" },
  certificate_changed: { word: "Certificate" },
  update_found: { word: "Update found" },
  agent_enrolled: { word: "Agent enrolled" },
  agent_revoked: { word: "Agent revoked" },
  agent_lost: { word: "Agent lost", status: "down" },
  incident_said: { word: "Incident" },
};
