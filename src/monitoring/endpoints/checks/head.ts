import { HOUR_MS } from "../../../contract/time.ts";
import type { FailureClass, CheckResult } from "../../../observations.ts";
import { cleanName } from "../../../platform/text.ts";

/** One check of an endpoint, as it is kept. */
export interface Check {
  /** When it began; unique among the checks of its endpoint. */
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

/** Checks that are in the journal and in no chunk yet, by endpoint: 24 bytes each. */
export interface Head {
  /** The last row of the journal whose checks are here, or were. */
  journalId(): number;
  reach(journalId: number): void;
  add(endpointId: number, check: Check): void;
  /** Those of an endpoint, in the order in which they came; all, or those of a range, both ends with it. */
  of(endpointId: number, range?: { fromMs: number; toMs: number }): Check[];
  /** Of all endpoints. */
  count(): number;
  /** Endpoints that have some. */
  ids(): number[];
  /** Forgets the first ones of an endpoint, which were sealed; all of them by default. */
  drop(endpointId: number, count?: number): void;
}

const FAILURE_CLASSES: readonly FailureClass[] = ["dns", "connect", "timeout", "tls", "http", "assertion"];
const FLAGS = { success: 1, observed: 2, replayed: 4, late: 8, wentDown: 16 } as const;

/** A check without its time and text, as numbers; NaN is null. */
export interface PackedCheck {
  /** In tenths of a millisecond. */
  response: number;
  httpStatus: number;
  flags: number;
  failureClass: number;
}

export function packCheck(check: Check): PackedCheck {
  let flags = 0;
  if (check.success) flags |= FLAGS.success;
  if (check.observed) flags |= FLAGS.observed;
  if (check.replayed) flags |= FLAGS.replayed;
  if (check.late) flags |= FLAGS.late;
  if (check.wentDown) flags |= FLAGS.wentDown;
  return {
    response: check.responseTimeMs === null ? Number.NaN : Math.round(check.responseTimeMs * 10),
    httpStatus: check.httpStatus ?? Number.NaN,
    flags,
    failureClass: check.failureClass === null ? Number.NaN : FAILURE_CLASSES.indexOf(check.failureClass),
  };
}

export function unpackCheck(atMs: number, { response, httpStatus, flags, failureClass }: PackedCheck, error: string | null): Check {
  return {
    atMs,
    success: (flags & FLAGS.success) !== 0,
    observed: (flags & FLAGS.observed) !== 0,
    replayed: (flags & FLAGS.replayed) !== 0,
    late: (flags & FLAGS.late) !== 0,
    wentDown: (flags & FLAGS.wentDown) !== 0,
    responseTimeMs: Number.isNaN(response) ? null : response / 10,
    httpStatus: Number.isNaN(httpStatus) ? null : httpStatus,
    failureClass: FAILURE_CLASSES[failureClass] ?? null,
    error,
  };
}

const WIDTH = 3;
const FIRST_CAPACITY = 8;
/** A third number holds status, class and flags; the highest class says that there is none. */
const CLASS_UNIT = 32;
const NO_CLASS = 15;
const STATUS_UNIT = CLASS_UNIT * 16;

interface Row {
  numbers: Float64Array;
  size: number;
  errors: Map<number, string>;
}

export function createHead(): Head {
  const rows = new Map<number, Row>();
  let total = 0;
  let reached = 0;

  function checkAt({ numbers, errors }: Row, index: number): Check {
    const [atMs = 0, response = Number.NaN, rest = 0] = numbers.subarray(index * WIDTH, (index + 1) * WIDTH);
    const httpStatus = Math.floor(rest / STATUS_UNIT);
    const failureClass = Math.floor(rest / CLASS_UNIT) % 16;
    const packed = {
      response,
      httpStatus: httpStatus === 0 ? Number.NaN : httpStatus,
      flags: rest % CLASS_UNIT,
      failureClass: failureClass === NO_CLASS ? Number.NaN : failureClass,
    };
    return unpackCheck(atMs, packed, errors.get(index) ?? null);
  }

  return {
    journalId: () => reached,
    reach(journalId) {
      reached = Math.max(reached, journalId);
    },
    add(endpointId, check) {
      let row = rows.get(endpointId);
      if (row === undefined)
        rows.set(endpointId, (row = { numbers: new Float64Array(FIRST_CAPACITY * WIDTH), size: 0, errors: new Map() }));
      if ((row.size + 1) * WIDTH > row.numbers.length) {
        const grown = new Float64Array(row.numbers.length * 2);
        grown.set(row.numbers);
        row.numbers = grown;
      }
      const { response, httpStatus, flags, failureClass } = packCheck(check);
      const rest = (httpStatus || 0) * STATUS_UNIT + (Number.isNaN(failureClass) ? NO_CLASS : failureClass) * CLASS_UNIT + flags;
      row.numbers.set([check.atMs, response, rest], row.size * WIDTH);
      if (check.error !== null) row.errors.set(row.size, check.error);
      row.size += 1;
      total += 1;
    },
    of(endpointId, { fromMs, toMs } = { fromMs: -Infinity, toMs: Infinity }) {
      const row = rows.get(endpointId);
      const found: Check[] = [];
      for (let index = 0; row !== undefined && index < row.size; index += 1) {
        const atMs = row.numbers[index * WIDTH] ?? Number.NaN;
        if (atMs >= fromMs && atMs <= toMs) found.push(checkAt(row, index));
      }
      return found;
    },
    count: () => total,
    ids: () => [...rows.keys()],
    drop(endpointId, count = Infinity) {
      const row = rows.get(endpointId);
      if (row === undefined) return;
      const dropped = Math.min(count, row.size);
      total -= dropped;
      if (dropped === row.size) {
        rows.delete(endpointId);
        return;
      }
      row.numbers.copyWithin(0, dropped * WIDTH);
      row.size -= dropped;
      row.errors = new Map([...row.errors].flatMap(([index, error]) => (index < dropped ? [] : [[index - dropped, error] as const])));
    },
  };
}
