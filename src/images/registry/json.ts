import type { z } from "zod";
import { RegistryError } from "../registry-error.ts";

/** A body as JSON of a shape; `what` begins the sentence that says that it is not. */
export function readJson<Schema extends z.ZodType>(body: Buffer, schema: Schema, what: string): z.infer<Schema> {
  return readShape(parseJson(body, what), schema, what);
}

export function parseJson(body: Buffer, what: string): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    const looks = /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString("latin1")) ? "a web page" : "not JSON";
    throw new RegistryError("malformed", `${what} is ${looks}.`);
  }
}

export function readShape<Schema extends z.ZodType>(value: unknown, schema: Schema, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.slice(0, 4).map(String).join(".").slice(0, 60);
  throw new RegistryError("malformed", `${what} does not look as it must${path ? ` at ${JSON.stringify(path)}` : ""}.`);
}
