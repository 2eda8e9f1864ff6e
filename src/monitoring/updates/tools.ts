import { z } from "zod";
import { agentId, endOf, offsetOf, pageEnd, pageOf, paging, recordId, sorting } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { ServiceError } from "../../platform/errors.ts";
import { changelog, comparison, cves, update, type UpdateRecord, updateSummary, vulnerability } from "./answers.ts";
import { SORT_KEYS } from "./api.ts";
import type { Grants } from "./study.ts";
import type { UpdateService } from "./service.ts";

export interface UpdateAssistance {
  service: Pick<UpdateService, "list" | "ofContainer" | "summary">;
  grants(): Grants;
}

/** Only breaking changes of release notes are shown; the notes themselves are read at their source. */
const MOST_BREAKING = 20;

/** What an assistant can ask of updates. */
export function assistantTools({ service, grants }: UpdateAssistance): Tool[] {
  const short = update
    .pick({
      container_id: true,
      container_name: true,
      agent_id: true,
      image: true,
      status: true,
      status_reason: true,
      update_type: true,
      current_tag: true,
      available_tag: true,
      published_at: true,
      detected_at: true,
      checked_at: true,
      check_error: true,
      risk_score: true,
      risk_level: true,
      risk_level_at_most: true,
    })
    .extend({
      cves: cves
        .pick({ known: true, counts: true, fixed_by_update: true, new_in_update: true, note: true })
        .nullable()
        .describe("How many vulnerabilities the image that runs has, by severity; null: not known, or not in this edition."),
    });
  const summary = updateSummary
    .pick({ last_scan_at: true, next_scan_at: true, counts: true, fixing_critical: true, cve_counts: true })
    .extend({ scanning: z.boolean() });
  const detail = update
    .pick({
      risk_parts: true,
      source_url: true,
      changelog_url: true,
      update_command: true,
      rollback_command: true,
    })
    .extend({
      breaking: z
        .array(changelog.shape.entries.element.pick({ version: true, url: true }).extend({ text: z.string() }))
        .describe("Sentences of the release notes about breaking changes, at most 20."),
      comparison: comparison
        .pick({ previous_image: true, changed_at: true, verdict: true, changes: true })
        .nullable()
        .describe("How the container did since its image last changed."),
    });
  const flaw = vulnerability.omit({ vector: true, osv_id: true });

  /** The capabilities that leave something null. */
  function missing(): ("cve_enrichment" | "risk_scoring" | "changelog")[] {
    const granted = grants();
    return [
      ...(granted.cves ? [] : (["cve_enrichment"] as const)),
      ...(granted.risk ? [] : (["risk_scoring"] as const)),
      ...(granted.changelog ? [] : (["changelog"] as const)),
    ];
  }

  function summaryOf(host: string | undefined): z.output<typeof summary> {
    const known = service.summary(host);
    return summary.parse({ ...known, scanning: known.scanning !== null });
  }

  function detailOf({ changelog: notes, ...record }: UpdateRecord): z.output<typeof detail> {
    const breaking = (notes?.entries ?? []).flatMap(({ version, url, breaking: texts }) => texts.map((text) => ({ version, url, text })));
    return detail.parse({ ...record, breaking: breaking.slice(0, MOST_BREAKING) });
  }

  return [
    tool({
      name: "get_updates",
      title: "Get updates of images",
      description:
        "How the images that run stand against what their registries have: what is available, how risky what runs is, how many known vulnerabilities it has by severity. The most urgent come first, or by `sort`: `published` is the age of the newer image, `fixed` how many vulnerabilities it fixes. With container_id: all of one container, with its vulnerabilities, the commands to update and roll back, and what the release notes call breaking.",
      finder: "list_containers",
      input: z.strictObject({
        container_id: recordId
          .optional()
          .describe("Only this container, by its id from list_containers, in detail; limit and cursor are then of its vulnerabilities."),
        status: update.shape.status.optional().describe("Only those that stand so; `available`: there is a newer image."),
        update_type: update.shape.update_type.unwrap().optional().describe("Only updates of this kind; `digest`: the same tag, rebuilt."),
        search: z.string().max(200).optional().describe("Only those with this in the container's name or image, in any case."),
        agent_id: agentId,
        ...sorting(SORT_KEYS),
        ...paging({ limit: 25, maxLimit: 100 }),
      }),
      output: z.object({
        summary: summary.nullable().describe("Of all hosts, or of the one that was asked for; null with container_id."),
        updates: z.array(short),
        detail: detail.nullable().describe("Of the one container of container_id; else null."),
        vulnerabilities: z.array(flaw).nullable().describe("Of the one container, worst first; null: not asked for, or not known."),
        edition_required: z
          .array(z.enum(["cve_enrichment", "risk_scoring", "changelog"]))
          .describe("What the edition in force does not grant, so that it is null here; all of it needs the Pro edition."),
        ...pageEnd,
      }),
      async handle({ container_id: id, limit, cursor, ...query }) {
        if (id === undefined) {
          const offset = offsetOf(cursor);
          const { updates, total } = await service.list({ ...query, limit, offset });
          return {
            summary: summaryOf(query.agent_id),
            updates: updates.map((each) => short.parse(each)),
            detail: null,
            vulnerabilities: null,
            edition_required: missing(),
            ...endOf({ offset, count: updates.length, total }),
          };
        }
        const [extra] = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name]));
        if (extra !== undefined) {
          throw new ServiceError("invalid_request", `container_id says which update is meant: leave ${extra} out, or container_id.`);
        }
        const record = await service.ofContainer(id);
        const { page, end } = pageOf(record.cves?.vulnerabilities ?? [], { limit, cursor });
        return {
          summary: null,
          updates: [short.parse(record)],
          detail: detailOf(record),
          vulnerabilities: record.cves === null ? null : page.map((each) => flaw.parse(each)),
          edition_required: missing(),
          ...end,
        };
      },
    }),
  ];
}
