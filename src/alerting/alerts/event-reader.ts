import type { Event } from "../../events.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Entity, Problem, Resolution } from "../vocabulary.ts";
import { type KeptAlert, keyText } from "./alert.ts";
import type { Order } from "./decide.ts";
import { createOutages, hostOf, type Outage, type Outages } from "./outages.ts";
import { createRecent, type HostName, type Recent } from "./recent.ts";
import type { Register } from "./register.ts";
import type { Signal } from "./signals.ts";
import { readEvent, REMOVED } from "./sources.ts";
import { createVisibility, type Visibility, type Watches } from "./visibility.ts";

/** After these whole hosts are seen, or are not any more. */
const CHANGES_SIGHT: ReadonlySet<Event["type"]> = new Set(["runtime.status_changed", "agent.connected", "agent.disconnected"]);

export interface EventReaderParts {
  register: Register;
  hostName?: HostName | undefined;
  watches?: Watches | undefined;
  clock: Clock;
}

/** Reads in events what is wrong and what is over, and knows from them what is down and what can be seen. */
export class EventReader {
  readonly visibility: Visibility;
  readonly #register: Register;
  readonly #watches: Watches | undefined;
  readonly #clock: Clock;
  readonly #recent: Recent;
  readonly #outages: Outages;

  constructor({ register, hostName, watches, clock }: EventReaderParts) {
    this.#register = register;
    this.#watches = watches;
    this.#clock = clock;
    this.#recent = createRecent(hostName);
    this.#outages = createOutages({ watchesLocal: watches?.localRuntime ?? false, stoppedAs: watches?.stoppedAs });
    this.visibility = createVisibility(this.#outages, watches);
  }

  /** Remembers what an event says of what is down; answers whether something came back. */
  note(event: Event): boolean {
    this.#recent.note(event);
    const isBack = this.#outages.note(event);
    if (CHANGES_SIGHT.has(event.type)) this.markUnseen();
    return isBack;
  }

  /** What an event says, of which most say nothing that is not known. */
  *ordersOf(event: Event, observed: boolean): Generator<Order> {
    const at = this.#clock.now();
    for (const signal of readEvent(event, this.#recent)) {
      const { source } = signal.kind === "raise" ? signal.problem : signal.key;
      const agentId = "agent_id" in event.data ? event.data.agent_id : null;
      if (this.visibility.isUnseen({ source, agentId })) continue;
      // It is over when time passes quietly, which says nothing while its host shows nothing.
      if (signal.kind === "clear" && signal.key.event === "restart_loop" && !this.#outages.isShown(agentId)) continue;
      if (signal.kind === "raise") yield { kind: "raise", key: keyText(signal.problem), problem: signal.problem, observed, at };
      else yield { kind: "clear", key: keyText(signal.key), about: signal.key, resolution: this.#endOf(signal), at };
    }
  }

  /** What is down and explains an alert. */
  outageOf(alert: KeptAlert): Outage | undefined {
    return this.#outages.among(dependedOn(alert)) ?? this.#runtimeStop(alert);
  }

  /** Tells the register since when nothing shows the alerts that stay as they were last seen. */
  markUnseen(): void {
    const unseen = this.#register.active().filter((alert) => this.visibility.isAway(alert));
    const sinceOf = (alert: KeptAlert): Date => this.#outages.among([...dependedOn(alert), alert.entity])?.since ?? alert.lastRaisedAt;
    this.#register.setUnseen(new Map(unseen.map((alert) => [alert.id, sinceOf(alert)])));
  }

  forgetHost(agentId: string): void {
    this.#recent.forgetHost(agentId);
  }

  /** A container that ended with its engine is part of one cause, which is alerted in its place. */
  #runtimeStop({ source, event, entity, details }: KeptAlert): Outage | undefined {
    if (source !== "container" || event !== "down" || this.#watches?.hasStoppedWithRuntime(Number(entity.id)) !== true) return undefined;
    return { name: "its host", why: "stopped it with the container engine", since: new Date(String(details["since"])) };
  }

  /** Of a container that is not there any more nothing was seen to be well. */
  #endOf({ key, resolution }: Extract<Signal, { kind: "clear" }>): Resolution {
    const watches = this.#watches;
    const isGone = key.entity.type === "container" && watches !== undefined && watches.runs(Number(key.entity.id)) === undefined;
    return isGone && resolution.by === "observation" ? REMOVED : resolution;
  }
}

/** That nothing comes from a host, or from its runtime, hangs on nothing else. */
function dependedOn({ source, agentId, parents }: Problem): readonly Entity[] {
  return agentId === null || source === "agent" ? parents : [...parents, hostOf(agentId)];
}
