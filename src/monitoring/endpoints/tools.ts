import { z } from "zod";
import { RANGE_NAMES, SPANS_MS } from "../../contract/ranges.ts";
import type { EndpointStatus } from "../../events.ts";
import { agentId, moment, pageEnd, pageOf, paging, recordId } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { check, type EndpointRecord, endpoint, endpointList } from "./answers.ts";
import type { Check } from "./checks/head.ts";
import type { CheckHistory, TimeRange } from "./checks/history.ts";
import { createCheckSummary } from "./checks/summary.ts";
import { longestMs, type SavedEndpoint } from "./endpoint.ts";
import type { Projection } from "./projection.ts";
import { checkRecord, endpointRecord } from "./records.ts";

export interface EndpointToolParts {
  projection: Pick<Projection, "get" | "listedStatus" | "matching" | "tally">;
  history: Pick<CheckHistory, "page">;
  clock: Clock;
}

/** A page is made of no more checks than these, the newest: a month of an endpoint may have 500,000. */
const MOST_READ = 50_000;
/** So that nobody is held up for long. */
const READ_AT_ONCE = 5_000;

/** What needs somebody stands first. */
const NEED: Readonly<Record<EndpointStatus, number>> = { down: 0, degraded: 1, unknown: 2, up: 3 };

/** What an assistant can ask of endpoints. */
export function endpointTools({ projection, history, clock }: EndpointToolParts): Tool[] {
  const short = endpoint.pick({
    id: true,
    agent_id: true,
    name: true,
    type: true,
    target: true,
    container_id: true,
    container_name: true,
    status: true,
    status_since: true,
    status_reason: true,
    alerting: true,
    consecutive_failures: true,
    last_check_at: true,
    last_observed_at: true,
    last_response_time_ms: true,
    last_http_status: true,
    last_error: true,
    last_failure_class: true,
    uptime_24h: true,
  });
  const record = (each: SavedEndpoint): EndpointRecord => endpointRecord(each, projection.tally(each.id), clock.now());
  const milliseconds = z.number().nullable();
  const count = z.number().int();

  return [
    tool({
      name: "list_endpoints",
      title: "List endpoints",
      description:
        "The HTTP and TCP endpoints that are checked: which are up, down, degraded or unknown, since when, and the last error. Those that need somebody come first. For single checks of one, and how it did over time, use get_endpoint_history.",
      input: z.strictObject({
        status: endpoint.shape.status
          .optional()
          .describe(
            "Only those with this status. One that is only the last known to be up counts as unknown: its host is disconnected, or cannot see it.",
          ),
        container_id: recordId.optional().describe("Only those of this container, by its id from list_containers."),
        search: z.string().max(255).optional().describe("Only those with this in their name, target or container, in any case."),
        agent_id: agentId,
        ...paging(),
      }),
      output: z.object({
        endpoints: z.array(short),
        counts: endpointList.shape.counts.describe(
          "Of all that match, by status; one that is only the last known to be up counts as unknown.",
        ),
        ...pageEnd,
      }),
      handle({ limit, cursor, ...filter }) {
        const found = projection.matching({ ...filter, inactive: false });
        const counts = { up: 0, down: 0, degraded: 0, unknown: 0 };
        for (const each of found) counts[projection.listedStatus(each)] += 1;
        const { page, end } = pageOf(
          found.toSorted((a, b) => NEED[projection.listedStatus(a)] - NEED[projection.listedStatus(b)]),
          { limit, cursor },
        );
        return { endpoints: page.map((each) => short.parse(record(each))), counts, ...end };
      },
    }),

    tool({
      name: "get_endpoint_history",
      title: "Get the history of an endpoint",
      description:
        "How one endpoint did over a stretch of time: uptime, response times, failures by class, and its single checks, newest first. To learn when and why something failed, ask with failures_only. Checks are kept for 30 days.",
      finder: "list_endpoints",
      input: z.strictObject({
        endpoint_id: recordId.describe("The endpoint's id, from list_endpoints."),
        range: z.enum(RANGE_NAMES).optional().describe("The stretch of time up to now; 24h where neither this nor since is given."),
        since: moment.optional().describe("The stretch of time from this moment on, in place of range."),
        failures_only: z.boolean().default(false).describe("List only checks that failed; the summary stays one of all."),
        ...paging(),
      }),
      output: z.object({
        endpoint: short,
        from: moment,
        until: moment,
        summary: z
          .object({
            checks: count,
            failures: count,
            unobserved: count.describe("Further checks, made while the host itself had no network: they say nothing about the endpoint."),
            uptime_percent: z.number().nullable().describe("Time after checks that succeeded / time observed; null: nothing was observed."),
            response_time_p50_ms: milliseconds,
            response_time_p95_ms: milliseconds.describe("Of the checks that were answered; null: none was."),
            failures_by_class: z.object({
              dns: count,
              connect: count,
              timeout: count,
              tls: count,
              http: count,
              assertion: count,
              other: count,
            }),
            last_failure_at: moment.nullable(),
            counted_from: moment
              .nullable()
              .describe(`null: all checks of the stretch are counted. Otherwise only its last ${MOST_READ}, from this moment on.`),
          })
          .nullable()
          .describe("Of the whole stretch of time; on the first page alone, null on later ones."),
        checks: z.array(check).describe("With failures_only a page may be short, or empty: there are more while next_cursor is not null."),
        ...pageEnd,
        total: count.describe("How many there were in all at the first page; with failures_only, among those that its summary counts."),
      }),
      async handle({ endpoint_id: id, range, since, failures_only: failuresOnly, limit, cursor }, { signal }) {
        const found = projection.get(id);
        if (found === undefined) throw new ServiceError("not_found", `There is no endpoint ${id}.`);
        if (range !== undefined && since !== undefined) {
          throw new ServiceError("invalid_request", "range and since exclude each other: send one of them.");
        }
        const place = placeOf(cursor);
        const untilMs = clock.now().getTime();
        const fromMs = since === undefined ? untilMs - SPANS_MS[range ?? "24h"] : Date.parse(since);
        // A host's clock may be ahead of ours.
        const times = { fromMs, toMs: place === undefined ? Number.MAX_SAFE_INTEGER : place.beforeMs - 1 };
        // A later page of all checks needs no more than it shows, and one to know whether there is another page.
        const most = place === undefined || failuresOnly ? MOST_READ : limit + 1;
        const { read, total, isWhole } = await readNewest(history, id, times, { most, signal });
        const oldest = read.at(-1);
        const summary = place === undefined ? summaryOf(read, untilMs, longestMs(found.check)) : null;
        const wanted = failuresOnly ? read.filter(({ success, observed }) => !success && observed) : read;
        const page = wanted.slice(0, limit);
        // What was not read may hold more of what is wanted.
        const end = wanted.length > limit ? page.at(-1) : isWhole ? undefined : oldest;
        const counted = place?.total ?? (failuresOnly ? wanted.length : total);
        return {
          endpoint: short.parse(record(found)),
          from: new Date(fromMs).toISOString(),
          until: new Date(untilMs).toISOString(),
          summary: summary && { ...summary, counted_from: isWhole || oldest === undefined ? null : new Date(oldest.atMs).toISOString() },
          checks: page.map(checkRecord),
          total: counted,
          next_cursor: end === undefined ? null : `before-${end.atMs}-of-${counted}`,
        };
      },
    }),
  ];
}

