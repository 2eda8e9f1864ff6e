import { DAY_MS, MINUTE_MS } from "../../contract/time.ts";
import { digestOf } from "../world/identity.ts";
import { shownAt } from "../world/shown.ts";
import type { Moments, PastContainer } from "./past.ts";
import type { Row, Rows } from "./store.ts";

/** As long as the program keeps comparisons. */
const KEPT_MS = 89 * DAY_MS;
/** The first evaluation after a change, and how many there are. */
const FIRST_MS = 15 * MINUTE_MS;
const EVALUATIONS = 4;
/** Its first restart. */
export const WORSE_AFTER_MS = 4_100;
const WORSE = { figure: "restarts", worse: true, text: "it restarted unexpectedly" };

/** Which image runs under which name, and when it was another: the program itself evaluates the update of today. */
export function imageChangeRows(past: readonly PastContainer[], moments: Moments): Rows[] {
  const comparisons = past.flatMap((each) => changesOf(each, moments)).map((row, index): Row => ({ id: index + 1, ...row }));
  const latest = new Map(comparisons.map((row) => [`${row["host"]} ${row["name"]}`, row]));
  return [
    { table: "update_comparisons", rows: comparisons },
    {
      table: "image_runs",
      rows: past.map(({ id, container }) => {
        const shown = shownAt(container, { atMs: moments.nowMs, updatedMs: moments.updatedMs });
        const host = container.host.agentId ?? "local";
        return {
          ...{ host, name: container.name, container_id: id, container_ids: JSON.stringify([id]), image: shown.image },
          ...{ image_digest: shown.imageDigest, image_id: shown.imageId, since: shown.createdAt?.getTime() ?? moments.startMs },
          ...{ started_at: shown.startedAt?.getTime() ?? moments.startMs, gone_at: null },
          comparison_id: latest.get(`${host} ${container.name}`)?.["id"] ?? null,
        };
      }),
    },
  ];
}

function changesOf({ id, container, generations }: PastContainer, { nowMs, updatedMs }: Moments): Row[] {
  return generations.flatMap(({ image, createdMs }, index): Row[] => {
    const before = generations[index - 1];
    if (before === undefined || createdMs < nowMs - KEPT_MS) return [];
    // It does worse at its first restart; its figures the program compares itself.
    const isNew = createdMs >= updatedMs;
    return [
      {
        ...{ host: container.host.agentId ?? "local", name: container.name, before_ids: JSON.stringify([id]) },
        ...{ before_image: before.image, before_digest: digestOf(before.image), before_since: before.createdMs },
        ...{ before_until: before.endedMs ?? createdMs, before_cpus: container.host.cpuCount, image, image_digest: digestOf(image) },
        ...{ changed_at: createdMs, look: isNew ? 0 : EVALUATIONS, due_at: isNew ? createdMs + FIRST_MS : null },
        ...{ compared_at: createdMs + (isNew ? WORSE_AFTER_MS : DAY_MS), window_ms: isNew ? WORSE_AFTER_MS : DAY_MS },
        ...{ verdict: isNew ? "worse" : "unknown", figures: null, changes: JSON.stringify(isNew ? [WORSE] : []), alerting: Number(isNew) },
      },
    ];
  });
}
