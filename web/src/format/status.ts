/** What a status means, wherever one is shown. Each has its own shape, word and colour. */
export type Status = "ok" | "degraded" | "down" | "idle" | "maintenance";

/** From best to worst, to choose one of several. */
export const STATUSES: readonly Status[] = ["ok", "idle", "maintenance", "degraded", "down"];
