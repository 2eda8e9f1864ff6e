import type { Message, MessageInitShape } from "@bufbuild/protobuf";
import { CHECK_SETTINGS, type CheckSetting, HTTP_SETTINGS, settingsOf } from "../../contract/check-settings.ts";
import { CHECK_METHODS, ENDPOINT_BOUNDS, EXPECTED_STATUS } from "../../contract/endpoint.ts";
import { parseHostPort, parseHttpUrl } from "../../contract/targets.ts";
import { DAY_MS } from "../../contract/time.ts";
import type { CheckResult, HttpCheck, LabelledEndpoint } from "../../observations.ts";
import { FailureClass } from "./gen/service/agent/v1/ingest_pb.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_ERROR, MAX_HEADERS, MAX_ID, MAX_LABEL_NAME, MAX_LABEL_VALUE, MAX_LIST } from "./limits.ts";
import { idOf, listOf, msOf, optionalDate, optionalName, textOf, within, WireError, pairsOf } from "./values.ts";
import { FAILURES } from "./vocabulary.ts";

const METHODS: readonly string[] = CHECK_METHODS;

export function toEndpoint({ labelKey, check }: LabelledEndpoint): MessageInitShape<typeof wire.LabelledEndpointSchema> {
  const { type: _, http, ...settings } = check;
  return { labelKey, ...settings, http: http === null ? undefined : withoutNulls(http) };
}

export function fromEndpoint(sent: wire.LabelledEndpoint, where: string): LabelledEndpoint {
  const type = sent.http === undefined ? "tcp" : "http";
  const target = idOf(sent.target, `${where}.target`, MAX_LABEL_VALUE);
  // A target that cannot be parsed here would be a defect for everything that shows it.
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
      ...settingsOf(CHECK_SETTINGS, (setting, key) => settingOf(setting, sent[key], `${where}.${setting.name}`)),
      http: sent.http === undefined ? null : fromHttpCheck(sent.http, `${where}.http`),
    },
  };
}

function fromHttpCheck(sent: wire.HttpCheck, where: string): HttpCheck {
  if (!METHODS.includes(sent.method)) throw new WireError(`${where}.method`, "is not known");
  return {
    method: sent.method,
    expectedStatus: listOf(sent.expectedStatus, `${where}.expected_status`, { most: MAX_LIST, read: statusOf }),
    headers: pairsOf(sent.headers, `${where}.headers`, { most: MAX_HEADERS, maxName: 128, maxValue: MAX_LABEL_VALUE }),
    ...settingsOf(HTTP_SETTINGS, (setting, key) => settingOf(setting, sent[key], `${where}.${setting.name}`)),
  };
}

/** A setting that an older agent does not send has its default. */
function settingOf(setting: CheckSetting, sent: number | boolean | string | undefined, where: string): number | boolean | string | null {
  if (typeof sent === "string" && setting.kind === "text") return textOf(sent, where, setting.maxLength);
  if (typeof sent === "number" && setting.kind === "number") return within(sent, where, [setting.min, setting.max]);
  return typeof sent === "boolean" && setting.kind === "flag" ? sent : setting.default;
}

type WithoutNulls<Facts> = { [Key in keyof Facts]: null extends Facts[Key] ? Exclude<Facts[Key], null> | undefined : Facts[Key] };

/** A message omits fields without a value. */
function withoutNulls<Facts extends object>(facts: Facts): WithoutNulls<Facts> {
  // Each null became undefined.
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, value ?? undefined])) as WithoutNulls<Facts>;
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
  // Endpoints that were created manually belong to the server; an agent reports only those of its containers.
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
