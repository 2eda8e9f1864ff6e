import { isDeepStrictEqual } from "node:util";
import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import type { Alert } from "../../../alerting/index.ts";
import type { Event } from "../../../events.ts";
import type { Clock, Timer } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { Components } from "../seams.ts";
import { type Affected, monitorOf, planSteps, type Step, TALKATIVE } from "./automatic.ts";
import {
  addUpdate,
  editIncident,
  type KeptIncident,
  mayNotify,
  mustNotifyEnd,
  openIncident,
  backText,
  openedText,
  overText,
  spreadText,
  titleOf,
  type Trouble,
  worseText,
} from "./incident.ts";
import type { Repository } from "./repository.ts";
import type { Register } from "./register.ts";

const SETTLED_LOOK_MS = 1000;

type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;

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

/** Opens incidents for alerts, and ends them with these. What it does follows from what is active now, so nothing is lost with a missed event. */
export class Automation {
  readonly #dependencies: AutomationDependencies;
  #last: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #timer: Timer | undefined;
  #isStopped = false;
  #wasFull = false;

  constructor(dependencies: AutomationDependencies) {
    this.#dependencies = dependencies;
  }

  /** Looks soon, when an event is about an alert that matters here. */
  onEvent(event: Event): void {
    const { register, components } = this.#dependencies;
    if (event.type !== "alert.fired" && event.type !== "alert.suppressed" && event.type !== "alert.resolved") return;
    const { id, entity_type: type, entity_id: entityId } = event.data;
    const monitor = monitorOf({ type, id: entityId });
    const matters = register.links().has(id) || (monitor !== undefined && components.automaticFor(monitor).length > 0);
    if (matters) void this.look();
  }

  /** Looks now. What fails is logged, and done by the next look. What comes while a look waits for its turn is part of it. */
  look(): Promise<void> {
    if (this.#isStopped || this.#isWaiting) return this.#last;
    this.#isWaiting = true;
    this.#last = this.#dependencies
      .oneByOne(async () => {
        this.#isWaiting = false;
        await this.#lookNow();
      })
      .catch((error: unknown) => this.#onFailure(error));
    return this.#last;
  }

  /** Waits for a look that runs; there is no other after it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#last;
  }

  #onFailure(error: unknown): void {
    this.#isWaiting = false;
    if (!isServiceError(error, "storage_unavailable"))
      this.#dependencies.log.error({ err: error }, "automatic incidents could not be looked after");
  }

  async #lookNow(): Promise<void> {
    if (this.#isStopped) return;
    const settled = this.#dependencies.isSettled();
    const steps = this.#plan(settled);
    if (!settled && !isDeepStrictEqual(this.#plan(true), steps)) this.#lookAgain();
    for (const step of steps) await this.#attempt(step);
  }

  /** As soon as it is known what runs. */
  #lookAgain(): void {
    const { isSettled, clock } = this.#dependencies;
    this.#timer ??= clock.after(SETTLED_LOOK_MS, () => {
      this.#timer = undefined;
      if (isSettled()) void this.look();
      else this.#lookAgain();
    });
  }

  #plan(settled: boolean): Step[] {
    const { register, components, activeAlerts, clock } = this.#dependencies;
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
  async #attempt(step: Step): Promise<void> {
    try {
      await this.#take(step);
    } catch (error) {
      if (isServiceError(error, "storage_unavailable")) throw error;
      // Another process was faster: the next look reads what it did.
      if (isServiceError(error, "conflict")) return;
      this.#dependencies.log.error({ step: step.kind, err: error }, "an automatic incident could not be kept");
    }
  }

  async #take(step: Step): Promise<void> {
    const { repository, clock } = this.#dependencies;
    const now = clock.now();
    switch (step.kind) {
      case "open":
        if (!this.#isFull()) await this.#open(step, now);
        return;
      case "reopen":
        if (!this.#isFull()) await this.#reopen(step, now);
        return;
      case "grow":
        await this.#grow(step, now);
        return;
      case "end":
        await this.#end(step, now);
        return;
      case "link":
        await repository.tie(step.incidentId, step);
    }
  }

  async #open({ affected, joins }: StepOf<"open">, now: Date): Promise<void> {
    const { severity, components } = affected;
    const trouble = this.#troubleOf(affected);
    const opening = { title: titleOf(trouble), severity, components, impacts: new Map(), byService: true };
    const after = openIncident(opening, { status: "investigating", message: openedText(trouble), notified: true }, now);
    await this.#dependencies.repository.keep({ before: undefined, after, joins });
  }

  async #reopen({ incident: before, joins, leaves, affected }: StepOf<"reopen">, now: Date): Promise<void> {
    const message = backText(this.#troubleOf(affected));
    const again = addUpdate(before, { status: "investigating", message, notified: mayNotify(before, now) }, now);
    await this.#dependencies.repository.keep({ before, after: this.#grown(again, affected, now), joins, leaves });
  }

  async #grow({ incident: before, joins, leaves, affected }: StepOf<"grow">, now: Date): Promise<void> {
    const trouble = this.#troubleOf(affected);
    const message = affected.severity === before.severity ? spreadText(this.#namesOf(affected.added)) : worseText(trouble);
    // No update about what is gone from the page.
    const isSkipped = before.updates.length >= TALKATIVE || trouble.names.length === 0;
    const updated = isSkipped ? before : addUpdate(before, { status: before.status, message, notified: mayNotify(before, now) }, now);
    await this.#dependencies.repository.keep({ before, after: this.#grown(updated, affected, now), joins, leaves });
  }

  async #end({ incident: before, leaves }: StepOf<"end">, now: Date): Promise<void> {
    const { components, repository } = this.#dependencies;
    // An alert that ended does not mean that all works: somebody may have resolved it, or its check is paused.
    const well = before.components.filter((id) => components.find(id)?.healthy === true);
    const message = overText(this.#namesOf(well));
    const after = addUpdate(before, { status: "resolved", message, notified: mustNotifyEnd(before) }, now);
    await repository.keep({ before, after, leaves });
  }

  #grown(incident: KeptIncident, affected: Affected, now: Date): KeptIncident {
    const { severity, components } = affected;
    const trouble = this.#troubleOf(affected);
    const title = trouble.names.length === 0 ? incident.title : titleOf(trouble);
    return editIncident(incident, { title, severity, components }, now);
  }

  /** A group or a host of which only some is out is not out itself. */
  #troubleOf({ components, isOut }: Affected): Trouble {
    const isPartly = components.every((id) => this.#dependencies.components.find(id)?.status === "partial_outage");
    return { names: this.#namesOf(components), isOut: isOut && !isPartly };
  }

  /** Not of those that are gone, or hidden by now. */
  #namesOf(ids: readonly number[]): string[] {
    return ids.flatMap((id) => {
      const component = this.#dependencies.components.find(id);
      return component?.visible === true ? [component.name] : [];
    });
  }

  #isFull(): boolean {
    const { register, log } = this.#dependencies;
    const isFull = register.openCount() >= INCIDENT_BOUNDS.open;
    if (isFull && !this.#wasFull) log.warn({ open: INCIDENT_BOUNDS.open }, "no automatic incident is opened: too many incidents are open");
    this.#wasFull = isFull;
    return isFull;
  }
}
