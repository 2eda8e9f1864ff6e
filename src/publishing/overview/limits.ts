import { DAY_MS } from "../../contract/time.ts";

/** How far back changes are read: state changes are kept as long. */
export const LONGEST_MS = 90 * DAY_MS;
/** Containers whose figures are read for one answer. */
export const MOST_USERS = 200;
/** Alerts of a moment. */
export const MOST_ALERTS = 1_000;
