import { DAY_MS } from "../../contract/time.ts";
import { ServiceError } from "../../platform/errors.ts";

/** How far back changes are read: state changes are kept as long. */
export const LONGEST_MS = 90 * DAY_MS;
/** Containers whose figures are read for one answer. */
export const MOST_USERS = 200;
/** Alerts of a moment. */
export const MOST_ALERTS = 1_000;

/** Refuses a value of a query. */
export function unusable(path: string, message: string): ServiceError {
  return new ServiceError("unusable_values", `The query cannot be used: ${path}: ${message}.`, [{ path, message }]);
}
