import { HOUR_MS } from "../../../contract/time.ts";
import type { CheckResult, FailureClass } from "../../../observations.ts";
import { cleanName } from "../../../platform/text.ts";

/** One check of an endpoint, as it is kept. */
export interface Check {
  /** When it began; tells it from the other checks of its endpoint. */
  atMs: number;
  success: boolean;
  /** False: the host itself had no network, which says nothing of the endpoint. */
  observed: boolean;
  /** It reached us after a time in which its host was cut off. */
  replayed: boolean;
  /** It arrived after a newer one, so it is part of the history and of nothing else. */
  late: boolean;
  /** With this one the endpoint went down. */
  wentDown: boolean;
  /** In tenths. */
  responseTimeMs: number | null;
  httpStatus: number | null;
  failureClass: FailureClass | null;
  error: string | null;
}

const MAX_ERROR = 500;
const LONGEST_RESPONSE_MS = HOUR_MS;

/** What a host says of a check, in bounds. */
export function toCheck(result: CheckResult, at: Date): Check {
  const { success, observed, responseTimeMs, httpStatus, failureClass, error } = result;
  return {
    atMs: at.getTime(),
    success,
    observed,
    replayed: false,
    late: false,
    wentDown: false,
    responseTimeMs: responseTimeMs === null ? null : Math.round(Math.min(Math.max(responseTimeMs, 0), LONGEST_RESPONSE_MS) * 10) / 10,
    httpStatus: httpStatus !== null && httpStatus >= 100 && httpStatus <= 999 ? Math.trunc(httpStatus) : null,
    failureClass: success ? null : failureClass,
    error: error === null ? null : cleanName(error, MAX_ERROR) || null,
  };
}
