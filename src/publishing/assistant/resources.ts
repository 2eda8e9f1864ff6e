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
export const RUNBOOK_LABEL = "service.runbook";

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
    const text = labels[RUNBOOK_LABEL]?.trim() ?? "";
    if (text === "")
      throw new ServiceError(
        "not_found",
        `Container ${id} has no runbook. Set the label ${RUNBOOK_LABEL} on it, to a text or to the URL of one, and create it again.`,
      );
    return { mimeType: "text/plain", text: `${FOREIGN_NOTICE}\n\n${foreignText(text, RUNBOOK_LENGTH)}` };
  }

  /** Alerts first, then containers with their runbooks, each by its id: new ones do not move what was listed. */
  function all(): { place: string; resource: () => McpResource }[] {
    const alerts = alerting.active().toSorted((a, b) => a.id - b.id);
    const present = [...containers.present.ids()]
      .flatMap((id) => containers.present.get(id) ?? [])
      .filter(({ settings }) => !settings.ignored)
      .toSorted((a, b) => a.id - b.id);
    return [
      ...alerts.map(({ id, message }) => ({
        place: `alert-${id}`,
        resource: (): McpResource => ({ uri: `binnacle://alerts/${id}`, name: message, mimeType: "application/json" }),
      })),
      ...present.flatMap(({ id, name, labels }) => [
        {
          place: `container-${id}`,
          resource: (): McpResource => ({ uri: `binnacle://containers/${id}`, name, mimeType: "application/json" }),
        },
        ...(labels[RUNBOOK_LABEL] === undefined
          ? []
          : [
              {
                place: `runbook-${id}`,
                resource: (): McpResource => ({
                  uri: `binnacle://containers/${id}/runbook`,
                  name: `Runbook of ${name}`,
                  mimeType: "text/plain",
                }),
              },
            ]),
      ]),
    ];
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
      const found = all();
      const from = cursor === undefined ? 0 : found.findIndex((each) => compareAfter(each.place, cursor) > 0);
      const page = from === -1 ? [] : found.slice(from, from + PAGE);
      const isLast = from === -1 || from + PAGE >= found.length;
      return { resources: page.map(({ resource }) => resource()), nextCursor: isLast ? null : (page.at(-1)?.place ?? null) };
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

const PLACES = ["alert", "container", "runbook"] as const;

/** Whether a place comes after the one that a cursor names. Throws `invalid_request` for a cursor that no list gave. */
function compareAfter(place: string, cursor: string): number {
  const [a, b] = [orderOf(place), orderOf(cursor)];
  if (a === undefined || b === undefined) throw new ServiceError("invalid_request", "cursor is not one that this list gave.");
  return a.group - b.group || a.id - b.id || a.rank - b.rank;
}

function orderOf(place: string): { group: number; id: number; rank: number } | undefined {
  const [, kind, id] = /^(alert|container|runbook)-(\d{1,15})$/.exec(place) ?? [];
  const rank = PLACES.findIndex((name) => name === kind);
  return rank === -1 ? undefined : { group: Math.min(rank, 1), id: Number(id), rank };
}
