import type { CheckResult } from "../../observations.ts";
import { certificateExpiresAt } from "./certificates.ts";
import { noise, seedOf } from "./noise.ts";
import type { Moment } from "./shown.ts";

/** What a check of an address shows at a moment: payments do not answer since their update, and checkout needs them. */
export function checkedAt(target: string, { atMs, updatedMs }: Moment): CheckResult {
  const url = URL.parse(target.includes("://") ? target : `tcp://${target}`);
  const certificate = url?.protocol === "https:" ? { trusted: true, expiresAt: certificateExpiresAt(url.hostname, updatedMs) } : null;
  const httpStatus = url?.protocol === "tcp:" ? null : statusOf(target, atMs >= updatedMs);
  const answered = { observed: true, responseTimeMs: responseMs(target, atMs), httpStatus, certificate };
  if (httpStatus === null || httpStatus === 200) return { ...answered, success: true, failureClass: null, error: null };
  return { ...answered, success: false, failureClass: "http", error: `status ${httpStatus}, expected 2xx` };
}

function statusOf(target: string, isOutage: boolean): number {
  if (!isOutage) return 200;
  if (target.includes("/payments/")) return 502;
  return target.includes("/checkout/") ? 503 : 200;
}

/** In milliseconds: different for each address, and now and then a slow one. */
export function responseMs(target: string, atMs: number): number {
  const seed = seedOf(target);
  const step = Math.floor(atMs / 30_000);
  const usual = 14 + (seed % 70);
  const slow = noise(seed, 1, step) > 0.985 ? 4 : 1;
  return Math.round(usual * slow * (0.8 + 0.5 * noise(seed, 2, step)) * 10) / 10;
}
