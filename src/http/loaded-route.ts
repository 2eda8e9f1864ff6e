import type { z } from "zod";
import { type AnswerShape, LaterSchema } from "./answers.ts";
import type { Route } from "./route.ts";

/** A route whose answers are all at hand. */
export interface LoadedRoute extends Route {
  responses: Readonly<Record<number, z.ZodType | string | readonly (z.ZodType | string)[]>>;
}

export async function loadAnswers(route: Route): Promise<LoadedRoute> {
  const loaded = Object.entries(route.responses).map(async ([status, declared]) => {
    if (!Array.isArray(declared)) return [status, await atHand(declared as AnswerShape)] as const;
    return [status, await Promise.all((declared as readonly AnswerShape[]).map(atHand))] as const;
  });
  return { ...route, responses: Object.fromEntries(await Promise.all(loaded)) };
}

function atHand(shape: AnswerShape): Promise<z.ZodType> | z.ZodType | string {
  return shape instanceof LaterSchema ? shape.load() : shape;
}
