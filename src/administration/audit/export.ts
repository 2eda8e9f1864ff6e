import type { AuditFormat } from "../../contract/audit.ts";
import type { AuditEntry, AuditFilter } from "./api.ts";
import type { AuditStore } from "./store.ts";

/** Entries that are in memory at once. */
const PAGE = 500;
const COLUMNS = [
  ..."id at actor_kind actor_name address operation entity_type entity_id entity_name outcome error before after".split(" "),
];

/** The whole log in pages, newest first; what is added meanwhile is left out. */
export async function* exportEntries(store: Pick<AuditStore, "list">, filter: AuditFilter, format: AuditFormat): AsyncGenerator<string> {
  if (format === "csv") yield csvLine(COLUMNS);
  let before: number | undefined;
  for (;;) {
    const entries = await store.list(filter, { limit: PAGE, before });
    if (entries.length > 0) yield entries.map(format === "csv" ? csvEntry : jsonLine).join("");
    if (entries.length < PAGE) return;
    before = entries.at(-1)?.id;
  }
}

function jsonLine(entry: AuditEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

function csvEntry({ id, at, actor, address, operation, entity, outcome, error, before, after }: AuditEntry): string {
  const json = (record: object | null): string => (record === null ? "" : JSON.stringify(record));
  return csvLine([
    ...[id, at, actor.kind, actor.name, address, operation, entity?.type, entity?.id, entity?.name, outcome, error].map((value) =>
      String(value ?? ""),
    ),
    json(before),
    json(after),
  ]);
}

/** Source: RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe. */
function csvLine(values: readonly string[]): string {
  return `${values.map(csvValue).join(",")}\r\n`;
}

function csvValue(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
