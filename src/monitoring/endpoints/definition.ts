import { CHECK_SETTINGS, HTTP_SETTINGS, settingsOf } from "../../contract/check-settings.ts";
import { ENDPOINT_BOUNDS } from "../../contract/endpoint.ts";
import { parseHostPort } from "../../contract/targets.ts";
import type { EndpointCheck, HttpCheck, LabelledEndpoint } from "../../observations.ts";
import { type Fault, refuseFaults } from "../../platform/errors.ts";
import { looksSecret, MASK } from "../../platform/secrets.ts";
import { cleanName } from "../../platform/text.ts";
import type { EndpointBody } from "./api.ts";
import {
  type Endpoint,
  type EndpointContainer,
  notChecked,
  type EndpointState,
  isChecked,
  type SavedEndpoint,
  suspend,
  type AlertSettings,
} from "./endpoint.ts";

/** A target as it may be shown, stored and logged: without its credentials. */
export function shownTarget({ type, target }: Pick<EndpointCheck, "type" | "target">): string {
  const url = type === "http" ? URL.parse(target) : null;
  if (url === null) return target;
  if (url.username !== "" || url.password !== "") {
    url.username = MASK;
    url.password = "";
  }
  if (looksSecret("path", `${url.origin}${url.pathname}`)) url.pathname = `/${MASK}`;
  const search = url.search.replace(/([?&])([^=&]*)(?:=([^&]*))?/g, (pair, before: string, name: string, value?: string) => {
    if (value === undefined) return looksSecret("query", decoded(name)) ? `${before}${MASK}` : pair;
    return looksSecret(decoded(name), decoded(value)) ? `${before}${name}=${MASK}` : pair;
  });
  const hash = looksSecret("fragment", decoded(url.hash.slice(1))) ? `#${MASK}` : url.hash;
  return `${url.href.slice(0, url.href.length - url.search.length - url.hash.length)}${search}${hash}`;
}

/** Headers as they may be shown: any value may be a secret. */
export function shownHeaders({ headers }: Pick<HttpCheck, "headers">): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));
}

/** A check without its credentials. */
export function withoutSecrets(check: EndpointCheck): EndpointCheck {
  return {
    ...check,
    target: shownTarget(check),
    http: check.http === null ? null : { ...check.http, headers: shownHeaders(check.http) },
  };
}

/** A check as it may be stored: of labels the credentials come again with the container; of others there is no other place. */
export function storable({ check, container }: Pick<Endpoint, "check" | "container">): EndpointCheck {
  return container === null ? check : withoutSecrets(check);
}

/** What a check asks of whom; how often, and how many failures count, aside. */
function askedBy({ type, target, http }: EndpointCheck): string {
  return JSON.stringify([type, target, http]);
}

/** The first endpoint of a container has its name, the others are numbered. */
export function nameOfLabelled({ labelKey }: Pick<LabelledEndpoint, "labelKey">, { name }: Pick<EndpointContainer, "name">): string {
  const index = /^service\.endpoint\.(\d+)\./.exec(labelKey)?.[1];
  return index === undefined || Number(index) === 0 ? name : `${name} ${Number(index)}`;
}

export function nameOfStandalone({ name }: EndpointBody, check: EndpointCheck): string {
  return name ?? cleanName(shownTarget(check), ENDPOINT_BOUNDS.name);
}

/** What a body says of a standalone endpoint; see checkFromBody for `kept`, and for what it throws. */
export function definedBy(body: EndpointBody, kept?: EndpointCheck): Pick<Endpoint, "name" | "alerts" | "check"> {
  const check = checkFromBody(body, kept);
  const alerts = { severity: body.alert_severity, channels: body.alert_channels, tags: body.alert_tags };
  return { name: nameOfStandalone(body, check), alerts, check };
}

/** One that nobody has checked yet. */
export function newStandalone(body: EndpointBody, { callerKey, now }: { callerKey: string | null; now: Date }): Endpoint {
  return newEndpoint({ agentId: null, container: null, labelKey: null, callerKey, ...definedBy(body) }, now);
}

