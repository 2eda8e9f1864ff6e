import type { Alert, Alerting } from "../../../alerting/index.ts";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import { type Containers, cutLine, type SavedContainer } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { Clock } from "../../../platform/clock.ts";
import { isServiceError } from "../../../platform/errors.ts";
import { maskKeyLines } from "../../../platform/secrets.ts";
import type { AlertContext, AlertContexts, Preceding } from "./answers.ts";
import { explainedAlerts, latestPreceding, precedingFrom, precedingGenerations, precedingState } from "./context.ts";

export interface AttentionDependencies {
  containers: Pick<Containers, "service" | "present" | "past">;
  endpoints: Pick<Endpoints, "find">;
  certificates: Pick<Certificates, "find">;
  alerting: Pick<Alerting, "active">;
  clock: Clock;
}

const MOST_ALERTS = 50;
const LINE_LENGTH = 300;
/** Generations of a container that are looked at: of one that is re-created every minute the latest are enough. */
const MOST_GENERATIONS = 4;
const MOST_TRANSITIONS = 10;
/** An end that led to an alert came at most so long before it. */
const END_BEFORE_MS = 10 * MINUTE_MS;

export interface AttentionService {
  /** The last log line of active alerts, and what changed just before each. */
  contexts(): Promise<AlertContexts>;
}

export function createAttentionService({ containers, endpoints, certificates, alerting, clock }: AttentionDependencies): AttentionService {
  function containerOf({ entity: { type, id } }: Alert): SavedContainer | undefined {
    const number = Number(id);
    const containerId =
      type === "container"
        ? number
        : type === "endpoint"
          ? endpoints.find(number)?.container?.id
          : type === "certificate"
            ? certificates.find(number)?.container?.id
            : undefined;
    return containerId === undefined || containerId === null ? undefined : containers.present.get(containerId);
  }

  async function logLineOf(alert: Alert, container: SavedContainer): Promise<AlertContext["log_line"]> {
    if (alert.source !== "container") return null;
    const end = await containers.past.lastEnd(container.id, new Date(alert.firedAt.getTime() - END_BEFORE_MS));
    const lines = maskKeyLines((end?.logSnippet ?? "").split("\n")).filter((line) => line.trim() !== "");
    const text = lines.at(-1);
    return end === undefined || text === undefined ? null : { text: cutLine(text.trim(), LINE_LENGTH), at: end.at.toISOString() };
  }

  async function precedingOf(alert: Alert, container: SavedContainer): Promise<Preceding[]> {
    const { id, generation } = container;
    const { generations } =
      generation > 1 ? await containers.service.generations(id, { limit: MOST_GENERATIONS, offset: 0 }) : NO_GENERATIONS;
    if (alert.entity.type === "container") return precedingGenerations(container, generations, alert.firedAt);
    const until = alert.firedAt < clock.now() ? alert.firedAt : clock.now();
    const page = { since: precedingFrom(alert.firedAt).toISOString(), until: until.toISOString(), limit: MOST_TRANSITIONS, offset: 0 };
    const { transitions } = await containers.service.transitions(id, page);
    return [...precedingGenerations(container, generations, alert.firedAt), ...precedingState(container, transitions, alert.firedAt)];
  }

  async function contextOf(alert: Alert): Promise<AlertContext[]> {
    const container = containerOf(alert);
    if (container === undefined) return [];
    const [logLine, preceding] = await Promise.all([logLineOf(alert, container), precedingOf(alert, container)]).catch(unlessGone);
    if (logLine === null && preceding.length === 0) return [];
    return [{ alert_id: alert.id, log_line: logLine, preceding: latestPreceding(preceding) }];
  }

  return {
    async contexts() {
      const all = await Promise.all(explainedAlerts(alerting.active(), MOST_ALERTS).map(contextOf));
      return { contexts: all.flat() };
    },
  };
}

const NO_GENERATIONS = { generations: [] };

/** A container may be removed while it is asked about. */
function unlessGone(error: unknown): [null, Preceding[]] {
  if (isServiceError(error, "not_found")) return [null, []];
  throw error;
}
