import { Readable } from "node:stream";
import type { AuditFormat } from "../../contract/audit.ts";
import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { AuditFilter } from "./api.ts";
import type { AuditEntry } from "./entry.ts";
import type { AuditStore } from "./store.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const MEDIA = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;

export function auditRoutes(store: Pick<AuditStore, "list">): Route[] {
  const all = { path: "/api/v1/audit", tag: "Audit log", access: "admin" } as const;
  return [
    route({
      ...all,
      method: "GET",
      summary: "List who changed what, newest first, with what was refused",
      query: taken("auditQuery"),
      responses: { 200: answer("auditList") },
      async handle({ query: { limit, cursor, ...filter } }) {
        const entries = await store.list(filter, { limit: limit + 1, before: cursor });
        const hasMore = entries.length > limit;
        const page = entries.slice(0, limit);
        return { entries: page, next_cursor: hasMore ? String(page.at(-1)?.id) : null };
      },
    }),
    route({
      ...all,
      path: `${all.path}/export`,
      method: "GET",
      stream: true,
      summary: "The audit log as a file, newest first: CSV or JSON lines",
      query: taken("exportQuery"),
      responses: { 200: ["application/jsonl", "text/csv"] },
      handle({ query: { format, ...filter } }) {
        return new Answer(200, Readable.from(exportEntries(store, filter, format)), {
          "content-type": MEDIA[format],
          "content-disposition": `attachment; filename="audit.${format}"`,
          "cache-control": "no-store",
        });
      },
    }),
  ];
}

/** Entries that are in memory at once. */
const PAGE = 500;
const COLUMNS = [
  ..."id at actor_kind actor_name address operation entity_type entity_id entity_name outcome error before after".split(" "),
];

/** The whole log in pages, newest first; what is added meanwhile is left out. */
async function* exportEntries(store: Pick<AuditStore, "list">, filter: AuditFilter, format: AuditFormat): AsyncGenerator<string> {
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
