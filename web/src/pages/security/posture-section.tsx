import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Posture } from "../../../../src/monitoring/security/api.ts";
import { isApiError } from "../../api/client.ts";
import { postureQuery } from "../../api/security.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Name } from "../../ui/name.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { useCapability } from "../notifications/capability.ts";
import { PostureGate } from "./posture-gate.tsx";
import { Score } from "./score.tsx";
import { ScoreHistory } from "./score-history.tsx";
import { Steps } from "./steps.tsx";
import { GRADE_WORDS } from "./words.ts";

/** So many of the worst are shown. */
const WORST = 5;

/** How safe all stands: the score, what it is made of, how it changed, and what to do next. */
export function PostureSection() {
  const { isGranted, isAsked, edition } = useCapability()("security_posture_page");
  const host = useChosenHost();
  const { data, error, refetch } = useQuery({ ...postureQuery(host), enabled: isGranted && !isAsked });
  if (!isGranted || isApiError(error, "EDITION_REQUIRED")) return <PostureGate edition={edition} of="all" />;
  if (data !== undefined) return <Shown posture={data} />;
  if (error !== null) return <ErrorNote what="The posture could not be read." error={error} onRetry={() => void refetch()} />;
  return (
    <div role="status" aria-label="Reading the posture" className="mt-8">
      <Skeleton className="h-[116px] w-full" />
      <Skeleton className="mt-8 h-[180px] w-full" />
    </div>
  );
}

function Shown({ posture }: { posture: Posture }) {
  const { ranking, next_steps, history, containers } = posture;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Section title="Posture" aside={countOf(containers, "running container")}>
        <Score {...posture} />
      </Section>
      <Section title="Day by day">
        <ScoreHistory history={history} />
      </Section>
      <Section title="What to do next" aside="points it gains">
        <Steps steps={next_steps} />
      </Section>
      <Section title="Worst containers" aside="score">
        {ranking.length === 0 && <p className="py-3 text-ink-2">Nothing counts against any container.</p>}
        <ol aria-label="Worst containers">
          {ranking.slice(0, WORST).map(({ container_id, container_name, score, grade }) => (
            <li key={container_id} className="relative flex h-9 items-center gap-2 border-b border-line hover:bg-hover">
              <StatusIcon status={GRADE_WORDS[grade].status} />
              <Link
                to="/containers/$id"
                params={{ id: container_id }}
                search={{ tab: "security" }}
                className="min-w-0 flex-1 after:absolute after:inset-0"
              >
                <Name>{container_name}</Name>
              </Link>
              <span className="text-ink-2">grade {grade}</span>
              <span className="w-10 text-right font-[550] tabular-nums">{score}</span>
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}
