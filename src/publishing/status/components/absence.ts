import { MINUTE_MS } from "../../../contract/time.ts";
import type { Monitor } from "../vocabulary.ts";
import { DELETED_HOST, type Look, type SavedComponent } from "./component.ts";

/** A container that is replaced has this long to come back under its name. Source: contract, section 19. */
const GONE_AFTER_MS = 10 * MINUTE_MS;
/** Most of what is announced has no component. One that is forgotten too early is waited for, as if it might return. */
const MOST_ANNOUNCED = 1_000;

/** Decides when a monitor that cannot be found is gone. */
export interface Absences {
  /** Monitoring announced that the monitor was removed. */
  removed(monitor: Monitor): void;
  isGone(component: Pick<SavedComponent, "monitor" | "agentId" | "needsAttention">, look: Look | undefined): boolean;
}

export interface AbsencesParts {
  /** Whether it may return by itself, unlike what people delete. */
  mayReturn: (monitor: Monitor) => boolean;
  monotonicMs: () => number;
}

export function createAbsences({ mayReturn, monotonicMs }: AbsencesParts): Absences {
  const announced = new Set<string>();
  const missingSince = new Map<string, number>();
  const keyOf = ({ type, id }: Monitor): string => `${type} ${id}`;

  return {
    removed(monitor) {
      announced.add(keyOf(monitor));
      const [oldest] = announced;
      if (announced.size > MOST_ANNOUNCED && oldest !== undefined) announced.delete(oldest);
    },
    isGone({ monitor, agentId, needsAttention }, look) {
      const key = keyOf(monitor);
      if (look !== undefined) {
        announced.delete(key);
        missingSince.delete(key);
        return false;
      }
      if (needsAttention || announced.has(key) || agentId === DELETED_HOST || !mayReturn(monitor)) return true;
      const sinceMs = missingSince.get(key) ?? monotonicMs();
      missingSince.set(key, sinceMs);
      return monotonicMs() - sinceMs >= GONE_AFTER_MS;
    },
  };
}
