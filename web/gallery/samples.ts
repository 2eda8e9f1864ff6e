/** What the components are shown with. Times are counted from when the page was opened. */
import { ApiError } from "../src/api/client.ts";

const OPENED_MS = Date.now();

/** So many minutes ago. */
export function minutesAgo(minutes: number): string {
  return new Date(OPENED_MS - minutes * 60_000).toISOString();
}

export const LONG = `analytics-warehouse-incremental-materialisation-worker-${"eu-central-1-".repeat(6)}0`;
/** For pictures that are compared: letters that the fonts of the app do not have look different on every machine. */
const IS_PICTURED = location.search === "?pictured";
/** Names that are read from right to left, the first with what is not. */
export const RIGHT_TO_LEFT = IS_PICTURED ? "hebrew-database (v2.1)" : "מסד-נתונים-ראשי (v2.1)";
export const ARABIC = IS_PICTURED ? "arabic-payments" : "خادم-الدفع-الرئيسي";
/** What somebody may call a container to break a page. */
export const MARKUP = `<img src=x onerror="alert(1)"> & 'quotes'`;

export const NO_ANSWER = new ApiError("unreachable", "The server does not answer.");
export const DEFECT = new ApiError("internal", "Something went wrong on the server.", { requestId: "01JC4K7Q2M" });

/** Ninety days, newest first: with a bad one, a worse one, and a month in which nothing was seen. */
export const DAYS = Array.from({ length: 90 }, (_, index) => ({
  date: minutesAgo(index * 1440).slice(0, 10),
  uptime_percent: index > 60 ? null : index === 12 ? 97.4 : index === 30 ? 42 : 100,
  incidents: index === 12 || index === 30 ? 2 : 0,
}));

/** A wave, so that lines have something to show. */
export function wave(count: number, { from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * (1 + Math.sin(index / 5) * Math.cos(index / 17))) / 2);
}

export function ignore(): void {
  // Nothing happens in the gallery.
}
