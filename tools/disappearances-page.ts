import { type Expected, type Field, FIELDS, type Kind, KINDS } from "../test/disappearances/kinds.ts";
import { MATRIX } from "../test/disappearances/matrix.ts";
import { SCENARIOS, type Scenario } from "../test/disappearances/scenarios.ts";
import { table } from "./markdown-table.ts";

const HEADINGS: Record<Field, string> = {
  state: "state",
  alert: "new alert",
  sent: "messages",
  uptime: "uptime",
  page: "public page",
  timeline: "timeline",
  before: "alert from before",
  pageBefore: "its public page",
};
const COLUMNS = Object.keys(FIELDS) as Field[];

/** docs/when-things-disappear.md, from the data that the tests run. */
export function disappearancesPage(): string {
  return [
    "# When things disappear",
    `Made by \`npm run generate\` from \`test/disappearances/\`, which \`npm test\` runs over the whole server on a turned clock, \`npm run stories\` on both databases, with
the server's own host and through an agent. If you expected something else in a row, open an issue with it.`,
    `One rule holds in every row: **only an observation that shows health ends a problem.** What is not seen any more keeps its problem, or hands it to
the cause that took it away. Nothing is shown as operational, and no alert is resolved, because nothing was seen.`,
    "## Scenarios",
    "The third column names stories of `test/stories/` that run the same scenario on real parts.",
    table(
      ["scenario", "what happens", "stories"],
      Object.values(SCENARIOS).map(({ title, what, stories }) => [title, what, stories.map((story) => `\`${story}\``).join(", ")]),
    ),
    "## Columns",
    table(
      ["column", "meaning"],
      COLUMNS.map((field) => [HEADINGS[field], FIELDS[field]]),
    ),
    "Each thing was up when it went; the last two columns show another one of its kind that had an alert already. `-` means nothing.",
    ...(Object.keys(KINDS) as Kind[]).flatMap(kindSection),
  ]
    .join("\n\n")
    .concat("\n");
}

function kindSection(kind: Kind): string[] {
  const entries = (Object.entries(MATRIX[kind]) as [Scenario, Expected][]).flatMap(rowsOf);
  const rows = Map.groupBy(
    entries.filter(({ cell }) => typeof cell !== "string"),
    ({ cell }) => JSON.stringify(cell),
  );
  const columns = COLUMNS.filter((field) => entries.some(({ cell }) => typeof cell !== "string" && cell[field] !== "-"));
  const shown = [...rows.values()].map((same) => {
    const { cell } = same[0] ?? { cell: "" };
    return [
      same.map(({ title }) => title).join("; "),
      ...(typeof cell === "string" ? [] : [...columns.map((field) => cell[field]), cell.why ?? ""]),
    ];
  });
  const impossible = Map.groupBy(
    entries.filter(({ cell }) => typeof cell === "string"),
    ({ cell }) => String(cell),
  );
  return [
    `## ${KINDS[kind].title}`,
    table(["scenario", ...columns.map((field) => HEADINGS[field]), "note"], shown),
    ...[...impossible].map(
      ([why, scenarios]) => `${why} So there is no row for: ${scenarios.map(({ title }) => title.toLowerCase()).join(", ")}.`,
    ),
  ];
}

/** A scenario is a row, and where an agent makes a difference it is two. */
function rowsOf([scenario, cell]: [Scenario, Expected]): { title: string; cell: Expected }[] {
  const { title } = SCENARIOS[scenario];
  if (typeof cell === "string" || cell.byAgent === undefined) return [{ title, cell }];
  const { byAgent, ...ours } = cell;
  return [
    { title: `${title}, the server's own host`, cell: ours },
    { title: `${title}, through an agent`, cell: { ...ours, ...byAgent } },
  ];
}
