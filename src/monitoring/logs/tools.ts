import { z } from "zod";
import { LOG_LEVEL_FILTERS } from "../../contract/log.ts";
import { agentId, moment, recordId } from "../../mcp/arguments.ts";
import { tool, type Tool } from "../../mcp/tool.ts";
import { maskKeyLines } from "../../platform/secrets.ts";
import { cutLine } from "../containers/index.ts";
import { fieldFilter } from "./api.ts";
import { type FoundLine, foundLine, logPattern, logPatternResult, logSearchResult, searchGap } from "./answers.ts";
import type { LogPatterns } from "./patterns.ts";
import type { LogSearch } from "./search.ts";

/** For somebody who pays by the word. */
const LINE_CHARACTERS = 1_000;
const MOST_GAPS = 20;

/** Which lines are looked at. */
const narrowing = {
  search: z.string().min(1).max(255).optional().describe("Only lines with this text, in any case."),
  since: moment.optional().describe("Only lines written after this moment."),
  until: moment.optional().describe("Only lines written before this moment."),
  container_id: recordId.optional().describe("Only this container: its `id` in list_containers."),
  group: z.string().max(255).optional().describe("Only containers of this group, spelled as in list_containers."),
  agent_id: agentId,
  level: z.enum(LOG_LEVEL_FILTERS).optional().describe("`error`: errors only; `warn`: warnings too; `info`: all but debug lines."),
  fields: fieldFilter
    .optional()
    .describe(
      'Only JSON and logfmt lines whose fields meet all conditions: `status>=500 method=GET path~"/api"`. Operators: = != > >= < <= ~ (contains).',
    ),
};

/** What an assistant may ask of all logs. */
export function logTools(logs: LogSearch & LogPatterns): Tool[] {
  return [searchLogs(logs), findPatterns(logs)];
}

function searchLogs(logs: LogSearch): Tool {
  return tool({
    name: "search_logs",
    title: "Search all logs",
    description:
      "Lines of the logs of all containers, newest first, read from their hosts now: the last 10,000 lines of each. Use it when it is not known which container " +
      "says something; for one container get_container_logs reads more of it. `gaps` names the containers of which not all was searched, and why. " +
      "The text was written by the programs in the containers.",
    finder: "list_containers",
    input: z.strictObject({
      ...narrowing,
      limit: z.number().int().min(1).max(100).default(50).describe("At most so many lines."),
      cursor: z
        .string()
        .max(200)
        .regex(/^[\w-]+$/)
        .optional()
        .describe("`next_cursor` of the page before. Leave it out for the first page."),
    }),
    output: logSearchResult.omit({ histogram: true }).extend({
      lines: z.array(
        foundLine.extend({ is_cut: z.boolean().describe(`It had more than ${LINE_CHARACTERS} characters, and ends in "…".`) }),
      ),
      next_cursor: z
        .string()
        .nullable()
        .describe("Ask again with it as `cursor` for older lines; null: there are none.")
        .meta({ ours: true }),
      gaps: z.array(searchGap).describe(`At most ${MOST_GAPS}.`),
    }),
    async handle({ search, ...query }, { signal }) {
      const { lines, gaps, histogram: _, ...rest } = await logs.search({ ...query, q: search, order: "newest" }, signal);
      return { ...rest, lines: withoutKeys(lines).map(cut), gaps: gaps.slice(0, MOST_GAPS) };
    },
  });
}

function findPatterns(logs: LogPatterns): Tool {
  return tool({
    name: "get_log_patterns",
    title: "Group log lines by pattern",
    description:
      "What the logs of all containers say, lines that differ only in numbers, ids, addresses and times folded into one pattern with its count, first and last line: " +
      "new ones first, then those of most lines. `is_new`: a container writes it only since its image changed. Use it to learn what is unusual before reading lines with search_logs. " +
      "The text was written by the programs in the containers.",
    finder: "list_containers",
    input: z.strictObject({ ...narrowing, limit: z.number().int().min(1).max(100).default(30).describe("At most so many patterns.") }),
    output: logPatternResult.extend({
      patterns: z.array(
        logPattern
          .omit({ example: true })
          .extend({ containers: logPattern.shape.containers.describe("Those with most lines, at most 5.") }),
      ),
      gaps: z.array(searchGap).describe(`At most ${MOST_GAPS}.`),
    }),
    async handle({ search, ...query }, { signal }) {
      const { patterns, gaps, ...rest } = await logs.patterns({ ...query, q: search }, signal);
      const shown = patterns.map(({ containers, example: _, ...each }) => ({ ...each, containers: containers.slice(0, 5) }));
      return { patterns: shown, gaps: gaps.slice(0, MOST_GAPS), ...rest };
    },
  });
}

function cut(line: FoundLine): FoundLine {
  const text = cutLine(line.text, LINE_CHARACTERS);
  return { ...line, text, is_cut: line.is_cut || text !== line.text };
}

/** Private keys go over several lines of one container, which are distinguished by the order in which they were written. */
function withoutKeys(lines: readonly FoundLine[]): FoundLine[] {
  const masked = new Map<FoundLine, string>();
  for (const written of Map.groupBy(lines.toReversed(), (line) => `${line.container_id} ${line.stream}`).values()) {
    const texts = maskKeyLines(written.map(({ text }) => text));
    for (const [at, line] of written.entries()) masked.set(line, texts[at] ?? "");
  }
  return lines.map((line) => ({ ...line, text: masked.get(line) ?? "" }));
}
