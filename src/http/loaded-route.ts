import type { z } from "zod";
import { type AnswerShape, loadSchema } from "./later-schemas.ts";
import type { Route } from "./route.ts";

/** The schemas of a route's input. */
export interface TakenSchemas {
  params?: z.ZodType<never>;
  query?: z.ZodType<never>;
  body?: z.ZodType<never>;
}

/** A route whose schemas are all loaded. */
export interface LoadedRoute extends Route, TakenSchemas {
  params?: z.ZodType<never>;
  query?: z.ZodType<never>;
  body?: z.ZodType<never>;
  responses: Readonly<Record<number, z.ZodType | string | readonly (z.ZodType | string)[]>>;
}

export async function loadRoute(route: Route): Promise<LoadedRoute> {
  const { params: _params, query: _query, body: _body, ...rest } = route;
  const loaded = Object.entries(route.responses).map(async ([status, declared]) => {
    if (!Array.isArray(declared)) return [status, await loadShape(declared as AnswerShape)] as const;
    return [status, await Promise.all((declared as readonly AnswerShape[]).map(loadShape))] as const;
  });
  return { ...rest, ...(await loadTaken(route)), responses: Object.fromEntries(await Promise.all(loaded)) };
}

export async function loadTaken({ params, query, body }: Pick<Route, keyof TakenSchemas>): Promise<TakenSchemas> {
  return {
    ...(params && { params: await loadSchema(params) }),
    ...(query && { query: await loadSchema(query) }),
    ...(body && { body: await loadSchema(body) }),
  };
}

async function loadShape(shape: AnswerShape): Promise<z.ZodType | string> {
  return typeof shape === "string" ? shape : loadSchema(shape);
}
