import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Posture } from "../../../../src/monitoring/security/answers.ts";
import { isApiError } from "../../api/client.ts";
import { postureQuery } from "../../api/security.ts";
import { HostName } from "../../app/host-name.tsx";
import { useChosenHost, useNamesHosts } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Name } from "../../ui/name.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useCapability } from "../../app/capability.ts";
import { PostureGate } from "../../entities/security/posture-gate.tsx";
import { Score } from "../../entities/security/score.tsx";
import { ScoreHistory } from "./score-history.tsx";
import { Steps } from "../../entities/security/steps.tsx";

/** So many of the worst are shown. */
const WORST = 5;

interface Properties {
  /** What stands below. It comes with the posture, since nobody knows before how high that is. */
  children: ReactNode;
}

/** How safe all stands: the score, what it is made of, how it changed, and what to do next. */
export function PostureSection({ children }: Properties) {
  const { isGranted, isAsked, edition } = useCapability()("security_posture_page");
  const host = useChosenHost();
  const { data, error, refetch } = useQuery({ ...postureQuery(host), enabled: isGranted && !isAsked });
  const isGated = !isGranted || isApiError(error, "EDITION_REQUIRED");
  if (!isGated && data === undefined && error === null) {
    return (
      <div role="status" aria-label="Loading posture" className="mt-8">
        <Skeleton className="h-[116px] w-full" />
        <Skeleton className="mt-8 h-[180px] w-full" />
      </div>
    );
  }
  return (
    <>
      {isGated && <PostureGate edition={edition} of="all" />}
      {!isGated && data !== undefined && <Shown posture={data} />}
      {!isGated && data === undefined && <ErrorNote what="Could not load the posture." error={error} onRetry={() => void refetch()} />}
      {children}
    </>
  );
}

function Shown({ posture }: { posture: Posture }) {
  const { ranking, next_steps, history, containers, categories } = posture;
  const withHost = useNamesHosts();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Section title="Posture" aside={countOf(containers, "running container")}>
        <Score {...posture} />
      </Section>
      <Section title="History">
        <ScoreHistory history={history} />
      </Section>
      <Section title="Next steps" aside="Score gain">
        <Steps steps={next_steps} categories={categories} />
      </Section>
      <Section title="Worst containers" aside="Score">
        {ranking.length === 0 && <p className="py-3 text-ink-2">No findings lower the score.</p>}
        <ol aria-label="Worst containers">
          {ranking.slice(0, WORST).map(({ container_id, container_name, agent_id, score, grade }) => (
            <li key={container_id} className="relative flex h-9 max-md:h-10.5 items-center gap-2 border-b border-line hover:bg-hover">
              <Link
                to="/containers/$id"
                params={{ id: container_id }}
                search={{ tab: "security" }}
                className="flex min-w-0 flex-1 items-baseline gap-2 after:absolute after:inset-0"
              >
                <Name>{container_name}</Name>
                {withHost && <HostName of={{ agent_id }} />}
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