function newEndpoint(
  definition: Pick<Endpoint, "agentId" | "container" | "labelKey" | "callerKey" | "name" | "alerts" | "check">,
  now: Date,
): Endpoint {
  return { ...definition, paused: false, inactiveSince: null, createdAt: now, updatedAt: now, state: notChecked(now) };
}

/**
 * The check that a body asks for. Masked values stand for what is kept of them; throws `unusable_values` where nothing is, or where
 * they were given for another scheme, host or port.
 */
export function checkFromBody(body: EndpointBody, kept?: EndpointCheck): EndpointCheck {
  const faults: Fault[] = [];
  const target = body.type === "http" ? unmaskTarget(body.target, kept, faults) : peerOf(body.target);
  const check: EndpointCheck = {
    type: body.type,
    target,
    intervalMs: body.interval_seconds * 1000,
    timeoutMs: (body.timeout_seconds ?? Math.min(ENDPOINT_BOUNDS.timeout.default, body.interval_seconds)) * 1000,
    ...settingsOf(CHECK_SETTINGS, ({ name }) => body[name]),
    http:
      body.type === "tcp"
        ? null
        : {
            method: body.method,
            expectedStatus: body.expected_status,
            headers: unmaskHeaders(body.headers, sameOrigin(target, kept) ? kept?.http?.headers : undefined, faults),
            ...settingsOf(HTTP_SETTINGS, ({ name }) => body[name]),
          },
  };
  refuseFaults(faults);
  return check;
}

/** As it is looked up. The body's schema has accepted it. */
function peerOf(target: string): string {
  const peer = parseHostPort(target);
  return peer === undefined ? target : `${peer.host}:${peer.port}`;
}

const GIVE_AGAIN = `Holds ${MASK} in place of a secret that is not kept for this scheme, host and port; give it again`;

function unmaskTarget(text: string, kept: EndpointCheck | undefined, faults: Fault[]): string {
  const url = new URL(text);
  if (kept !== undefined && (text === shownTarget(kept) || url.href === shownTarget(kept))) return kept.target;
  const before = kept !== undefined && sameOrigin(text, kept) ? new URL(kept.target) : undefined;
  const refuse = (): void => void faults.push({ path: "target", message: GIVE_AGAIN });
  if (url.username === MASK && url.password === "") {
    if (before === undefined || before.username + before.password === "") refuse();
    url.username = before?.username ?? "";
    url.password = before?.password ?? "";
  }
  // Of these nothing says which of before is meant.
  if (url.pathname === `/${MASK}` || url.hash === `#${MASK}` || url.searchParams.has(MASK)) refuse();
  for (const [name, value] of url.searchParams) {
    if (value !== MASK) continue;
    const secret = before?.searchParams.get(name);
    if (secret === undefined || secret === null) refuse();
    else url.searchParams.set(name, secret);
  }
  return url.href;
}

function unmaskHeaders(
  headers: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>> | undefined,
  faults: Fault[],
): Record<string, string> {
  const values = new Map(Object.entries(kept ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const secret = value === MASK ? values.get(name.toLowerCase()) : value;
      if (secret === undefined) faults.push({ path: `headers.${name}`, message: GIVE_AGAIN });
      return [name, secret ?? ""];
    }),
  );
}

