import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { SavedContainer } from "../containers/index.ts";
import { hostOf } from "./acknowledgment.ts";
import type { Assessment } from "./register.ts";

/** How long a container may be away, or another take to come in its place, before its alert is over. */
export const GRACE_MS = 2 * MINUTE_MS;
/** Beyond this the one that has been away longest is given up. */
const MAX_AWAY = 10_000;

/** Containers that stopped a moment ago while something was found of them: a restart, or a deployment, is no reason to end an alert and begin another. */
export interface Grace {
  /** It stopped, or was removed; `assessment` is as it was until then. */
  wait(assessment: Assessment): void;
  /** A container runs: answers itself, if it was away, and those of its name on its host whose place it took. They are waited for no more. */
  take(container: SavedContainer): Assessment[];
  away(): Iterable<Assessment>;
  forgetHost(agentId: string): void;
  stop(): void;
}

interface Away {
  assessment: Assessment;
  timer: Timer;
}

/** `onOver` is called for those that stayed away. */
export function createGrace({ clock, onOver }: { clock: Clock; onOver: (assessment: Assessment) => void }): Grace {
  const away = new Map<number, Away>();

  function remove(id: number): Assessment | undefined {
    const known = away.get(id);
    known?.timer.cancel();
    away.delete(id);
    return known?.assessment;
  }

  function giveUp(id: number): void {
    const assessment = remove(id);
    if (assessment !== undefined) onOver(assessment);
  }

  return {
    wait(assessment) {
      const { id } = assessment.container;
      remove(id);
      const [longest] = away.keys();
      if (away.size >= MAX_AWAY && longest !== undefined) giveUp(longest);
      away.set(id, { assessment, timer: clock.after(GRACE_MS, () => giveUp(id)) });
    },
    take(container) {
      if (away.size === 0) return [];
      return [...away.values()].flatMap(({ assessment }) =>
        isSameOrBefore(assessment.container, container) ? (remove(assessment.container.id) ?? []) : [],
      );
    },
    away: () => [...away.values()].map(({ assessment }) => assessment),
    forgetHost(agentId) {
      for (const [id, { assessment }] of away) if (assessment.container.agentId === agentId) remove(id);
    },
    stop() {
      for (const { timer } of away.values()) timer.cancel();
      away.clear();
    },
  };
}

function isSameOrBefore(earlier: SavedContainer, container: SavedContainer): boolean {
  if (earlier.id === container.id) return true;
  return earlier.name === container.name && hostOf(earlier.agentId) === hostOf(container.agentId);
}
