import type { AlertData } from "../../events.ts";
import { type Alert, SEVERITIES } from "../vocabulary.ts";
import { compareAlerts, type KeptAlert, keyText } from "./alert.ts";
import type { ShownAlert } from "./answers.ts";
import type { ListQuery, AlertRecord } from "./api.ts";

/** Cuts a page out of the active alerts, worst first, and says where the next one begins. */
export type CutPage = (alerts: readonly KeptAlert[]) => { page: readonly KeptAlert[]; next: string | null };

/** The active alerts by key, as alerting last saved them. Parts that are built before alerting read it. */
export type ActiveAlerts = Map<string, KeptAlert>;

/** The alerts that may still change, in memory. They change only after a commit. */
export interface Register {
  /** The active alert with this key. */
  byKey(key: string): KeptAlert | undefined;
  byId(id: number): KeptAlert | undefined;
  /** The alert with this key that a user resolved while its source still reports it. */
  persisting(key: string): KeptAlert | undefined;
  put(alert: KeptAlert): void;
  /** The alerts of an agent's host, and those about the agent. */
  ofHost(agentId: string): KeptAlert[];
  forgetHost(agentId: string): void;
  active(): KeptAlert[];
  /** Active and persisting alerts. */
  wrong(): KeptAlert[];
  /** Alerts that wait to be sent. */
  held(): KeptAlert[];
  /** Replaces since when alerts are not seen, by id. */
  setUnseen(since: ReadonlyMap<number, Date>): void;
  /** To be called when silences changed: the shown alerts are built again. */
  forgetShown(): void;
  shown(alert: Alert): ShownAlert;
  /** A page of the active alerts as JSON. The same page is made once, until they change. */
  activeBody(cut: CutPage): Buffer;
}

export function createRegister(
  baseUrl: string,
  silencedUntil: (alert: Alert) => Date | undefined = () => undefined,
  active: ActiveAlerts = new Map(),
): Register {
  const persisting = new Map<string, KeptAlert>();
  const waiting = new Map<number, KeptAlert>();
  const ids = new Map<number, KeptAlert>();
  let texts = new WeakMap<KeptAlert, string>();
  let unseen: ReadonlyMap<number, Date> = new Map();
  let bodies = new WeakMap<CutPage, Buffer>();

  const shown = (alert: Alert): ShownAlert =>
    alertAsShown(alert, { baseUrl, unseenSince: unseen.get(alert.id), silencedUntil: silencedUntil(alert) });

  function textOf(alert: KeptAlert): string {
    const kept = texts.get(alert) ?? JSON.stringify(shown(alert));
    texts.set(alert, kept);
    return kept;
  }

  function makeBody(cut: CutPage): Buffer {
    const alerts = [...active.values()].sort(compareAlerts);
    const { page, next } = cut(alerts);
    const counts = Object.fromEntries(SEVERITIES.map((each) => [each, alerts.filter(({ severity }) => severity === each).length]));
    return Buffer.from(
      `{"alerts":[${page.map(textOf).join(",")}],"counts":${JSON.stringify(counts)},"next_cursor":${JSON.stringify(next)}}`,
    );
  }

  return {
    byKey: (key) => active.get(key),
    byId: (id) => ids.get(id),
    persisting: (key) => persisting.get(key),
    put(alert) {
      const key = keyText(alert);
      bodies = new WeakMap();
      if (alert.status === "active") active.set(key, alert);
      else if (active.get(key)?.id === alert.id) active.delete(key);
      if (alert.persists) persisting.set(key, alert);
      else if (persisting.get(key)?.id === alert.id) persisting.delete(key);
      if (alert.heldBy === "flapping" || (alert.heldBy !== null && alert.status === "active")) waiting.set(alert.id, alert);
      else waiting.delete(alert.id);
      if (alert.status === "active" || alert.persists || waiting.has(alert.id)) ids.set(alert.id, alert);
      else ids.delete(alert.id);
    },
    ofHost: (agentId) => [...ids.values()].filter((alert) => alert.agentId === agentId),
    forgetHost(agentId) {
      bodies = new WeakMap();
      for (const map of [active, persisting]) for (const [key, alert] of map) if (alert.agentId === agentId) map.delete(key);
      for (const map of [waiting, ids]) for (const [id, alert] of map) if (alert.agentId === agentId) map.delete(id);
    },
    setUnseen(since) {
      const isSame = (id: number): boolean => since.get(id)?.getTime() === unseen.get(id)?.getTime();
      const changed = [...active.values()].filter(({ id }) => !isSame(id));
      unseen = since;
      if (changed.length > 0) bodies = new WeakMap();
      for (const alert of changed) texts.delete(alert);
    },
    forgetShown() {
      bodies = new WeakMap();
      texts = new WeakMap();
    },
    shown,
    active: () => [...active.values()],
    wrong: () => [...active.values(), ...persisting.values()],
    held: () => [...waiting.values()],
    activeBody(cut) {
      const body = bodies.get(cut) ?? makeBody(cut);
      bodies.set(cut, body);
      return body;
    },
  };
}

