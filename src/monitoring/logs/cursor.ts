import { z } from "zod";
import type { Place } from "./line.ts";

const whole = z.number().int();

/** The place that a cursor of a search names. */
export const placeInCursor = z
  .tuple([whole, whole.min(1), whole.min(0)])
  .transform(([atMs, containerId, ordinal]): Place => ({ atMs, containerId, ordinal }));
