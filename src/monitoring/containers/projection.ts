import type { z } from "zod";
import type { listQuery } from "./api.ts";
import type { GroupSource } from "./container.ts";
import { containerRecord } from "./records.ts";
import type { SavedContainer } from "./rows.ts";

export type ListFilter = z.infer<typeof listQuery>;

interface Entry {
  container: SavedContainer;
  uptime24h: number | null;
  /** The record as JSON, made when first asked for. */
  json: string | undefined;
}

/** Bodies kept of the lists last asked for. */
const MAX_BODIES = 32;

/**
 * The present containers as they were last saved, in memory: what a sighting is compared with, and the list of containers
 * as ready bytes. Rebuilt from the database at start; changed only after a commit.
 */
export interface Projection {
  get(id: number): SavedContainer | undefined;
  find(agentId: string | null, externalId: string): SavedContainer | undefined;
  all(): Iterable<SavedContainer>;
  ofHost(agentId: string | null): SavedContainer[];
  /** Keeps a saved container; an archived one leaves. */
  put(container: SavedContainer): void;
  setUptime24h(id: number, percent: number | null): void;
  uptime24h(id: number): number | null;
  setArchivedCount(count: number): void;
  /** The list as JSON bytes, groups and names in order. */
  listBody(filter: ListFilter): Buffer;
}

export function createProjection(): Projection {
  const byId = new Map<number, Entry>();
  const byIdentity = new Map<string, Entry>();
  const bodies = new Map<string, Buffer>();
  let archivedCount = 0;

  const identity = (agentId: string | null, externalId: string): string => `${agentId ?? ""}/${externalId}`;

  function put(container: SavedContainer): void {
    bodies.clear();
    const key = identity(container.agentId, container.externalId);
    if (container.archivedAt !== null) {
      byId.delete(container.id);
      byIdentity.delete(key);
      return;
    }
    const entry = { container, uptime24h: byId.get(container.id)?.uptime24h ?? null, json: undefined };
    byId.set(container.id, entry);
    byIdentity.set(key, entry);
  }

  return {
    get: (id) => byId.get(id)?.container,
    find: (agentId, externalId) => byIdentity.get(identity(agentId, externalId))?.container,
    *all() {
      for (const { container } of byId.values()) yield container;
    },
    ofHost: (agentId) => [...byId.values()].map(({ container }) => container).filter((container) => container.agentId === agentId),
    put,
    setUptime24h(id, percent) {
      const entry = byId.get(id);
      if (entry === undefined || entry.uptime24h === percent) return;
      entry.uptime24h = percent;
      entry.json = undefined;
      bodies.clear();
    },
    uptime24h: (id) => byId.get(id)?.uptime24h ?? null,
    setArchivedCount(count) {
      if (count === archivedCount) return;
      archivedCount = count;
      bodies.clear();
    },
    listBody(filter) {
      const key = JSON.stringify(filter);
      const kept = bodies.get(key);
      if (kept !== undefined) return kept;
      const entries = [...byId.values()].filter(({ container }) => matches(container, filter));
      const body = groupedBody(entries.map(ownJson), archivedCount);
      const [oldest] = bodies.keys();
      if (bodies.size >= MAX_BODIES && oldest !== undefined) bodies.delete(oldest);
      bodies.set(key, body);
      return body;
    },
  };
}

/** The list body of containers that are not in memory, such as archived ones. */
export function listBodyOf(containers: readonly SavedContainer[], filter: ListFilter, archivedCount: number): Buffer {
  const matching = containers.filter((container) => matches(container, filter));
  return groupedBody(
    matching.map((container) => ({ container, json: JSON.stringify(containerRecord(container, null)) })),
    archivedCount,
  );
}

function ownJson(entry: Entry): { container: SavedContainer; json: string } {
  entry.json ??= JSON.stringify(containerRecord(entry.container, entry.uptime24h));
  return { container: entry.container, json: entry.json };
}

function matches(container: SavedContainer, filter: ListFilter): boolean {
  if (container.settings.ignored && !filter.ignored) return false;
  if (filter.state !== undefined && container.state !== filter.state) return false;
  if (filter.health !== undefined && (container.health ?? "none") !== filter.health) return false;
  if (filter.group !== undefined && container.group !== filter.group) return false;
  if (filter.agent_id !== undefined && (container.agentId ?? "local") !== filter.agent_id) return false;
  if (filter.search === undefined) return true;
  const wanted = filter.search.toLowerCase();
  return container.name.toLowerCase().includes(wanted) || container.image.toLowerCase().includes(wanted);
}

const byName = new Intl.Collator("en", { numeric: true }).compare;

/** Groups by name, those without one last; within a group by name. */
function groupedBody(rows: { container: SavedContainer; json: string }[], archivedCount: number): Buffer {
  const groups = new Map<string, { name: string; source: GroupSource; rows: typeof rows }>();
  for (const row of rows) {
    const { group: name, groupSource: source } = row.container;
    const key = `${source}/${name}`;
    const group = groups.get(key) ?? { name, source, rows: [] };
    groups.set(key, group);
    group.rows.push(row);
  }
  const ordered = [...groups.values()].sort(
    (a, b) => Number(a.source === "default") - Number(b.source === "default") || byName(a.name, b.name),
  );
  const parts = ordered.map(({ name, source, rows: members }) => {
    const jsons = members.sort((a, b) => byName(a.container.name, b.container.name)).map(({ json }) => json);
    return `{"name":${JSON.stringify(name)},"source":"${source}","containers":[${jsons.join(",")}]}`;
  });
  return Buffer.from(`{"groups":[${parts.join(",")}],"total":${rows.length},"archived_count":${archivedCount}}`);
}
