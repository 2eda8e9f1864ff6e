import type { Alert } from "../vocabulary.ts";
import type { ListQuery } from "./api.ts";

/** How many alerts are alike in what lists are mostly filtered by. */
export interface Group {
  source: string;
  severity: string;
  status: string;
  entity_type: string;
  agent_id: string | null;
  count: number;
}

/** Counts kept in memory, since counting many rows takes long: read once, then changed with each alert. */
export interface Totals {
  /** undefined when the filter asks for more than is counted here. */
  of(query: ListQuery): Promise<number | undefined>;
  /** Some are about to be saved; returns how to say that it was done, after the changes were told. */
  hold(): () => void;
  /** What it was, undefined for a new one, and what became of it. */
  change(before: Alert | undefined, after: Alert): void;
  /** Some were deleted: counted anew when they are asked for. */
  forget(): void;
}

export function createTotals(readGroups: () => Promise<Group[]>): Totals {
  let groups: Map<string, Group> | undefined;
  let changes = 0;
  let holds = 0;

  async function read(): Promise<Map<string, Group>> {
    const changesBefore = changes;
    const counted = new Map((await readGroups()).map((group) => [keyOf(group), group]));
    // What changed meanwhile may be in it or not.
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
