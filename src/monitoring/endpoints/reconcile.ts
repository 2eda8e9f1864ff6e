import type { EndpointCheck, LabelledEndpoint } from "../../observations.ts";
import type { AlertSettings } from "./alerts.ts";
import { asksTheSame, nameOfLabelled, storable, withoutSecrets } from "./definition.ts";
import {
  type Endpoint,
  type EndpointContainer,
  type EndpointState,
  isChecked,
  notChecked,
  type SavedEndpoint,
  suspend,
} from "./endpoint.ts";

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

/** What another check, or a pause, makes of it: what asks something else begins anew, and what nobody checks is unknown. */
export function changed(previous: SavedEndpoint, facts: Partial<Endpoint>, now: Date): SavedEndpoint {
  const next = { ...previous, ...facts, id: previous.id };
  const asksAnew = !asksTheSame(comparable(previous, next), comparable(next, previous));
  // Until the host has said so, nobody knows whether its containers run.
  const isUncertain = next.container?.running === null && next.inactiveSince === null && !next.paused;
  if (asksAnew) return { ...next, state: notChecked(now) };
  return { ...next, state: isChecked(next) || isUncertain ? previous.state : unchecked(next, now) };
}

/** That its container does not run makes nothing well: what was down stays so until a check succeeds. */
function unchecked({ state, paused, inactiveSince }: Endpoint, now: Date): EndpointState {
  const isWanted = !paused && inactiveSince === null;
  return isWanted && state.status === "down" ? { ...state, consecutiveSuccesses: 0 } : suspend(state, now);
}

function created({ labelKey, check }: LabelledEndpoint, { agentId, container, alerts }: SeenContainer, now: Date): Endpoint {
  const name = nameOfLabelled({ labelKey }, container);
  return {
    agentId,
    container,
    labelKey,
    name,
    callerKey: null,
    check,
    alerts,
    paused: false,
    inactiveSince: null,
    createdAt: now,
    updatedAt: now,
    state: notChecked(now),
  };
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
