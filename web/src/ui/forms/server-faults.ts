import { isApiError } from "../../api/client.ts";

/** What the server found wrong with a body, by path; not only of `validation_failed`: a name that is taken has a field too. */
export type Faults = Readonly<Record<string, string>>;

/** The faults that an answer names, by the path of each field; the first fault of a field counts. */
export function serverFaults(error: unknown): Faults {
  if (!isApiError(error) || !Array.isArray(error.details)) return {};
  const details: unknown[] = error.details;
  const faults: Record<string, string> = {};
  for (const detail of details) {
    if (typeof detail !== "object" || detail === null || !("path" in detail) || !("message" in detail)) continue;
    faults[String(detail.path).replace(/^body\./, "")] ??= String(detail.message);
  }
  return faults;
}

/** The first fault of a field or of anything in it: `levels.1` has those of `levels.1.delay_seconds`. */
export function faultOf(faults: Faults, field: string): string | undefined {
  const path = Object.keys(faults).find((each) => each === field || each.startsWith(`${field}.`));
  return path === undefined ? undefined : faults[path];
}

/** Whether every fault has one of these fields to stand beside. */
export function areShownAtFields(faults: Faults, fields: readonly string[]): boolean {
  const paths = Object.keys(faults);
  return paths.length > 0 && paths.every((path) => fields.some((field) => path === field || path.startsWith(`${field}.`)));
}
