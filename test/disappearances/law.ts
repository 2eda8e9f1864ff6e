import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { Name } from "./host.ts";
import { NAMES } from "./host.ts";
import { type Cell, type Kind, KINDS } from "./kinds.ts";
import { alertsOf } from "./reading.ts";
import type { Since } from "./since.ts";
import type { World } from "./world.ts";

/** A last good word stands for so long on the public page. Source: contract, section 19, Public page. */
const UNSEEN_MS = 5 * 60_000;
/** A step, and what is made of it. */
const TOLERANCE_MS = 60_000;
const GOOD = new Set(["running", "up", "valid", "connected", "operational"]);

/** What is shown as well, or over, though nothing was seen of it. */
export function breaches(
  world: World,
  since: Since,
  { shown, alerts }: { shown: Record<Kind, Cell>; alerts: readonly AlertRecord[] },
): string[] {
  const nowMs = world.clock.monotonicMs();
  const found: string[] = [];
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const isUnseen = nowMs - world.lastShownMs(kind, "web") > UNSEEN_MS + TOLERANCE_MS;
    for (const field of ["state", "page"] as const)
      if (isUnseen && GOOD.has(shown[kind][field])) found.push(`${kind} ${field}: ${shown[kind][field]}, and nothing was seen`);
    for (const name of NAMES)
      for (const alert of ended(alerts, kind, name, since))
        if (!isSeen(kind, name)) found.push(`${kind}: ${alert.event} is over, and nothing was seen`);
  }
  return found;

  function isSeen(kind: Kind, name: Name): boolean {
    return world.lastShownMs(kind, name) > since.monotonicMs;
  }
}

/** The alerts that ended since because health was seen. */
function ended(alerts: readonly AlertRecord[], kind: Kind, name: Name, since: Since): AlertRecord[] {
  return alertsOf(alerts, kind, name).filter(
    ({ id, status, resolution }) => status === "resolved" && resolution?.by === "observation" && !since.endedIds.has(id),
  );
}
