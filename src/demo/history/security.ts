import { DAY_MS } from "../../contract/time.ts";
import { HOSTS } from "../world/containers.ts";
import { noise } from "../world/noise.ts";
import type { Moments, PastContainer } from "./past.ts";
import type { Row, Rows } from "./store.ts";

const SEED = 77;

/** How the posture of the hosts was day by day, and what was accepted. */
export function securityRows(past: readonly PastContainer[], { startMs, nowMs }: Moments): Rows[] {
  const rows: Row[] = [];
  const hosts = ["all", ...HOSTS.map(({ agentId }) => agentId ?? "local")];
  for (const [place, host] of hosts.entries())
    for (let day = Math.ceil(startMs / DAY_MS); (day + 1) * DAY_MS <= nowMs; day += 1) {
      const share = (day * DAY_MS - startMs) / (nowMs - startMs);
      const steps = Math.floor(share * 6 + noise(SEED, place, Math.floor(day / 21)));
      rows.push({
        ...{ host, day: new Date(day * DAY_MS).toISOString().slice(0, 10), score: Math.min(92, 61 + 5 * steps - place) },
        containers: host === "all" ? past.length : past.filter(({ container }) => (container.host.agentId ?? "local") === host).length,
        critical: Math.max(1, 5 - steps),
        high: Math.max(1, 7 - steps),
        medium: 6,
        acknowledged: 1,
        updated_at: (day + 1) * DAY_MS - 1000,
      });
    }
  return [
    { table: "security_posture_days", rows },
    {
      table: "security_acknowledgments",
      rows: past
        .filter(({ container }) => container.unit === "node-exporter")
        .map(({ id, container }) => ({
          ...{ id: 1, host: "local", container_id: id, container_name: container.name },
          ...{ finding_type: "host_network_mode", finding_key: "", acknowledged_by: "Mara" },
          reason: "It reads the figures of the host",
          acknowledged_at: nowMs - 40 * DAY_MS,
        })),
    },
  ];
}
