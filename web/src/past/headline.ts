import { joinWords } from "../../../src/contract/words.ts";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import { IDLE_WORDS } from "../format/container-status.ts";
import { countOf } from "../format/number.ts";

type Seen = Pick<Moment, "counts" | "is_known" | "containers">;

/** How all containers were, in a sentence. */
export function pastHeadline(moment: Seen): string {
  if (!moment.is_known) return UNKNOWN;
  const troubles = containerTroubles(moment);
  return troubles.length > 0 ? joinWords(troubles) : calmWords(moment);
}

/** How everything was, in a sentence. */
export function overviewHeadline(moment: Seen & Pick<Moment, "endpoints" | "heartbeats" | "certificates">): string {
  if (!moment.is_known) return UNKNOWN;
  const { endpoints, heartbeats, certificates } = moment;
  const troubles = [
    ...containerTroubles(moment),
    ...counted("endpoint", [
      [endpoints.counts.down, "down"],
      [endpoints.counts.degraded, "degraded"],
    ]),
    ...counted("heartbeat", [[heartbeats.counts.down, "down"]]),
    ...counted("certificate", [
      [certificates.counts.expired, "expired"],
      [certificates.counts.chain_invalid, "not trusted"],
      [certificates.counts.unreachable, "unreachable"],
      [certificates.counts.expiring, "expiring"],
    ]),
  ];
  return troubles.length > 0 ? joinWords(troubles) : calmWords(moment);
}

const UNKNOWN = "Nothing is known of this moment";

function containerTroubles({ counts }: Seen): string[] {
  return counted("container", [
    [counts.down, "down"],
    [counts.degraded, "degraded"],
    [counts.unknown, "not monitored"],
  ]);
}

/** `2 containers down`, `1 degraded`: the first names the thing. */
function counted(thing: string, counts: readonly (readonly [count: number, word: string])[]): string[] {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word], index) => (index === 0 ? `${countOf(count, thing)} ${word}` : `${count} ${word}`));
}

function calmWords({ counts, containers }: Seen): string {
  if (counts.up + counts.stopped === 0) return "No containers";
  const idle = idleWords(counts.stopped, containers);
  return idle.length === 0
    ? `All ${countOf(counts.up, "container")} healthy`
    : [`${countOf(counts.up, "container")} healthy`, ...idle].join(", ");
}

/** By their states, in the words of the present; the states of those that were left out are not known. */
function idleWords(count: number, containers: Seen["containers"]): string[] {
  const seen = containers.filter(({ status }) => status === "stopped");
  return IDLE_WORDS.map(([state, word]) => {
    const unknown = state === "exited" ? count - seen.length : 0;
    return [seen.filter((container) => container.state === state).length + unknown, word] as const;
  }).flatMap(([inState, word]) => (inState > 0 ? [`${inState} ${word}`] : []));
}