/** Secrets go to nobody but whom they were given for. */
function sameOrigin(target: string, kept: EndpointCheck | undefined): boolean {
  return kept?.type === "http" && URL.parse(target)?.origin === URL.parse(kept.target)?.origin;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A container, or a service of a swarm, as its endpoints are concerned; `endpoints` is what its labels ask for now. */
export interface SeenContainer {
  agentId: string | null;
  container: EndpointContainer;
  alerts: AlertSettings;
  endpoints: readonly LabelledEndpoint[];
}

/** What an endpoint becomes; `previous` undefined for a new one. */
export interface Step {
  previous: SavedEndpoint | undefined;
  next: Endpoint;
}

/** What becomes of a container's endpoints when it is seen so: those that change, and those that are new. */
export function reconcile(known: readonly SavedEndpoint[], seen: SeenContainer, now: Date): Step[] {
  const steps: Step[] = [];
  for (const wanted of seen.endpoints) {
    const previous = known.find(({ labelKey }) => labelKey === wanted.labelKey);
    const next = previous === undefined ? created(wanted, seen, now) : redefined(previous, wanted, seen, now);
    if (previous === undefined || next !== previous) steps.push({ previous, next });
  }
  for (const previous of known) {
    if (previous.inactiveSince !== null || seen.endpoints.some(({ labelKey }) => labelKey === previous.labelKey)) continue;
    steps.push({ previous, next: deactivated({ ...previous, container: seen.container }, now) });
  }
  return steps;
}

/** Its label is gone, or its container. */
export function deactivated(endpoint: SavedEndpoint, now: Date): SavedEndpoint {
  return { ...endpoint, inactiveSince: now, state: suspend(endpoint.state, now) };
}

/** Its container does not run any more. */
export function ended(previous: SavedEndpoint, now: Date): Step[] {
  const { container } = previous;
  if (container === null || container.running === false) return [];
  return [{ previous, next: changed(previous, { container: { ...container, running: false } }, now) }];
}

/** What another check, or a pause, makes of it: what asks something else starts over, and what nobody checks is unknown. */
export function changed(previous: SavedEndpoint, facts: Partial<Endpoint>, now: Date): SavedEndpoint {
  const next = { ...previous, ...facts, id: previous.id };
  const asksElse = askedBy(comparable(previous, next)) !== askedBy(comparable(next, previous));
  // Until the host has reported, nobody knows whether its containers run.
  const isUncertain = next.container?.running === null && next.inactiveSince === null && !next.paused;
  if (asksElse) return { ...next, state: notChecked(now) };
  return { ...next, state: isChecked(next) || isUncertain ? previous.state : unchecked(next, now) };
}

/** That its container does not run makes nothing well: what was down stays so until a check succeeds. */
function unchecked({ state, paused, inactiveSince }: Endpoint, now: Date): EndpointState {
  const isWanted = !paused && inactiveSince === null;
  return isWanted && state.status === "down" ? { ...state, consecutiveSuccesses: 0 } : suspend(state, now);
}

function created({ labelKey, check }: LabelledEndpoint, { agentId, container, alerts }: SeenContainer, now: Date): Endpoint {
  const name = nameOfLabelled({ labelKey }, container);
  return newEndpoint({ agentId, container, labelKey, name, callerKey: null, check, alerts }, now);
}

/** The same object when nothing differs. */
function redefined(previous: SavedEndpoint, { labelKey, check }: LabelledEndpoint, seen: SeenContainer, now: Date): SavedEndpoint {
  const { agentId, container, alerts } = seen;
  const facts = { agentId, container, alerts, check, name: nameOfLabelled({ labelKey }, container), inactiveSince: null };
  const next = changed(previous, facts, now);
  if (JSON.stringify(next) === JSON.stringify(previous)) return previous;
  return definitionOf(next) === definitionOf(previous) ? next : { ...next, updatedAt: now };
}

/** What makes up a definition, as far as it is stored: a credential that came back after a restart is no change. */
export function definitionOf(endpoint: Endpoint): string {
  const { name, alerts, paused, inactiveSince, container } = endpoint;
  return JSON.stringify([name, storable(endpoint), alerts, paused, inactiveSince !== null, container?.id]);
}

/** After a restart the credentials of a label are not known until its container is seen: then they are left aside. */
function comparable(endpoint: Endpoint, other: Endpoint): EndpointCheck {
  const isKnown = (each: Endpoint): boolean => each.container === null || each.container.running !== null;
  return isKnown(endpoint) && isKnown(other) ? endpoint.check : withoutSecrets(endpoint.check);
}
