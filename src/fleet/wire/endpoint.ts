import type { Message, MessageInitShape } from "@bufbuild/protobuf";
import { CHECK_METHODS, ENDPOINT_BOUNDS, EXPECTED_STATUS } from "../../contract/endpoint.ts";
import { parseHostPort, parseHttpUrl } from "../../contract/targets.ts";
import { DAY_MS } from "../../contract/time.ts";
import type { CheckResult, HttpCheck, LabelledEndpoint } from "../../observations.ts";
import { FailureClass } from "./gen/service/agent/v1/ingest_pb.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_ERROR, MAX_HEADERS, MAX_ID, MAX_LABEL_NAME, MAX_LABEL_VALUE, MAX_LIST, MAX_NAME } from "./limits.ts";
import { pairsOf } from "./pairs.ts";
import { idOf, listOf, msOf, optionalDate, optionalName, textOf, within } from "./values.ts";
import { FAILURES } from "./vocabulary.ts";
import { WireError } from "./wire-error.ts";

const METHODS: readonly string[] = CHECK_METHODS;

export function toEndpoint({ labelKey, check }: LabelledEndpoint): MessageInitShape<typeof wire.LabelledEndpointSchema> {
  const { target, intervalMs, timeoutMs, failureThreshold, recoveryThreshold, http } = check;
  return {
    labelKey,
    target,
    intervalMs,
    timeoutMs,
    failureThreshold,
    recoveryThreshold,
    http: http === null ? undefined : { ...http, bodyContains: http.bodyContains ?? undefined },
  };
}

export function fromEndpoint(sent: wire.LabelledEndpoint, where: string): LabelledEndpoint {
  const type = sent.http === undefined ? "tcp" : "http";
  const target = idOf(sent.target, `${where}.target`, MAX_LABEL_VALUE);
  // What cannot be parsed here would be a defect to everything that shows it.
  const isTarget = type === "tcp" ? parseHostPort(target) !== undefined : parseHttpUrl(target) !== undefined;
  if (!isTarget) throw new WireError(`${where}.target`, `is not a target of ${type}`);
  return {
    labelKey: idOf(sent.labelKey, `${where}.label_key`, MAX_LABEL_NAME),
    check: {
      type,
      target,
      intervalMs: within(sent.intervalMs, `${where}.interval_ms`, [
        ENDPOINT_BOUNDS.interval.min * 1000,
        ENDPOINT_BOUNDS.interval.max * 1000,
      ]),
      timeoutMs: within(sent.timeoutMs, `${where}.timeout_ms`, [ENDPOINT_BOUNDS.timeout.min * 1000, ENDPOINT_BOUNDS.timeout.max * 1000]),
      failureThreshold: within(sent.failureThreshold, `${where}.failure_threshold`, [
        ENDPOINT_BOUNDS.failureThreshold.min,
        ENDPOINT_BOUNDS.failureThreshold.max,
      ]),
      recoveryThreshold: within(sent.recoveryThreshold, `${where}.recovery_threshold`, [
        ENDPOINT_BOUNDS.recoveryThreshold.min,
        ENDPOINT_BOUNDS.recoveryThreshold.max,
      ]),
      http: sent.http === undefined ? null : fromHttpCheck(sent.http, `${where}.http`),
    },
  };
}

function fromHttpCheck(sent: wire.HttpCheck, where: string): HttpCheck {
  if (!METHODS.includes(sent.method)) throw new WireError(`${where}.method`, "is not known");
  return {
    method: sent.method,
    expectedStatus: listOf(sent.expectedStatus, `${where}.expected_status`, { most: MAX_LIST, read: statusOf }),
    tlsVerify: sent.tlsVerify,
    headers: pairsOf(sent.headers, `${where}.headers`, { most: MAX_HEADERS, maxName: 128, maxValue: MAX_LABEL_VALUE }),
    maxRedirects: within(sent.maxRedirects, `${where}.max_redirects`, [ENDPOINT_BOUNDS.maxRedirects.min, ENDPOINT_BOUNDS.maxRedirects.max]),
    bodyContains: sent.bodyContains === undefined ? null : textOf(sent.bodyContains, `${where}.body_contains`, MAX_NAME),
  };
}

function statusOf(text: string, where: string): string {
  if (!EXPECTED_STATUS.test(text) || text !== text.toLowerCase()) throw new WireError(where, "is not a status or a class of them");
  return text;
}

export function toChecked(key: string, result: CheckResult): MessageInitShape<typeof wire.EndpointCheckedSchema> {
  return {
    key,
    success: result.success,
    observed: result.observed,
    responseTimeMs: result.responseTimeMs ?? undefined,
    httpStatus: result.httpStatus ?? undefined,
    failureClass: result.failureClass === null ? FailureClass.UNSPECIFIED : FAILURES.numbers[result.failureClass],
    error: result.error ?? undefined,
    certificate:
      result.certificate === null ? undefined : { trusted: result.certificate.trusted, expiresAtMs: msOf(result.certificate.expiresAt) },
  };
}

export function fromChecked(sent: Omit<wire.EndpointChecked, keyof Message>, where: string): { key: string; result: CheckResult } {
  const key = idOf(sent.key, `${where}.key`, MAX_ID + 1 + MAX_LABEL_NAME);
  // Endpoints made by hand are the server's own; an agent speaks of its containers'.
  if (key.indexOf("/") < 1 || key.startsWith("standalone/"))
    throw new WireError(`${where}.key`, "does not name an endpoint of a container");
  return {
    key,
    result: {
      success: sent.success,
      observed: sent.observed,
      responseTimeMs: sent.responseTimeMs === undefined ? null : within(sent.responseTimeMs, `${where}.response_time_ms`, [0, DAY_MS]),
      httpStatus: sent.httpStatus === undefined ? null : within(sent.httpStatus, `${where}.http_status`, [100, 999]),
      failureClass: FAILURES.wordOf(sent.failureClass) ?? null,
      error: optionalName(sent.error, `${where}.error`, MAX_ERROR),
      certificate:
        sent.certificate === undefined
          ? null
          : {
              trusted: sent.certificate.trusted,
              expiresAt: optionalDate(sent.certificate.expiresAtMs, `${where}.certificate.expires_at_ms`),
            },
    },
  };
}
