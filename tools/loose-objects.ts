import { z } from "zod";

/** A misspelt key must be an error and not be ignored; so a schema that ignores keys is a defect of the route. Throws for one. */
export function refuseLooseObjects({ method, path, body }: { method: string; path: string; body?: unknown }): void {
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof z.core.$ZodObject && value._zod.def.catchall === undefined) {
      throw new TypeError(`${method} ${path}: objects in its body must be z.strictObject, or say what becomes of other keys`);
    }
    if (value instanceof z.core.$ZodLazy) visit(value._zod.def.getter());
    else if (value instanceof z.core.$ZodType) Object.values(value._zod.def).forEach(visit);
    else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) Object.values(value).forEach(visit);
  };
  visit(body);
}
