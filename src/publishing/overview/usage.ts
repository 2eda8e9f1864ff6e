import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../contract/time.ts";
import type { Containers } from "../../monitoring/containers/index.ts";
import type { Resources } from "../../monitoring/resources/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { UsageAt } from "./answers.ts";
import type { UsageQuery } from "./api.ts";
import { MOST_USERS, unusable } from "./limits.ts";

export interface UsageDependencies {
  containers: Pick<Containers, "moment">;
  resources: { service: Pick<Resources["service"], "around"> };
  clock: Clock;
}

const AT_ONCE = 10;
/** A reading is made every ten seconds; where only rollups are kept, the step that holds the moment is read. */
const SPAN = { beforeMs: MINUTE_MS, afterMs: 30 * SECOND_MS };

/** What containers used at a moment. Throws `unusable_values` for one in the future, EDITION_REQUIRED for one longer ago than the edition shows. */
export function createUsageReader({ containers, resources, clock }: UsageDependencies) {
  return async ({ at: text, agent_id: agentId }: UsageQuery): Promise<UsageAt> => {
    const at = new Date(text);
    if (at > clock.now()) throw unusable("at", "Must not be in the future");
    const running = (await containers.moment.containers(at, agentId === "local" ? null : agentId)).filter(
      ({ state }) => state === "running",
    );
    const asked = running.slice(0, MOST_USERS);
    const found: UsageAt["containers"] = [];
    for (let from = 0; from < asked.length; from += AT_ONCE) {
      const some = asked.slice(from, from + AT_ONCE);
      const usages = await Promise.all(some.map(({ id }) => resources.service.around(id, { at, ...SPAN })));
      for (const [index, { id, agentId: host, name }] of some.entries()) {
        const usage = usages[index];
        const point = usage?.points.findLast((each) => each.at <= at);
        if (usage === undefined || point === undefined) continue;
        // Of the last day finer figures are kept: a container that was not measured then may have been an hour before.
        if (usage.stepSeconds * SECOND_MS > MINUTE_MS && clock.now().getTime() - at.getTime() < DAY_MS) continue;
        const { cpuPercent, memoryBytes, memoryLimitBytes } = point;
        found.push({
          ...{ id, agent_id: host, name },
          ...{ cpu_percent: cpuPercent, memory_bytes: memoryBytes, memory_limit_bytes: memoryLimitBytes },
        });
      }
    }
    const measured = found.filter(({ memory_bytes: bytes }) => bytes !== null);
    return {
      at: at.toISOString(),
      containers: found.toSorted((a, b) => (b.memory_bytes ?? 0) - (a.memory_bytes ?? 0) || a.id - b.id),
      memory_bytes: measured.length === 0 ? null : measured.reduce((sum, { memory_bytes: bytes }) => sum + (bytes ?? 0), 0),
      left_out: running.length - asked.length,
    };
  };
}
