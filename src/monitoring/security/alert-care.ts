import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { changedEvent, keptEvent, problemEvent } from "./changes.ts";
import type { Grace } from "./grace.ts";
import { findingText } from "./insight.ts";
import { type Assessment, type Finding, openFindings, type Register } from "./register.ts";

/** An active alert about what is found of a container. */
export interface SecurityAlert {
  id: number;
  containerId: number;
  acknowledged: boolean;
  /** What was found when it was last raised, as {@link findingText}. */
  findings: readonly string[];
}

/** What is asked of alerting. */
export interface SecurityAlerts {
  active(): readonly SecurityAlert[];
  /** Throws a ServiceError when it is over, or acknowledged already. */
  acknowledge(id: number, acknowledgment: { by: string; note: string }): Promise<void>;
}

/** Keeps the alerts of containers in step with what people acknowledged. */
export interface AlertCare {
  /** From now on alerts are read and acknowledged; before there are none. */
  start(alerts: SecurityAlerts): void;
  /** Acknowledges alerts whose findings are all acknowledged, and renews those that were acknowledged before all their findings were made. */
  sync(): Promise<void>;
  /** The same in a moment, for all that changes until then. */
  syncSoon(): void;
  /** The events of every problem that is open now. */
  announce(): Event[];
  stop(): void;
}

export interface AlertCareParts {
  register: Register;
  /** Those that stopped a moment ago: their alerts are kept. */
  grace: Pick<Grace, "away">;
  bus: Bus<Event>;
  clock: Clock;
  log: Log;
}

const NONE: SecurityAlerts = { active: () => [], acknowledge: () => Promise.resolve() };
/** An alert that an event raises is there a moment later. */
const SOON_MS = 1_000;

export function createAlertCare({ register, grace, bus, clock, log }: AlertCareParts): AlertCare {
  let alerts = NONE;
  /** Renewed already: the effect takes a moment. */
  const renewed = new Set<number>();
  let timer: Timer | undefined;

  async function syncAlert(alert: SecurityAlert): Promise<void> {
    const assessment = register.get(alert.containerId);
    if (assessment === undefined || assessment.findings.length === 0) return;
    const open = openFindings(assessment);
    if (open.length === 0) {
      if (!alert.acknowledged) await alerts.acknowledge(alert.id, latestOf(assessment.findings));
    } else if (alert.acknowledged && !renewed.has(alert.id) && open.some((finding) => !alert.findings.includes(findingText(finding)))) {
      renewed.add(alert.id);
      bus.publish(changedEvent({ assessment, added: [], removed: [] }, { at: clock.now(), renewed: true }));
    }
  }

  async function sync(): Promise<void> {
    const active = alerts.active();
    for (const id of renewed) if (!active.some((alert) => alert.id === id)) renewed.delete(id);
    for (const alert of active) {
      try {
        await syncAlert(alert);
      } catch (error) {
        // Somebody else was first, or there is no database: the next run does it.
        if (!isServiceError(error)) throw error;
      }
    }
  }

  return {
    start(ofSecurity) {
      alerts = ofSecurity;
    },
    sync,
    syncSoon() {
      timer ??= clock.after(SOON_MS, () => {
        timer = undefined;
        sync().catch((error: unknown) => log.error({ err: error }, "alerts could not be kept in step with acknowledgments"));
      });
    },
    announce() {
      const now = clock.now();
      const alerted = new Set(alerts.active().map(({ containerId }) => containerId));
      const away = [...grace.away()].filter(({ container }) => alerted.has(container.id));
      return [...register.all(undefined), ...away].flatMap((assessment) => eventOf(assessment, alerted, now) ?? []);
    },
    stop: () => timer?.cancel(),
  };
}

function eventOf(assessment: Assessment, alerted: ReadonlySet<number>, now: Date): Event | undefined {
  if (openFindings(assessment).length > 0) return problemEvent(assessment, now);
  return assessment.findings.length > 0 && alerted.has(assessment.container.id) ? keptEvent(assessment, now) : undefined;
}

/** The name for the acknowledgement of an alert: that of the user who acknowledged the last finding. */
function latestOf(findings: readonly Finding[]): { by: string; note: string } {
  const latest = findings.flatMap(({ acknowledgment }) => acknowledgment ?? []).reduce((last, each) => (each.at >= last.at ? each : last));
  return { by: latest.by, note: latest.reason };
}
