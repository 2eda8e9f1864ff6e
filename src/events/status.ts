/** What changed of the status page; see ../events.ts. Nothing of its monitors. Source: contract, section 8. */

type ComponentStatus = "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance";
type IncidentStatus = "investigating" | "identified" | "monitoring" | "resolved";

/** The page concerns this server itself, hence the `agent_id` null of its events. */
interface StatusData {
  agent_id: null;
  timestamp: string;
}

interface StatusComponentData extends StatusData {
  id: number;
  name: string;
  group_id: number | null;
  status: ComponentStatus;
  /** False when it was well and its monitor was not observed for five minutes: `degraded` then means "No data". */
  observed: boolean;
}

interface StatusGroupData extends StatusData {
  id: number;
  name: string;
}

interface IncidentData extends StatusData {
  id: number;
  /** Its title. */
  name: string;
  title: string;
  severity: "critical" | "major" | "minor";
  status: IncidentStatus;
  components: number[];
  automatic: boolean;
  created_at: string;
  resolved_at: string | null;
}

/** Never an address. */
interface SubscriberData extends StatusData {
  id: number;
}

export interface StatusEvents {
  /** Of the page as a whole. */
  "status.changed": StatusData & { status: ComponentStatus; previous_status: ComponentStatus };
  "status.settings_updated": StatusData;
  "component.changed": StatusComponentData & { previous_status: ComponentStatus };
  "component.created": StatusComponentData;
  /** Its settings, its place, or whether its monitor is there. */
  "component.updated": StatusComponentData;
  "component.deleted": StatusComponentData;
  "group.created": StatusGroupData;
  "group.updated": StatusGroupData;
  "group.deleted": StatusGroupData;
  "incident.created": IncidentData & { message: string };
  /** A further update (`message`), or an edit (null). */
  "incident.updated": IncidentData & { message: string | null };
  "incident.resolved": IncidentData & { message: string };
  "incident.deleted": IncidentData;
  "subscriber.created": SubscriberData;
  "subscriber.confirmed": SubscriberData;
  "subscriber.deleted": SubscriberData;
}

export const STATUS_EVENTS: Record<keyof StatusEvents, string> = {
  "status.changed": "the status of the whole page changed",
  "status.settings_updated": "the settings of the status page were changed",
  "component.changed": "the status of a component changed",
  "component.created": "a component was added to the status page",
  "component.updated": "the settings of a component changed, its place, or whether its monitor is there",
  "component.deleted": "a component was deleted",
  "group.created": "a group of components was made",
  "group.updated": "a group of components was changed",
  "group.deleted": "a group of components was deleted",
  "incident.created": "an incident was opened",
  "incident.updated": "an incident got an update, or was edited",
  "incident.resolved": "an incident is over",
  "incident.deleted": "an incident was deleted",
  "subscriber.created": "somebody asked for mails of the status page",
  "subscriber.confirmed": "a subscriber confirmed the address",
  "subscriber.deleted": "a subscriber left, was deleted, or never confirmed",
};
