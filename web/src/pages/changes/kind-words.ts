import type { ChangeKind } from "../../../../src/contract/change-kinds.ts";
import type { Status } from "../../format/status.ts";
import { checkRows, type MenuRow } from "../../ui/menu-rows.ts";

/** What kind of change it is, and the shape before it; undefined: one that is neither good nor bad. */
export const KIND_WORDS: Readonly<Record<ChangeKind, { word: string; status?: Status }>> = {
  alert_raised: { word: "Alert fired" },
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

/** The kinds as a menu lists them. */
const PARTS: readonly { part: string; kinds: readonly ChangeKind[] }[] = [
  { part: "Alerts", kinds: ["alert_raised", "alert_resolved", "alert_acknowledged"] },
  { part: "Containers", kinds: ["container_changed", "container_removed", "image_changed", "update_found"] },
  { part: "Checks", kinds: ["endpoint_changed", "heartbeat_changed", "certificate_changed"] },
  { part: "Hosts", kinds: ["agent_enrolled", "agent_revoked", "agent_lost"] },
  { part: "Status page", kinds: ["incident_said"] },
];

/** The rows of a menu of kinds; `onChange` gets those that are chosen then. */
export function kindRows(chosen: readonly ChangeKind[], onChange: (kinds: ChangeKind[]) => void): MenuRow[] {
  return PARTS.flatMap(({ part, kinds }) =>
    checkRows(
      chosen,
      kinds.map((kind) => ({ value: kind, label: KIND_WORDS[kind].word })),
      onChange,
    ).map((row) => ({ ...row, part })),
  );
}

/** `image`, `3 chosen`, `any`. */
export function chosenWords([first, ...others]: readonly ChangeKind[]): string {
  if (first === undefined) return "any";
  return others.length === 0 ? KIND_WORDS[first].word.toLowerCase() : `${others.length + 1} chosen`;
}
