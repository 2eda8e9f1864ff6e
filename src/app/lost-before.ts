import type { Alert } from "../alerting/index.ts";
import type { LostBefore } from "./runtime-watch.ts";

/** What the active alerts say of the lost runtime of a host. */
export function lostBefore(activeAlerts: ReadonlyMap<string, Alert>, agentId: string | null): LostBefore | undefined {
  const alert = [...activeAlerts.values()].find(
    (each) => each.source === "agent" && each.event === "runtime_lost" && each.agentId === agentId,
  );
  const since = alert?.details["since"];
  const backAt = alert?.details["back_at"];
  if (typeof since !== "string") return undefined;
  return { since: new Date(since), backAt: typeof backAt === "string" ? new Date(backAt) : null };
}
