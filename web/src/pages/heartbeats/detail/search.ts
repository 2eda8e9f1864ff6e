import { oneOf } from "../../../app/search-params.ts";

/** The ways a job may report, in the order they are offered. */
export const WAYS = ["crontab", "curl", "wget", "systemd", "powershell", "python", "github_actions", "kubernetes_cronjob"] as const;
export type Way = (typeof WAYS)[number];

/** What the address of a heartbeat says: which snippet is shown, and which window is open. */
export interface HeartbeatSearch {
  via?: Way | undefined;
  open?: "edit" | "delete" | undefined;
}

export function heartbeatSearch(search: Record<string, unknown>): HeartbeatSearch {
  return { via: oneOf(search["via"], WAYS), open: oneOf(search["open"], ["edit", "delete"] as const) };
}
