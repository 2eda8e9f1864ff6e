import { EVENTS } from "../../events.ts";
import type { EventsQuery } from "./api.ts";
import type { LiveFrame } from "./ring.ts";

const NAMES: readonly string[] = Object.keys(EVENTS);

export interface Filter {
  /** The same for two filters that let the same pass. */
  readonly key: string;
  admits(frame: Pick<LiveFrame, "type" | "agentId">): boolean;
}

export function createFilter({ types: wanted, agent_id: host }: EventsQuery): Filter {
  const names =
    wanted === undefined ? undefined : NAMES.filter((name) => wanted.includes(name) || wanted.includes(`${name.split(".")[0]}.*`));
  const agentId = host === "local" ? null : host;
  return {
    key: JSON.stringify([names ?? null, host ?? null]),
    admits: (frame) =>
      (names === undefined || names.includes(frame.type)) &&
      (host === undefined || frame.agentId === undefined || frame.agentId === agentId),
  };
}
