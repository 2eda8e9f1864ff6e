export { openSpool, type Spool, type SpoolBudgets, type SpoolTotals } from "./spool.ts";
export type { SpoolRecord } from "./record.ts";
