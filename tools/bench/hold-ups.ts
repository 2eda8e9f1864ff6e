import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { absoluteFigure, type Figure } from "./figure.ts";

/** Flags of Node for a program whose event loop is watched; it needs `ipc` among its `stdio`. */
export const WATCHED = ["--import", "./tools/bench/servers/event-loop.js"];

export interface HoldUp {
  ms: number;
  cpuMs: number;
}

/** How long the event loop of a watched program was held up at most since the last time of asking. */
export async function longestHoldUp(program: ChildProcess): Promise<HoldUp> {
  program.send({});
  const [longest] = (await once(program, "message")) as [HoldUp];
  return longest;
}

/** By the clock, which neighbours on the machine lengthen, and what of it was work. */
export function holdUpFigures(bench: string, when: string, { ms, cpuMs: workMs }: HoldUp): Figure[] {
  return [
    absoluteFigure({ name: `${bench}: longest hold-up, ${when}`, value: ms, unit: "ms", atMost: 50 }),
    absoluteFigure({ name: `${bench}: its CPU time, ${when}`, value: workMs, unit: "ms", atMost: 50 }),
  ];
}
