import { EVENTS, SUPERSEDED_EVENTS, type EventName } from "../../events.ts";
import type { Fault } from "../../platform/errors.ts";

/** What comes all the time, and is superseded by the next: `*` and `prefix.*` do not mean it, only its name does. */
export function isFrequent(type: EventName): boolean {
  return SUPERSEDED_EVENTS.has(type);
}

/** Whether a subscription to these wants that event. */
export function wants(eventTypes: readonly string[], type: EventName): boolean {
  if (eventTypes.includes(type)) return true;
  return !isFrequent(type) && (eventTypes.includes("*") || eventTypes.includes(`${type.slice(0, type.indexOf("."))}.*`));
}

/** Every name that is neither an event's, nor the beginning of one with `.*`, nor `*`. */
export function faultsOf(eventTypes: readonly string[]): Fault[] {
  const names = Object.keys(EVENTS);
  const known = new Set(["*", ...names, ...names.map((name) => `${name.slice(0, name.indexOf("."))}.*`)]);
  return eventTypes.flatMap((type, index) =>
    known.has(type) ? [] : [{ path: `event_types.${index}`, message: "Must be the name of an event, `prefix.*` or `*`" }],
  );
}
