import { z } from "zod";
import { agentId, endOf, moment, offsetOf, pageEnd, paging, recordId } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { container, listQuery } from "./api.ts";
import { containerDetail, containerLogs, transition } from "./answers.ts";
import { cutLine, excerptOf, lastLinesOf } from "./excerpt.ts";
import type { ListedContainer } from "./list.ts";
import type { ContainerService } from "./service.ts";

/** Of a log, for somebody who pays by the word. */
const LOG_LIMITS = { line: 1_000, total: 100_000 };
const SNIPPET_LIMITS = { line: 300, total: 1_500 };
const TRANSITIONS = 20;
const EVER = "1970-01-01T00:00:00.000Z";
const MAX_LABELS = 100;
const MAX_LABEL_CHARACTERS = 500;
/** For all labels that are shown, as JSON: a container's labels must not make the answer too large to be sent. */
const MAX_LABELS_BYTES = 100_000;

const containerId = recordId.describe("The container's `id` in list_containers.");

/** What an assistant may ask of containers. */
export function containerTools(service: ContainerService): Tool[] {
  return [listContainers(service), getContainer(service), getContainerLogs(service)];
}

function listContainers(service: ContainerService): Tool {
  const { state, health, group, search } = listQuery.shape;
  const row = container
    .pick({
      id: true,
      agent_id: true,
      name: true,
      image: true,
      state: true,
      health: true,
      exit_code: true,
      oom_killed: true,
      group: true,
      restart_count: true,
      started_at: true,
      finished_at: true,
      last_state_change_at: true,
      archived_at: true,
      uptime_24h: true,
    })
    .extend({
      cpu_percent: z.number().nullable().describe("Of the CPUs allocated to it, now; null while it does not run or cannot be read."),
      memory_percent: z.number().nullable().describe("Of its memory limit, or of its host's memory."),
    });
  return tool({
    name: "list_containers",
    title: "List containers",
    description:
      "The containers of all hosts with state, health, exit code, restarts, uptime and what they use now, sorted by group and name. " +
      "Use it to find a container's id or to see what runs and what broke. " +
      "For one container's labels, ports and history use get_container; for what is wrong right now list_alerts is shorter.",
    input: z.strictObject({
      state: state.describe(
        "Only containers in this state. `completed` ended by itself without a fault; `exited` failed or was stopped (`stop_requested` says which); `dead` failed.",
      ),
      health: health.describe("Only those whose health check says this; `none`: those without one."),
      group: group.describe("Only this group, spelled as in `group`."),
      search: search.describe("Only those with this text in the name or the image, in any case."),
      archived: z.boolean().default(false).describe("The containers removed in the last 30 days instead of the present ones."),
      ignored: z.boolean().default(false).describe("Those that their label service.ignore excludes from monitoring too."),
      agent_id: agentId,
      ...paging(),
    }),
    output: z.object({ containers: z.array(row), ...pageEnd }),
    async handle({ limit, cursor, ...filter }) {
      const offset = offsetOf(cursor);
      const { rows, total } = await service.listPage(filter, { offset, limit });
      return { containers: rows.map(shortRecord), ...endOf({ offset, count: rows.length, total }) };
    },
  });
}

function shortRecord({ container: of, uptime24h, resources }: ListedContainer) {
  return {
    id: of.id,
    agent_id: of.agentId,
    name: of.name,
    image: of.image,
    state: of.state,
    health: of.health,
    exit_code: of.exitCode,
    oom_killed: of.oomKilled,
    group: of.group,
    restart_count: of.restartCount,
    started_at: of.startedAt?.toISOString() ?? null,
    finished_at: of.finishedAt?.toISOString() ?? null,
    last_state_change_at: of.lastStateChangeAt.toISOString(),
    archived_at: of.archivedAt?.toISOString() ?? null,
    uptime_24h: uptime24h,
    cpu_percent: resources?.cpu_percent ?? null,
    memory_percent: resources?.memory_percent ?? null,
  };
}

function getContainer(service: ContainerService): Tool {
  return tool({
    name: "get_container",
    title: "Get a container",
    description:
      `One container whole: labels, ports, restarts, what it uses, its uptime over 24 hours to 90 days, and its last ${TRANSITIONS} changes of state ` +
      "or health, each with the end of its log at that moment. For more of the log use get_container_logs, for figures over time get_resources.",
    finder: "list_containers",
    input: z.strictObject({ container_id: containerId }),
    output: z.object({
      container: containerDetail.extend({
        labels_left_out: z.number().int().describe(`How many labels are not shown, of more than ${MAX_LABELS} or very long ones.`),
      }),
      transitions: z
        .array(transition.omit({ container_id: true }))
        .describe(
          "Newest first. `log_snippet` is the end of the log when the container ended; `replayed`: learned after the host had been cut off.",
        ),
      transitions_total: z.number().int().describe("How many are known in all; they are kept for 90 days."),
    }),
    async handle({ container_id: id }) {
      const [detail, { transitions, total }] = await Promise.all([
        service.detail(id),
        service.transitions(id, { since: EVER, limit: TRANSITIONS, offset: 0 }),
      ]);
      return {
        container: { ...detail, ...labelsShown(detail.labels) },
        transitions: transitions.map(({ container_id: _, log_snippet: snippet, ...rest }) => ({
          ...rest,
          log_snippet: snippet === null ? null : lastLinesOf(snippet, SNIPPET_LIMITS),
        })),
        transitions_total: total,
      };
    },
  });
}

function labelsShown(labels: Readonly<Record<string, string>>): { labels: Record<string, string>; labels_left_out: number } {
  const entries = Object.entries(labels);
  const cut = entries.slice(0, MAX_LABELS).map(([name, value]): [string, string] => [name, cutLine(value, MAX_LABEL_CHARACTERS)]);
  let room = MAX_LABELS_BYTES;
  const shown = cut.filter((label) => (room -= Buffer.byteLength(JSON.stringify(label))) >= 0);
  return { labels: Object.fromEntries(shown), labels_left_out: entries.length - shown.length };
}

function getContainerLogs(service: ContainerService): Tool {
  return tool({
    name: "get_container_logs",
    title: "Read a container's log",
    description:
      "The last lines of a container's log, oldest first, read from its host now. Narrow it with `search` or `since` rather than asking for many lines. " +
      "The text was written by the program in the container. Of a removed container only the ends kept in get_container are left.",
    finder: "list_containers",
    input: z.strictObject({
      container_id: containerId,
      lines: z.number().int().min(1).max(1000).default(100).describe("At most so many of the last lines."),
      since: moment.optional().describe("Only lines written after this moment."),
      search: z.string().min(1).max(255).optional().describe("Only lines with this text, in any case, among the last 10,000."),
    }),
    output: z.object({
      ...containerLogs.shape,
      truncated: z.boolean().describe("There are older lines that match than those shown."),
      cut_lines: z.number().int().describe(`How many lines were longer than ${LOG_LIMITS.line} characters; they end in "…".`),
    }),
    async handle({ container_id: id, lines: count, since, search }, { signal }) {
      const log = await service.logs(id, { lines: count, since, search, timestamps: true }, signal);
      const { lines, leftOut, cut } = excerptOf(log.lines, LOG_LIMITS);
      return { container_id: id, lines, truncated: log.truncated || leftOut > 0, cut_lines: cut };
    },
  });
}
