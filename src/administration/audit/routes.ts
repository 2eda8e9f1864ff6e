import { Readable } from "node:stream";
import { answersOf } from "../../http/answers.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import { auditQuery, exportQuery } from "./api.ts";
import { exportEntries } from "./export.ts";
import type { AuditStore } from "./store.ts";

const answer = answersOf(() => import("./answers.ts"));

const MEDIA = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;

export function auditRoutes(store: Pick<AuditStore, "list">): Route[] {
  const all = { path: "/api/v1/audit", tag: "Audit log", access: "admin" } as const;
  return [
    route({
      ...all,
      method: "GET",
      summary: "List who changed what, newest first, with what was refused",
      query: auditQuery,
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
      query: exportQuery,
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