/** The newest checks of a range, newest first, a part at a time, and how many it has; whole when none was left out. */
async function readNewest(
  history: EndpointToolParts["history"],
  id: number,
  { fromMs, toMs }: TimeRange,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<{ read: Check[]; total: number; isWhole: boolean }> {
  const read: Check[] = [];
  let total: number | undefined;
  for (let lastMs = toMs; ;) {
    signal.throwIfAborted();
    const part = await history.page(id, { fromMs, toMs: lastMs, limit: Math.min(READ_AT_ONCE, most - read.length), offset: 0 });
    read.push(...part.checks);
    total ??= part.total;
    const oldest = part.checks.at(-1);
    const isWhole = oldest === undefined || part.total <= part.checks.length;
    if (isWhole || read.length >= most) return { read, total, isWhole };
    lastMs = oldest.atMs - 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function summaryOf(newestFirst: readonly Check[], untilMs: number, spokenForMs: number) {
  const summary = createCheckSummary();
  for (const each of newestFirst.toReversed()) summary.add(each);
  const { uptimePercent, responseTimeP50, responseTimeP95, failuresByClass, lastFailureAtMs, ...counts } = summary.end(
    untilMs,
    spokenForMs,
  );
  return {
    ...counts,
    uptime_percent: uptimePercent,
    response_time_p50_ms: responseTimeP50,
    response_time_p95_ms: responseTimeP95,
    failures_by_class: failuresByClass,
    last_failure_at: lastFailureAtMs === null ? null : new Date(lastFailureAtMs).toISOString(),
  };
}

/** The time before which a page begins: checks come all the time, so that a count would lead to some of them twice. And what the first page counted. */
function placeOf(cursor: string | undefined): { beforeMs: number; total: number } | undefined {
  if (cursor === undefined) return undefined;
  const [, time, total] = /^before-(\d{1,15})-of-(\d{1,9})$/.exec(cursor) ?? [];
  if (time === undefined || total === undefined) {
    throw new ServiceError("invalid_request", "cursor is not one that this tool gave: leave it out to begin with the first page.");
  }
  return { beforeMs: Number(time), total: Number(total) };
}
