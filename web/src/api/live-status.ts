import type { QueryClient } from "@tanstack/react-query";
import type { EventData } from "../../../src/events.ts";
import type { ComponentList } from "../../../src/publishing/status/components/answers.ts";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";
import { componentsQuery } from "./status-components.ts";

type Part = "components" | "groups" | "incidents" | "subscribers" | "settings";
/** Keeps what is known of the status page as events say: a status at once, the rest is read again. */
export function createStatusUpdates(queryClient: QueryClient): LiveUpdates<"status" | "component" | "group" | "incident" | "subscriber"> {
  const changed = new Set<Part>();
  const rereadSoon = coalesce(
    () => {
      for (const part of changed) void queryClient.invalidateQueries({ queryKey: ["status", part] });
      changed.clear();
    },
    { quietMs: 250, longestMs: 1000 },
  );

  function reread(...parts: Part[]): () => void {
    return () => {
      for (const part of parts) changed.add(part);
      rereadSoon.call();
    };
  }

  function patch(apply: (list: ComponentList) => ComponentList): void {
    queryClient.setQueryData(componentsQuery.queryKey, (list) => list && apply(list));
  }

  return {
    events: {
      "status.changed": ({ status }) => patch((list) => ({ ...list, page_status: status })),
      "status.settings_updated": reread("settings"),
      "component.changed": (data) => {
        patch((list) => patchStatus(list, data));
        // What its monitor says, and its uptime.
        reread("components")();
      },
      "component.created": reread("components"),
      "component.updated": reread("components"),
      "component.deleted": reread("components"),
      "group.created": reread("groups"),
      "group.updated": reread("groups"),
      // Its components have another place now.
      "group.deleted": reread("groups", "components"),
      "incident.created": reread("incidents"),
      "incident.updated": reread("incidents"),
      "incident.resolved": reread("incidents"),
      "incident.deleted": reread("incidents"),
      "subscriber.created": reread("subscribers"),
      "subscriber.confirmed": reread("subscribers"),
      "subscriber.deleted": reread("subscribers"),
    },
    reread: reread("components", "groups", "incidents", "subscribers", "settings"),
    cancel: () => rereadSoon.cancel(),
  };
}

/** The list with the status that an event has for one component; the others stay the same objects. */
export function patchStatus(list: ComponentList, { id, status, observed, timestamp }: EventData["component.changed"]): ComponentList {
  if (!list.components.some((component) => component.id === id && (component.status !== status || component.observed !== observed)))
    return list;
  return {
    ...list,
    components: list.components.map((component) =>
      component.id === id ? { ...component, status, observed, status_since: timestamp } : component,
    ),
  };
}
