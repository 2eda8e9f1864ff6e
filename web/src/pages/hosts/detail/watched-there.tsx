import { useQuery } from "@tanstack/react-query";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import { alertImpact } from "../../../format/impact.ts";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { securitySummaryQuery } from "../../../api/security.ts";
import { updateSummaryQuery } from "../../../api/updates.ts";
import { needsAttention } from "../../../format/container-status.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import type { Watched } from "../../../entities/attention/watched.ts";
import { availableWords } from "../../../entities/updates/words.ts";

const SECTIONS = [
  { to: "/containers", name: "Containers" },
  { to: "/endpoints", name: "Endpoints" },
  { to: "/certificates", name: "Certificates" },
  { to: "/alerts", name: "Active alerts" },
  { to: "/updates", name: "Updates" },
  { to: "/security", name: "Security" },
] as const;

/** What is watched on a host, how many, and the way to each list, narrowed to it. */
export function WatchedThere({ id, watched, alerts }: { id: string; watched: Watched | undefined; alerts: readonly ShownAlert[] }) {
  const { data: updates } = useQuery(updateSummaryQuery(id));
  const { data: findings } = useQuery(securitySummaryQuery(id));
  const counts: Partial<Record<(typeof SECTIONS)[number]["to"], ReactNode>> =
    watched === undefined
      ? {}
      : {
          "/containers": countWords(watched.containers.length, watched.containers.filter(needsAttention).length),
          "/endpoints": countWords(watched.endpoints.length, watched.endpoints.filter(({ status }) => status === "down").length),
          "/certificates": countWords(
            watched.certificates.length,
            watched.certificates.filter(({ status }) => status !== "valid" && status !== "unknown").length,
          ),
          "/alerts": alertsNote(alerts),
          "/updates": updates && availableWords(updates),
          "/security": findings && countOf(findings.unacknowledged.total, "finding"),
        };
  return (
    <ul aria-label="On this host">
      {SECTIONS.map(({ to, name }) => (
        <li
          key={to}
          className="relative flex min-h-9 items-center max-md:min-h-10.5 justify-between gap-4 border-t border-line first:border-t-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
        >
          <Link to={to} search={{ agent_id: id }} className="outline-none after:absolute after:inset-0">
            {name}
          </Link>
          <span className="text-ink-2 tabular-nums">{counts[to]}</span>
        </li>
      ))}
    </ul>
  );
}

function countWords(count: number, wrong: number): string {
  return wrong === 0 ? formatCount(count) : `${formatCount(count)}, ${formatCount(wrong)} ${wrong === 1 ? "needs" : "need"} attention`;
}

/** Problems, as they are listed above, and apart from them what is none. */
function alertsNote(alerts: readonly ShownAlert[]): string {
  const problems = alerts.filter((alert) => alertImpact(alert) !== "posture").length;
  const rest = alerts.length - problems;
  return rest === 0 ? formatCount(problems) : `${formatCount(problems)}, and ${countOf(rest, "finding or update", "findings and updates")}`;
}
