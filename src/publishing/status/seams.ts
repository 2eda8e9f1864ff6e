import type { Kysely } from "kysely";
import type { Board, Component, Incident, IncidentUpdate, Monitor, PlannedWork } from "./vocabulary.ts";

/** What the other parts need of components. Everything here is in memory. */
export interface Components {
  /** All of them, hidden ones too. */
  board(): Board;
  find(id: number): Component | undefined;
  /** Those that stand for this monitor and open incidents by themselves. */
  automaticFor(monitor: Monitor): readonly Component[];
  /** Called after something changed and was saved: a status, a name, the order, a day's bar. */
  onChange(listener: () => void): void;
}

/** What the other parts need of incidents. */
export interface Incidents {
  /** In memory: those that are open, and those resolved within the last 15 days; open ones first, then the latest. */
  current(): readonly Incident[];
  /** Those that were open within a span of time, the latest first. */
  within(span: { from: Date; until: Date }): Promise<readonly Incident[]>;
  /** The latest first; open or not. */
  latest(count: number): Promise<readonly Incident[]>;
  find(id: number): Promise<Incident | undefined>;
  /** The month of the oldest one, for links to the past; undefined without any. */
  oldest(): Promise<Date | undefined>;
  onChange(listener: () => void): void;
}

/** What subscribers are sent about an incident. */
export interface IncidentNotice {
  kind: "incident_opened" | "incident_updated" | "incident_resolved";
  incident: Incident;
  update: IncidentUpdate;
}

/** Mails for subscribers: rows, written with what they report. */
export interface Notices {
  /** In the caller's unit. The same update is sent once, however often it is put. */
  put<Schema>(tx: Kysely<Schema>, notice: IncidentNotice): Promise<void>;
  /** After the commit. */
  wake(): void;
}

/** Maintenance windows that name components; see publicWork in the page. */
export interface Works {
  /** Running ones, then the next to begin, then those that are over. */
  list(): readonly PlannedWork[];
  onChange(listener: () => void): void;
}
