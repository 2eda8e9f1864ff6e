import type { Range } from "../../../src/contract/ranges.ts";

/** How far back a chart goes, in few letters. */
export const RANGE_LABELS: Readonly<Record<Range, string>> = { "1h": "1 h", "6h": "6 h", "24h": "24 h", "7d": "7 d", "30d": "30 d" };
