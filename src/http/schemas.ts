import { z } from "zod";

/** A whole number in a path or query: only digits, so that an empty text, `1e3` and `0x10` are refused. */
export function wholeNumber({ min, max, error }: { min: number; max: number; error?: (issue: { input?: unknown }) => string }) {
  return z
    .string()
    .regex(/^\d{1,16}$/, { error: error ?? "Must be a whole number" })
    .transform(Number)
    .pipe(z.number().int().min(min, { error }).max(max, { error }));
}

/** A record's identifier in a path. */
export const pathId = wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }).meta({ description: "record identifier" });

/** RFC 3339 with a time zone; answers are always UTC with milliseconds. */
export const timestamp = z.iso.datetime({ offset: true }).meta({ description: "RFC 3339, UTC, milliseconds" });

/** `limit` and `offset` of a paged list. */
export function paging({ limit = 50, maxLimit = 1000 } = {}): { limit: z.ZodType<number>; offset: z.ZodType<number> } {
  return {
    limit: wholeNumber({ min: 1, max: maxLimit }).default(limit),
    offset: wholeNumber({ min: 0, max: 10_000_000 }).default(0),
  };
}

/** The host filter of every list: omitted for all hosts, `local`, or an agent's UUID. */
export const agentFilter = z
  .union([z.literal("local"), z.uuid()])
  .optional()
  .meta({ description: "`local` or an agent id; absent: all hosts" });

/** A query flag: `true`, `1`, `false`, `0`. */
export const queryFlag = z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] });

/** The body of a route with `bodyHeadBytes`; undefined when it is empty. */
export const bodyHead = z.instanceof(Buffer).optional();

export const errorEnvelope = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }),
});
