export const GROUPINGS = ["container", "type", "image"] as const;
/** What findings are grouped by. */
export type Grouping = (typeof GROUPINGS)[number];
