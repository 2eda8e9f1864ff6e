import { z } from "zod";
import { cleanName } from "../../platform/text.ts";

/** What we need of a record of OSV. */
export interface OsvRecord {
  id: string;
  modified: string;
  published: string | null;
  withdrawn: boolean;
  aliases: readonly string[];
  /** Of what this record is a distribution's view. */
  upstream: readonly string[];
  summary: string;
  severity: readonly Severity[];
  /** How the database rates it, in its own word. */
  rating: string | null;
  affected: readonly Affected[];
}

export interface Severity {
  type: string;
  score: string;
}

export interface Affected {
  ecosystem: string;
  name: string;
  ranges: readonly Range[];
  versions: readonly string[];
  severity: readonly Severity[];
  rating: string | null;
}

export interface Range {
  /** By semantic versions, whatever the ecosystem. */
  semver: boolean;
  events: readonly RangeEvent[];
}

export interface RangeEvent {
  kind: "introduced" | "fixed" | "last_affected" | "limit";
  version: string;
}

/** Larger ones are not read, so that parsing one does not hold up everything else. */
export const MOST_RECORD_BYTES = 2 * 1_048_576;

const SUMMARY_LENGTH = 300;

export const recordId = z.string().regex(/^[A-Za-z0-9][\w.:-]{0,127}$/);
const word = z.string().max(300);
const version = z.string().max(300);
const severity = z.object({ type: z.string().max(50), score: z.string().max(300) });
const severities = z.array(severity).max(20).nullish();
const event = z.object({
  introduced: version.optional(),
  fixed: version.optional(),
  last_affected: version.optional(),
  limit: version.optional(),
});
const range = z.object({ type: z.string().max(50), events: z.array(event).max(5000) });
/** What databases and distributions add is of no fixed form; what cannot be read is as if it were not there. */
const ratings = z
  .object({ urgency: z.string().optional().catch(undefined), severity: z.string().optional().catch(undefined) })
  .nullish()
  .catch(undefined);
const affected = z.object({
  package: z.object({ ecosystem: word, name: word }).nullish(),
  ranges: z.array(range).max(1000).nullish(),
  versions: z.array(version).max(50_000).nullish(),
  severity: severities,
  ecosystem_specific: ratings,
  database_specific: ratings,
});
const names = z
  .array(recordId.or(z.string().transform(() => null)))
  .max(5000)
  .nullish();
const schema = z.object({
  id: recordId,
  modified: z.string().max(50),
  published: z.string().max(50).nullish(),
  withdrawn: z.string().nullish(),
  aliases: names,
  upstream: names,
  summary: z.string().nullish(),
  details: z.string().nullish(),
  severity: severities,
  affected: z.array(affected).max(20_000).nullish(),
  database_specific: ratings,
});

/** A record as a database gave it, already parsed as JSON; undefined when it is none. */
export function readRecord(given: unknown): OsvRecord | undefined {
  const read = schema.safeParse(given);
  if (!read.success) return undefined;
  const { data } = read;
  return {
    id: data.id,
    modified: data.modified,
    published: timeOf(data.published),
    withdrawn: typeof data.withdrawn === "string" && data.withdrawn !== "",
    aliases: present(data.aliases),
    upstream: present(data.upstream),
    summary: cleanName((data.summary ?? "") || (data.details ?? "").slice(0, 4 * SUMMARY_LENGTH), SUMMARY_LENGTH),
    severity: data.severity ?? [],
    rating: ratingOf(data.database_specific),
    affected: (data.affected ?? []).flatMap((entry) => {
      if (entry.package == null) return [];
      return {
        ...entry.package,
        // Commits are of no use here.
        ranges: (entry.ranges ?? []).filter(({ type }) => type !== "GIT").map(readRange),
        versions: entry.versions ?? [],
        severity: entry.severity ?? [],
        rating: ratingOf(entry.ecosystem_specific) ?? ratingOf(entry.database_specific),
      };
    }),
  };
}

function readRange({ type, events }: z.infer<typeof range>): Range {
  return {
    semver: type === "SEMVER",
    events: events.flatMap((given) =>
      (["introduced", "fixed", "last_affected", "limit"] as const).flatMap((kind) => {
        const value = given[kind];
        return value === undefined ? [] : { kind, version: cleanName(value) };
      }),
    ),
  };
}

function ratingOf(given: z.infer<typeof ratings>): string | null {
  const rating = given?.urgency ?? given?.severity;
  return rating === undefined ? null : cleanName(rating, 50).toLowerCase();
}

function present(given: z.infer<typeof names>): string[] {
  return (given ?? []).filter((name) => name !== null);
}

function timeOf(given: string | null | undefined): string | null {
  const at = Date.parse(given ?? "");
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
