import { CHECK_SETTINGS, HTTP_SETTINGS, settingsOf } from "../contract/check-settings.ts";
import { DEFAULT_EXPECTED_STATUS, ENDPOINT_BOUNDS } from "../contract/endpoint.ts";
import type { HttpCheck, LabelledEndpoint } from "../observations.ts";
import { type LabelName, MAX_ENDPOINT_INDEX, splitIndex, type LabelValue, type ValueReader } from "./label-table.ts";

const { interval, timeout } = ENDPOINT_BOUNDS;

/** Of the labels that name targets, the first of each index. */
export function targetsByIndex(labels: readonly string[]): Map<number, string> {
  const targets = new Map<number, string>();
  for (const label of labels.toSorted()) {
    const { name, index = 0 } = splitIndex(label);
    if ((name === "endpoint.http" || name === "endpoint.tcp") && !targets.has(index)) targets.set(index, label);
  }
  return targets;
}

/**
 * The endpoints that labels ask for. A bare target is index 0, bare configuration holds for every index that has none of its own.
 * An endpoint whose target was not understood is left out. Source: contract, section 1.
 */
export function endpointsOf(labels: readonly string[], value: ValueReader): LabelledEndpoint[] {
  const endpoints: LabelledEndpoint[] = [];
  for (const [index, labelKey] of targetsByIndex(labels)) {
    const { name, index: written } = splitIndex(labelKey);
    const type = name === "endpoint.http" ? "http" : "tcp";
    const target = value(`endpoint.${type}`, written);
    if (target === undefined || index > MAX_ENDPOINT_INDEX) continue;
    const setting = <Name extends LabelName>(key: Name): LabelValue<Name> | undefined => value(key, index) ?? value(key);
    endpoints.push({
      labelKey,
      check: {
        type,
        target,
        intervalMs: setting("endpoint.interval") ?? interval.default * 1000,
        timeoutMs: setting("endpoint.timeout") ?? timeout.default * 1000,
        ...settingsOf(CHECK_SETTINGS, ({ label, default: otherwise }) => setting(label) ?? otherwise),
        http: type === "http" ? httpCheckOf(setting) : null,
      },
    });
  }
  return endpoints;
}

function httpCheckOf(setting: <Name extends LabelName>(key: Name) => LabelValue<Name> | undefined): HttpCheck {
  return {
    method: setting("endpoint.http.method")?.toUpperCase() ?? "GET",
    expectedStatus: setting("endpoint.http.expected-status") ?? [DEFAULT_EXPECTED_STATUS],
    headers: setting("endpoint.http.headers") ?? {},
    ...settingsOf(HTTP_SETTINGS, ({ label, default: otherwise }) => setting(label) ?? otherwise),
  };
}
