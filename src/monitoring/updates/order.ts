import { UPDATE_TYPES } from "../../contract/updates.ts";
import { compareNames } from "../../contract/words.ts";
import type { UpdateStatus } from "../../events.ts";
import type { SortValue } from "../../http/sorting.ts";
import type { SortKey } from "./api.ts";
import type { Entry } from "./projection.ts";
import type { Risk } from "./risk.ts";
import type { Grants } from "./study.ts";

/** A row of the list before it becomes a record. */
export interface ListedEntry {
  entry: Entry;
  /** Undefined where none is judged, or shown. */
  risk: Risk | undefined;
}

const SHOWN_FIRST: readonly UpdateStatus[] = ["available", "pinned", "excluded", "unknown", "up_to_date"];

/** The usual order of lists: what is available first, and in it the most urgent. */
export function compareListed({ entry: a, risk }: ListedEntry, { entry: b, risk: otherRisk }: ListedEntry): number {
  return (
    SHOWN_FIRST.indexOf(a.standing.status) - SHOWN_FIRST.indexOf(b.standing.status) ||
    (otherRisk?.score ?? -1) - (risk?.score ?? -1) ||
    typeIndex(a) - typeIndex(b) ||
    compareNames(a.container.name, b.container.name) ||
    a.container.id - b.container.id
  );
}

/** What each column is sorted by, as far as the edition shows it. */
export function sortedBy(granted: Grants): Readonly<Record<SortKey, (row: ListedEntry) => SortValue>> {
  return {
    name: ({ entry }) => entry.container.name,
    image: ({ entry }) => entry.container.image,
    update_type: ({ entry }) => (entry.standing.type === null ? null : typeIndex(entry)),
    published: ({ entry: { standing } }) => standing.available?.publishedAt ?? standing.available?.seenAt ?? null,
    risk: ({ risk }) => risk?.score ?? null,
    fixed: ({ entry }) => (granted.cves ? (entry.outline?.cves?.fixed_by_update ?? null) : null),
  };
}

function typeIndex({ standing: { type } }: Entry): number {
  return type === null ? UPDATE_TYPES.length : UPDATE_TYPES.indexOf(type);
}
