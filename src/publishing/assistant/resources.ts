import { alert } from "../../alerting/alerts/api.ts";
import type { Alerting } from "../../alerting/index.ts";
import type { Event } from "../../events.ts";
import { fenceBy } from "../../mcp/fence.ts";
import { FOREIGN_NOTICE, foreignText } from "../../mcp/foreign-text.ts";
import type { McpResource, McpResources, McpResourceText } from "../../mcp/resource.ts";
import { containerDetail } from "../../monitoring/containers/answers.ts";
import type { Containers, SavedContainer } from "../../monitoring/containers/index.ts";
import type { Bus } from "../../platform/bus.ts";
import { ServiceError } from "../../platform/errors.ts";

/** What is to be done with a container, as whoever runs it has written in a label: text, or where it is found. */
const RUNBOOK_LABEL = "service.runbook";

const PAGE = 100;
const RUNBOOK_LENGTH = 10_000;
const URI = /^binnacle:\/\/(containers|alerts)\/([1-9]\d{0,14})(\/runbook)?$/;

export interface AssistantResourcesParts {
  containers: Pick<Containers, "service" | "present">;
  alerting: Pick<Alerting, "alerts" | "active">;
  bus: Pick<Bus<Event>, "subscribe">;
}

/** Containers, alerts and runbooks by their addresses. Listed are the alerts that are active, and the containers that are there. */
export function assistantResources({ containers, alerting, bus }: AssistantResourcesParts): McpResources {
  let fences: { container: ReturnType<typeof fenceBy>; alert: ReturnType<typeof fenceBy> } | undefined;

  function jsonOf(kind: "container" | "alert", value: unknown): McpResourceText {
    fences ??= { container: fenceBy(containerDetail), alert: fenceBy(alert) };
    const { value: fenced, isForeign } = fences[kind](value);
    const answer = isForeign ? { notice: FOREIGN_NOTICE, [kind]: fenced } : { [kind]: fenced };
    return { mimeType: "application/json", text: JSON.stringify(answer) };
  }

  function runbookOf({ id, labels }: SavedContainer): McpResourceText {
    const text = runbookIn(labels);
    if (text === "")
      throw new ServiceError(
        "not_found",
        `Container ${id} has no runbook. Set the label ${RUNBOOK_LABEL} on it, to a text or to the URL of one, and create it again.`,
      );
    return { mimeType: "text/plain", text: `${FOREIGN_NOTICE}\n\n${foreignText(text, RUNBOOK_LENGTH)}` };
  }

  /** Alerts first, then containers with their runbooks, each by its id: new ones do not move what was listed. */
  function all(): Listed[] {
    const alerts = alerting.active().map(({ id, message }): Listed => ({ kind: "alert", id, name: message }));
    const ofContainers = [...containers.present.ids()].flatMap((containerId): Listed[] => {
      const container = containers.present.get(containerId);
      if (container === undefined || container.settings.ignored) return [];
      const { id, name, labels } = container;
      const runbook: Listed = { kind: "runbook", id, name: `Runbook of ${name}` };
      return [{ kind: "container", id, name }, ...(runbookIn(labels) === "" ? [] : [runbook])];
    });
    return [...alerts, ...ofContainers].toSorted(comparePlaces);
  }

  return {
    templates: [
      {
        uriTemplate: "binnacle://containers/{id}",
        name: "container",
        title: "Container",
        description: "One container as it is now, by its id from list_containers.",
        mimeType: "application/json",
      },
      {
        uriTemplate: "binnacle://alerts/{id}",
        name: "alert",
        title: "Alert",
        description: "One alert, by its id from list_alerts. The tool explain_alert shows why it was raised.",
        mimeType: "application/json",
      },
      {
        uriTemplate: "binnacle://containers/{id}/runbook",
        name: "runbook",
        title: "Runbook of a container",
        description: `What is to be done when something is wrong with it, as its label ${RUNBOOK_LABEL} says: a text, or the URL of one.`,
        mimeType: "text/plain",
      },
    ],
    async list(cursor) {
      const after = cursor === undefined ? undefined : placeOf(cursor);
      const left = all().filter((each) => after === undefined || comparePlaces(each, after) > 0);
      const page = left.slice(0, PAGE);
      const last = page.at(-1);
      return {
        resources: page.map(resourceOf),
        nextCursor: last === undefined || left.length <= PAGE ? null : `${last.kind}-${last.id}`,
      };
    },
    async read(uri) {
      const [, kind, id, runbook] = URI.exec(uri) ?? [];
      if (kind === "containers" && runbook !== undefined) return runbookOf(await containers.service.find(Number(id)));
      if (kind === "containers") return jsonOf("container", await containers.service.detail(Number(id)));
      if (kind === "alerts" && runbook === undefined) return jsonOf("alert", await alerting.alerts.detail(Number(id)));
      throw new ServiceError(
        "not_found",
        "There is nothing at this address. resources/list and resources/templates/list show what there is.",
      );
    },
    onChanged: (listener) => bus.subscribe("resources of assistants", (event) => changedBy(event).forEach((uri) => listener(uri))),
  };
}

/** The addresses of what reads otherwise after an event. Measured values, which change all the time, are left out. */
function changedBy(event: Event): string[] {
  switch (event.type) {
    case "container.discovered":
    case "container.state_changed":
    case "container.health_changed":
    case "container.restart_alert":
    case "container.label_errors":
    case "container.archived":
    case "container.removed":
      return [`binnacle://containers/${event.data.id}`];
    case "container.updated":
      return [`binnacle://containers/${event.data.id}`, `binnacle://containers/${event.data.id}/runbook`];
    case "alert.fired":
    case "alert.suppressed":
    case "alert.acknowledged":
    case "alert.resolved":
      return [`binnacle://alerts/${event.data.id}`];
    default:
      return [];
  }
}

const KINDS = ["alert", "container", "runbook"] as const;

interface Place {
  kind: (typeof KINDS)[number];
  id: number;
}

/** A resource before it is put into a page. */
interface Listed extends Place {
  name: string;
}

function resourceOf({ kind, id, name }: Listed): McpResource {
  if (kind === "alert") return { uri: `binnacle://alerts/${id}`, name, mimeType: "application/json" };
  const uri = `binnacle://containers/${id}`;
  return kind === "container" ? { uri, name, mimeType: "application/json" } : { uri: `${uri}/runbook`, name, mimeType: "text/plain" };
}

/** A container and its runbook stand together. */
function comparePlaces(a: Place, b: Place): number {
  const [rankA, rankB] = [KINDS.indexOf(a.kind), KINDS.indexOf(b.kind)];
  return Math.min(rankA, 1) - Math.min(rankB, 1) || a.id - b.id || rankA - rankB;
}

/** Where the page before ended. Throws `invalid_request` for a cursor that no list gave. */
function placeOf(cursor: string): Place {
  const [, name, id] = /^([a-z]+)-(\d{1,15})$/.exec(cursor) ?? [];
  const kind = KINDS.find((each) => each === name);
  if (kind === undefined) throw new ServiceError("invalid_request", "cursor is not one that this list gave.");
  return { kind, id: Number(id) };
}

/** Without one it is empty. */
function runbookIn(labels: SavedContainer["labels"]): string {
  return labels[RUNBOOK_LABEL]?.trim() ?? "";
}