/** The number of alerts that share the fields by which lists are mostly filtered. */
export interface Group {
  source: string;
  severity: string;
  status: string;
  entity_type: string;
  agent_id: string | null;
  count: number;
}

/** Counts kept in memory, since counting many rows takes long. They are read once, then updated with each alert. */
export interface Totals {
  /** undefined when the filter has a field that is not counted here. */
  of(query: ListQuery): Promise<number | undefined>;
  /** To be called before alerts are saved. Call the answer when they are saved and the changes are counted. */
  hold(): () => void;
  /** Counts a change: `before` is undefined for a new alert. */
  change(before: Alert | undefined, after: Alert): void;
  /** To be called when alerts were deleted: they are counted again on demand. */
  forget(): void;
}

export function createTotals(readGroups: () => Promise<Group[]>): Totals {
  let groups: Map<string, Group> | undefined;
  let changes = 0;
  let holds = 0;

  async function read(): Promise<Map<string, Group>> {
    const changesBefore = changes;
    const counted = new Map((await readGroups()).map((group) => [keyOf(group), group]));
    // A change that was made meanwhile may be missing: then the count is not kept.
    if (changes === changesBefore && holds === 0) groups = counted;
    return counted;
  }

  function add(alert: Alert, by: number): void {
    const { source, severity, status, entity, agentId } = alert;
    const group: Group = { source, severity, status, entity_type: entity.type, agent_id: agentId, count: 0 };
    const known = groups?.get(keyOf(group)) ?? group;
    groups?.set(keyOf(group), known);
    known.count += by;
  }

  return {
    async of(query) {
      if (query.entity_id !== undefined || query.since !== undefined || query.until !== undefined) return undefined;
      let total = 0;
      for (const group of (groups ?? (await read())).values()) if (matches(group, query)) total += group.count;
      return total;
    },
    hold() {
      holds += 1;
      return () => void (holds -= 1);
    },
    change(before, after) {
      changes += 1;
      if (before !== undefined) add(before, -1);
      add(after, 1);
    },
    forget() {
      changes += 1;
      groups = undefined;
    },
  };
}

function matches(group: Group, { source, severity, status, entity_type, agent_id }: ListQuery): boolean {
  return (
    (source === undefined || group.source === source) &&
    (severity === undefined || group.severity === severity) &&
    (status === undefined || group.status === status) &&
    (entity_type === undefined || group.entity_type === entity_type) &&
    (agent_id === undefined || group.agent_id === (agent_id === "local" ? null : agent_id))
  );
}

function keyOf({ source, severity, status, entity_type, agent_id }: Group): string {
  return [source, severity, status, entity_type, agent_id ?? ""].join("\n");
}

/** An alert in its JSON form. */
export function alertRecord(alert: Alert, baseUrl: string): AlertRecord {
  return {
    id: alert.id,
    agent_id: alert.agentId,
    source: alert.source,
    event: alert.event,
    severity: alert.severity,
    status: alert.status,
    message: alert.message,
    cause: alert.cause,
    entity_type: alert.entity.type,
    entity_id: alert.entity.id,
    entity_name: alert.entityName,
    labels: { ...alert.labels },
    tags: [...alert.tags],
    details: { ...alert.details },
    suppressed_by: alert.suppressedBy,
    fired_at: alert.firedAt.toISOString(),
    last_raised_at: alert.lastRaisedAt.toISOString(),
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: alert.acknowledgedBy,
    acknowledged_note: alert.acknowledgedNote,
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
    resolved_by: alert.resolvedBy,
    resolution: alert.resolution,
    url: `${baseUrl}/alerts/${alert.id}`,
  };
}

interface Present {
  baseUrl: string;
  unseenSince: Date | undefined;
  silencedUntil: Date | undefined;
}

/** The same with the fields that are only shown. */
function alertAsShown(alert: Alert, { baseUrl, unseenSince, silencedUntil }: Present): ShownAlert {
  const isActive = alert.status === "active";
  return {
    ...alertRecord(alert, baseUrl),
    not_seen_since: (isActive ? unseenSince?.toISOString() : undefined) ?? null,
    silenced_until: (isActive ? silencedUntil?.toISOString() : undefined) ?? null,
  };
}

/** The data of events about an alert. */
export function alertData(alert: Alert, baseUrl: string, at: Date): AlertData {
  const { details: _details, ...record } = alertRecord(alert, baseUrl);
  return { ...record, name: alert.entityName, timestamp: at.toISOString() };
}
