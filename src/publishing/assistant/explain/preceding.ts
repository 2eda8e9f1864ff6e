import { HOUR_MS } from "../../../contract/time.ts";
import type { ShownAlert } from "../../../alerting/alerts/answers.ts";
import type { ContainerDetail, GenerationRecord } from "../../../monitoring/containers/answers.ts";
import type { Explanation } from "../answers.ts";
import type { ChangePage } from "../changes/pages.ts";
import { evidence } from "../evidence.ts";
import { SOON_MS } from "./facts.ts";

type Change = Explanation["preceding"]["changes"][number];

/** So many are listed. */
const MOST = 12;
/** Changes that are looked at: a crash loop makes several a minute. */
export const MOST_LOOKED_AT = 300;
/** Generations that are looked at. */
export const MOST_GENERATIONS = 4;

/** The stretch of time in which what changed may have led to the alert. */
export function precedingSpan({ fired_at: firedAt }: Pick<ShownAlert, "fired_at">, moment: Date): { from: Date; to: Date } {
  const raisedMs = Date.parse(firedAt);
  return { from: new Date(Math.min(raisedMs, moment.getTime()) - HOUR_MS), to: new Date(raisedMs + SOON_MS) };
}

interface Around {
  alert: ShownAlert;
  container: Pick<ContainerDetail, "id" | "name" | "agent_id"> | null;
  /** The newest, newest first. */
  generations: readonly GenerationRecord[];
  from: Date;
  to: Date;
}

/** What happened in that time, without the alert itself; what happened to one thing over and over is listed once, with how often. */
export function precedingOf(changes: ChangePage["changes"], around: Around): Explanation["preceding"] {
  const { alert, container } = around;
  const folded = new Map<string, Change>();
  for (const { at, kind, what, entity, from, to, evidence: record } of changes) {
    if (record.kind === "alert" && record.id === alert.id) continue;
    const key = [kind, entity.type, entity.id, kind === "image_changed" ? `${from} ${to}` : ""].join("\n");
    const later = folded.get(key);
    if (later === undefined)
      folded.set(key, {
        ...{ at: at.toISOString(), kind, what, entity, from, to, count: 1 },
        is_own: isAbout(entity, { alert, container }),
        evidence: record,
      });
    else later.count += 1;
  }
  const all = [...folded.values(), ...recreationsOf(around)];
  // Of too many, those of other things are left out first.
  const kept = all.toSorted((one, other) => Number(other.is_own) - Number(one.is_own) || other.at.localeCompare(one.at)).slice(0, MOST);
  return { changes: kept.toSorted((one, other) => other.at.localeCompare(one.at)), total: all.length };
}

/** A container that was re-created from the same image: what changed is how it is run. */
function recreationsOf({ container, generations, from, to }: Around): Change[] {
  if (container === null) return [];
  return generations.flatMap((generation, index): Change[] => {
    const before = generations[index + 1];
    const at = generation.created_at ?? before?.ended_at ?? null;
    if (before === undefined || at === null || Date.parse(at) < from.getTime() || Date.parse(at) > to.getTime()) return [];
    if (before.image !== generation.image || before.image_digest !== generation.image_digest) return [];
    return [
      {
        ...{ at, kind: "recreated", what: "The container was re-created from the same image.", count: 1, is_own: true },
        ...{ from: null, to: null, entity: { type: "container", id: container.id, name: container.name } },
        evidence: evidence("container", container.id, at),
      },
    ];
  });
}

function isAbout(entity: ChangePage["changes"][number]["entity"], { alert, container }: Pick<Around, "alert" | "container">): boolean {
  if (entity.id === null) return false;
  if (entity.type === alert.entity_type && String(entity.id) === alert.entity_id) return true;
  return entity.type === "container" && entity.id === container?.id;
}
