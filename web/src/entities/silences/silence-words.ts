import type { MaintenanceRecord, SilenceRecord } from "../../../../src/alerting/suppression/answers.ts";
import { eventWords } from "../../format/alert-words.ts";
import type { Status } from "../../format/status.ts";
import { alertsWords } from "../notifications/filter-words.ts";

export const SILENCE_WORDS: Readonly<Record<SilenceRecord["status"], { status: Status; word: string }>> = {
  active: { status: "ok", word: "Active" },
  pending: { status: "idle", word: "Upcoming" },
  expired: { status: "idle", word: "Ended" },
  cancelled: { status: "idle", word: "Cancelled" },
};

export const WINDOW_WORDS: Readonly<Record<MaintenanceRecord["status"], { status: Status; word: string }>> = {
  active: { status: "maintenance", word: "Active" },
  scheduled: { status: "idle", word: "Upcoming" },
  ended: { status: "idle", word: "Ended" },
};

interface Names {
  entity: (entity: string) => string;
  host: (id: string) => string;
}

/** Which alerts a silence keeps quiet: `Critical alerts about shop-db: restart loop, on host Local, labelled env=prod`. */
export function matchersWords(
  { source, severity, entity_type, entity_id, event, agent_id, label }: SilenceRecord["matchers"],
  names: Names,
): string {
  const about =
    entity_id !== undefined && entity_type !== undefined
      ? [names.entity(`${entity_type}:${entity_id}`)]
      : entity_type !== undefined
        ? [`any ${entity_type.replaceAll("_", " ")}`]
        : entity_id !== undefined
          ? [`number ${entity_id}`]
          : [];
  const words = alertsWords({
    severities: severity === undefined ? [] : [severity],
    sources: source === undefined ? [] : [source],
    entities: about,
    tags: [],
  });
  return [
    event === undefined ? words : `${words}: ${eventWords(event)}`,
    ...(agent_id === undefined ? [] : [`on host ${names.host(agent_id)}`]),
    ...(label === undefined ? [] : [`labelled ${label}`]),
  ].join(", ");
}
