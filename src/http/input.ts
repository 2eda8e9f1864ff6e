import { z } from "zod";
import { faultsInWords, refuseFaults, ServiceError } from "../platform/errors.ts";
import type { Fault } from "../platform/errors.ts";
import { isObject } from "../platform/object.ts";
import { MOST_ITEMS } from "./bulk.ts";
import { loadSchema } from "./later-schemas.ts";
import type { Route } from "./route.ts";

/** Values parsed by a route's schemas. Only its handler knows their types; for all other code they are unknown. */
export interface Input {
  params: never;
  query: never;
  body: never;
}

/** The schemas of a route's input. */
export interface TakenSchemas {
  params?: z.ZodType<never>;
  query?: z.ZodType<never>;
  body?: z.ZodType<never>;
}

export async function loadTaken({ params, query, body }: Pick<Route, keyof TakenSchemas>): Promise<TakenSchemas> {
  return {
    ...(params && { params: await loadSchema(params) }),
    ...(query && { query: await loadSchema(query) }),
    ...(body && { body: await loadSchema(body) }),
  };
}

/** The body of a route that takes none. */
const NO_BODY = z.strictObject({}).optional();

/** Parses a request by its route's schemas. */
export type InputParser = (given: Record<keyof Input, unknown>) => Input;

/**
 * The parser of a route's requests. It throws one error with every fault: `invalid_request` when the address has one, `validation_failed` when only
 * the body has, and `unusable_values` when every fault is one that the JSON Schema does not state.
 */
export async function loadInputParser(route: Route): Promise<InputParser> {
  const schemas = { body: NO_BODY, ...(await loadTaken(route)) };
  const mostFaults = route.bulk === undefined ? MOST_FAULTS : MOST_ITEMS;

  return (given) => {
    const faults: { part: keyof Input; isDeclared: boolean; faults: Fault[] }[] = [];
    const parse = (part: keyof Input): never => {
      const parsed = schemas[part]?.safeParse(given[part]);
      const issues = parsed?.error?.issues;
      if (issues !== undefined) faults.push({ part, isDeclared: issues.some(isDeclared), faults: issues.flatMap(faultsOf) });
      return parsed?.data as never;
    };
    const input = { params: parse("params"), query: parse("query"), body: parse("body") };
    const [first] = faults;
    if (first === undefined) return input;
    const all = faults.flatMap((each) => each.faults).slice(0, mostFaults);
    const details = route.bulk === undefined ? all : withKeys(all, given.body, route.bulk.list);
    const { code, what } = PARTS[first.part];
    if (first.part === "body" && !first.isDeclared) refuseFaults(details);
    throw new ServiceError(code, `${what} is not valid: ${faultsInWords(details)}.`, details);
  };
}

/** Adds the caller's keys to the faults of items. */
function withKeys(faults: readonly Fault[], body: unknown, list: string): Fault[] {
  const items = isObject(body) && Array.isArray(body[list]) ? (body[list] as unknown[]) : [];
  return faults.map((fault) => {
    const [name, index] = fault.path.split(".");
    const item = name === list ? items[Number(index)] : undefined;
    return isObject(item) && typeof item["key"] === "string" ? { ...fault, key: item["key"].slice(0, 200) } : fault;
  });
}

/** A body may have a hundred thousand faults; its sender needs the first ones. */
const MOST_FAULTS = 100;

const PARTS = {
  params: { code: "invalid_request", what: "The path" },
  query: { code: "invalid_request", what: "The query" },
  body: { code: "validation_failed", what: "The body" },
} as const;

/** Whether the JSON Schema states it: zod's checks, and our checks that are marked. */
function isDeclared(issue: z.core.$ZodIssue): boolean {
  return issue.code !== "custom" || issue.params?.["declared"] === true;
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== "unrecognized_keys") return [{ path: pathTo(issue.path), message: issue.message }];
  return issue.keys.slice(0, MOST_FAULTS).map((key) => ({ path: pathTo([...issue.path, key]), message: "Unknown key" }));
}

/** Keys come from outside and may be long. */
function pathTo(keys: readonly PropertyKey[]): string {
  return keys.map((key) => String(key).slice(0, 100)).join(".");
}
