import type { ContainerRecord } from "../../../../src/monitoring/containers/api.ts";
import { containerStatus, needsAttention } from "../../format/container-status.ts";
import { countOf } from "../../format/number.ts";
import type { Status } from "../../format/status.ts";

/** A container that needs attention, in two sentences. */
export interface Attention {
  container: ContainerRecord;
  status: Status;
  /** What follows its name: `is restarting`. */
  what: string;
  /** Why, as far as is known; empty when nothing is. */
  why: string;
  since: string;
}

/** Who needs attention: the worst first, then the latest. */
export function attentionList(containers: readonly ContainerRecord[]): Attention[] {
  return containers
    .filter(needsAttention)
    .map(tell)
    .sort((one, other) => rank(one) - rank(other) || other.since.localeCompare(one.since));
}

function rank({ status }: Attention): number {
  return status === "down" ? 0 : 1;
}

function tell(container: ContainerRecord): Attention {
  const { status, cause } = containerStatus(container);
  const loop = container.restart_loop;
  const sentences = [
    container.oom_killed ? "Killed for memory" : loop === null && container.health !== "unhealthy" ? cause : undefined,
    loop === null ? undefined : `Restarted ${countOf(loop.restarts, "time")} within 10 minutes`,
    loop !== null && !container.oom_killed && container.exit_code !== null && container.exit_code !== 0
      ? `Last exit code ${container.exit_code}`
      : undefined,
    container.health === "unhealthy" && container.state === "running" ? "Its health check fails" : undefined,
    container.oom_killed || container.state === "running" ? undefined : tellRestarts(container),
  ];
  return {
    container,
    status,
    what: whatOf(container),
    why: sentences
      .filter((sentence) => sentence !== undefined)
      .map(asSentence)
      .join(" "),
    since: loop?.since ?? container.last_state_change_at,
  };
}

function whatOf({ state, exit_code, restart_loop }: ContainerRecord): string {
  switch (state) {
    case "restarting":
      return restart_loop === null ? "is restarting" : "restarts again and again";
    case "exited":
      return exit_code === null ? "has exited" : `exited with code ${exit_code}`;
    case "dead":
      return "is dead";
    case "created":
      return "could not start";
    default:
      return restart_loop === null ? "is unhealthy" : "restarts again and again";
  }
}

function tellRestarts({ restart_count, restart_loop }: ContainerRecord): string | undefined {
  return restart_loop === null && restart_count > 0 ? `Restarted ${countOf(restart_count, "time")} since it was created` : undefined;
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}

const QUIET: readonly [ContainerRecord["state"], string][] = [
  ["completed", "completed"],
  ["paused", "paused"],
  ["created", "not started"],
];

/** The state of everything: a headline, and what it leaves out. */
export function tellState(containers: readonly ContainerRecord[]): { headline: string; rest: string } {
  const attention = containers.filter(needsAttention).length;
  const well = containers.filter((container) => container.state === "running" && !needsAttention(container)).length;
  const quiet = QUIET.map(([state, word]) => ({ word, count: containers.filter((c) => c.state === state && !needsAttention(c)).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(", ");
  const runs = `${countOf(well, "container")} ${well === 1 ? "runs" : "run"}`;
  if (attention === 0) return { headline: `Everything is well: ${runs}`, rest: quiet === "" ? "" : `Besides: ${quiet}.` };
  return {
    headline: `${countOf(attention, "container")} ${attention === 1 ? "needs" : "need"} attention`,
    rest: well + quiet.length === 0 ? "" : `Everything else is well: ${[runs, quiet].filter(Boolean).join(", ")}.`,
  };
}
