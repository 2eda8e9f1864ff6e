/** What changed of the images that containers could run; see ../events.ts. Source: specification, Events, update.*. */
import type { UPDATE_STATUSES, UPDATE_TYPES } from "../contract/updates.ts";
import type { ContainerEntityData } from "./entity.ts";

export type UpdateType = (typeof UPDATE_TYPES)[number];

export type UpdateStatus = (typeof UPDATE_STATUSES)[number];

interface ScanData {
  scan_id: string;
  /** Images, each however many containers run it. */
  total: number;
  scanned: number;
  updates_found: number;
  /** A scan is of all hosts. */
  agent_id: null;
  timestamp: string;
}

/** `id`, `name` and `agent_id` are the container's. */
interface UpdateData extends ContainerEntityData {
  update_id: number;
  status: UpdateStatus;
  update_type: UpdateType | null;
  current_tag: string | null;
  current_digest: string | null;
  available_tag: string | null;
  available_digest: string | null;
  /** Somebody is to be notified: what is available is neither pinned nor excluded, and the container's labels do not say otherwise. */
  alerting: boolean;
  /** What is available, as one sentence; null when nothing is. */
  message: string | null;
}

/** How a container did before and after its image changed. `id`, `name` and `agent_id` are the container's. */
interface ComparisonData extends ContainerEntityData {
  comparison_id: number;
  previous_image: string;
  changed_at: string;
  verdict: "pending" | "unchanged" | "better" | "worse" | "unknown";
  /** Somebody is to be notified that it is worse. */
  alerting: boolean;
  /** What is worse, as one sentence; null when nothing is. */
  message: string | null;
}

export interface UpdateEvents {
  "update.scan_started": ScanData & { trigger: "schedule" | "manual" };
  "update.scan_progress": ScanData;
  "update.scan_completed": ScanData & { status: "completed" | "failed"; errors: number };
  /** A newer image that was not known before. */
  "update.detected": UpdateData;
  /** Another change of what is known of a container's image: taken, gone, pinned, excluded, or known again after a restart. */
  "update.changed": UpdateData;
  "update.pinned": UpdateData & { reason: string | null };
  "update.unpinned": UpdateData;
  "update.compared": ComparisonData;
}

export const UPDATE_EVENTS: Record<keyof UpdateEvents, string> = {
  "update.scan_started": "a scan for newer images began",
  "update.scan_progress": "a scan progressed",
  "update.scan_completed": "a scan ended",
  "update.detected": "a newer image was found for a container",
  "update.changed": "what is known of newer images for a container changed",
  "update.pinned": "somebody pinned a container to what it runs",
  "update.unpinned": "the pin of a container was taken away",
  "update.compared": "a container was compared with how it did before its image changed",
};
