import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import type { Alert } from "../../../alerting/index.ts";
import type { Event } from "../../../events.ts";
import type { Clock, Timer } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { Components } from "../seams.ts";
import { type Affected, monitorOf, planSteps, type Step, TALKATIVE } from "./automatic.ts";
import { addUpdate, editIncident, type KeptIncident, mayTell, mustTellEnd, openIncident } from "./incident.ts";
import type { Repository } from "./repository.ts";
import type { Register } from "./register.ts";
import { backText, openedText, overText, spreadText, titleOf, type Trouble, worseText } from "./words.ts";

const SETTLED_LOOK_MS = 1000;

export interface AutomationDependencies {
  register: Register;
  repository: Repository;
  components: Pick<Components, "find" | "automaticFor">;
  activeAlerts: () => readonly Alert[];
  isSettled: () => boolean;
  oneByOne: <Result>(work: () => Promise<Result>) => Promise<Result>;
  clock: Clock;
  log: Log;
}

/** Opens incidents for alerts, and ends them with these. What it does follows from what is active now, so nothing is lost with an event that nobody heard. */
export interface Automation {
  /** Looks soon, when an event is about an alert that matters here. */
  hear(event: Event): void;
  /** Looks now. What fails is logged, and done by the next look. */
  look(): Promise<void>;
  /** Waits for a look under way; there is no other after it. */
  stop(): Promise<void>;
}

export function createAutomation(dependencies: AutomationDependencies): Automation {
  const { register, repository, components, activeAlerts, isSettled, oneByOne, clock, log } = dependencies;
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  let timer: Timer | undefined;
  let stopped = false;
  let full = false;

  /** What comes while a look waits for its turn is part of it. */
  function look(): Promise<void> {
    if (stopped || isWaiting) return last;
    isWaiting = true;
    last = oneByOne(async () => {
      isWaiting = false;
      await lookNow();
    }).catch(failed);
    return last;
  }

  function failed(error: unknown): void {
    isWaiting = false;
    if (!isServiceError(error, "storage_unavailable")) log.error({ err: error }, "automatic incidents could not be looked after");
  }

  async function lookNow(): Promise<void> {
    if (stopped) return;
    const settled = isSettled();
    if (!settled) lookAgain();
    for (const step of plan(settled)) await attempt(step);
  }

  function plan(settled: boolean): Step[] {
    const now = clock.now();
    const alerts = activeAlerts();
    const incidents = register.current(now);
    return planSteps({
      now,
      alerts,
      links: register.links(),
      incidents,
      settled,
      componentsFor: (monitor) => components.automaticFor(monitor),
    });
  }

  /** One that cannot be taken holds up none of the others; without a database none can be. */
  async function attempt(step: Step): Promise<void> {
    try {
      await take(step);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) throw error;
      // Another program was there before: the next look reads what it did.
      if (isServiceError(error, "conflict")) return;
      log.error({ step: step.kind, err: error }, "an automatic incident could not be kept");
    }
  }

  async function take(step: Step): Promise<void> {
    const now = clock.now();
    switch (step.kind) {
      case "open": {
        if (isFull()) return;
        const { severity, components: affected } = step.affected;
        const trouble = troubleOf(step.affected);
        const opening = { title: titleOf(trouble), severity, components: affected, impacts: new Map(), byService: true };
        const after = openIncident(opening, { status: "investigating", message: openedText(trouble), told: true }, now);
        await repository.keep({ before: undefined, after, joins: step.joins });
        return;
      }
      case "reopen": {
        if (isFull()) return;
        const { incident: before, joins, leaves, affected } = step;
        const message = backText(troubleOf(affected));
        const again = addUpdate(before, { status: "investigating", message, told: mayTell(before, now) }, now);
        await repository.keep({ before, after: grown(again, affected, now), joins, leaves });
        return;
      }
      case "grow": {
        const { incident: before, joins, leaves, affected } = step;
        const trouble = troubleOf(affected);
        const message = affected.severity === before.severity ? spreadText(namesOf(affected.added)) : worseText(trouble);
        // Nothing is said of what is gone from the page.
        const isQuiet = before.updates.length >= TALKATIVE || trouble.names.length === 0;
        const said = isQuiet ? before : addUpdate(before, { status: before.status, message, told: mayTell(before, now) }, now);
        await repository.keep({ before, after: grown(said, affected, now), joins, leaves });
        return;
      }
      case "end": {
        const { incident: before, leaves } = step;
        // An alert that ended does not mean that all works: somebody may have resolved it, or its check is paused.
        const well = before.components.filter((id) => components.find(id)?.healthy === true);
        const message = overText(namesOf(well));
        const after = addUpdate(before, { status: "resolved", message, told: mustTellEnd(before) }, now);
        await repository.keep({ before, after, leaves });
        return;
      }
      case "link":
        await repository.tie(step.incidentId, step);
    }
  }

  function grown(incident: KeptIncident, affected: Affected, now: Date): KeptIncident {
    const { severity, components: all } = affected;
    const trouble = troubleOf(affected);
    const title = trouble.names.length === 0 ? incident.title : titleOf(trouble);
    return editIncident(incident, { title, severity, components: all }, now);
  }

  function troubleOf({ components: affected, isOut }: Affected): Trouble {
    return { names: namesOf(affected), isOut };
  }

  /** Not of those that are gone, or hidden by now. */
  function namesOf(ids: readonly number[]): string[] {
    return ids.flatMap((id) => {
      const component = components.find(id);
      return component?.visible === true ? [component.name] : [];
    });
  }

  function isFull(): boolean {
    const before = full;
    full = register.openCount() >= INCIDENT_BOUNDS.open;
    if (full && !before) log.warn({ open: INCIDENT_BOUNDS.open }, "no automatic incident is opened: too many incidents are open");
    return full;
  }

  /** As soon as it is known what runs. */
  function lookAgain(): void {
    timer ??= clock.after(SETTLED_LOOK_MS, () => {
      timer = undefined;
      if (isSettled()) void look();
      else lookAgain();
    });
  }

  return {
    hear(event) {
      if (event.type !== "alert.fired" && event.type !== "alert.suppressed" && event.type !== "alert.resolved") return;
      const { id, entity_type: type, entity_id: entityId } = event.data;
      const monitor = monitorOf({ type, id: entityId });
      const matters = register.links().has(id) || (monitor !== undefined && components.automaticFor(monitor).length > 0);
      if (matters) void look();
    },
    look,
    async stop() {
      stopped = true;
      timer?.cancel();
      await last;
    },
  };
}
