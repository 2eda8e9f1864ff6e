import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { firstLevel, type PostureLevel, stepPosture, UNKNOWN_LEVEL } from "./posture.ts";

/** How safe things stand on one host. */
export interface HostPosture {
  agentId: string | null;
  /** Rounded, as it is shown. */
  score: number;
  /** Names of the containers that pull it down most, the worst first. */
  worst: readonly string[];
}

/** Publishes when the posture of a host stays below the threshold, and when it is back. */
export interface PostureWatch {
  evaluate(): void;
  /** The events of the postures that are low now. */
  announce(): Event[];
  forgetHost(agentId: string): void;
}

export interface PostureWatchParts {
  /** Of every host on which something runs. */
  postures: () => readonly HostPosture[];
  threshold: number;
  /** Without it nothing is published, and what was published is over. */
  isGranted: () => boolean;
  bus: Bus<Event>;
  clock: Clock;
}

/** What is remembered of a host. */
interface Watched {
  posture: HostPosture;
  /** Nothing runs there now; `posture` is as it was last. */
  isIdle: boolean;
  level: PostureLevel;
  previousScore: number | null;
}

export function createPostureWatch({ postures, threshold, isGranted, bus, clock }: PostureWatchParts): PostureWatch {
  const hosts = new Map<string | null, Watched>();
  let isFirst = true;

  function evaluate(): void {
    if (!isGranted()) return forgetAll();
    const atMs = clock.monotonicMs();
    const seen = new Map(postures().map((posture) => [posture.agentId, posture]));
    for (const [agentId, posture] of seen) {
      if (!hosts.has(agentId)) hosts.set(agentId, begin(posture));
    }
    isFirst = false;
    for (const [agentId, watched] of hosts) step(watched, seen.get(agentId), atMs);
  }

  function begin(posture: HostPosture): Watched {
    return { posture, isIdle: false, level: isFirst ? firstLevel(posture.score, threshold) : UNKNOWN_LEVEL, previousScore: null };
  }

  function step(watched: Watched, posture: HostPosture | undefined, atMs: number): void {
    const { agentId } = watched.posture;
    const { level, changed, previousScore } = stepPosture(watched.level, { score: posture?.score ?? null, atMs }, threshold);
    const next = {
      posture: posture ?? watched.posture,
      isIdle: posture === undefined,
      level,
      previousScore: changed ? previousScore : watched.previousScore,
    };
    if (posture === undefined && !level.below) hosts.delete(agentId);
    else hosts.set(agentId, next);
    if (changed) bus.publish(eventOf(next));
  }

  function forgetAll(): void {
    for (const watched of hosts.values()) {
      if (watched.level.below) bus.publish(eventOf({ ...watched, level: { ...watched.level, below: false } }));
    }
    hosts.clear();
  }

  function eventOf({ posture: { agentId, score, worst }, isIdle, level, previousScore }: Watched): Event {
    return {
      type: "security.posture_threshold",
      data: {
        agent_id: agentId,
        name: agentId ?? "Local",
        score: isIdle && !level.below ? null : score,
        previous_score: previousScore,
        threshold,
        below: level.below,
        worst: [...worst],
        alert_tags: [],
        timestamp: clock.now().toISOString(),
      },
    };
  }

  return {
    evaluate,
    announce() {
      evaluate();
      return [...hosts.values()].filter(({ level }) => level.below).map(eventOf);
    },
    forgetHost: (agentId) => void hosts.delete(agentId),
  };
}
