import { useQuery } from "@tanstack/react-query";
import type { ContainerDetail } from "../../../../../src/monitoring/containers/answers.ts";
import type { ContainerPostureDetail } from "../../../../../src/monitoring/security/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { containerInsightsQuery, containerPostureQuery } from "../../../api/security.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { useCapability } from "../../../app/capability.ts";
import { FindingList } from "../../../entities/security/finding-list.tsx";
import { PostureGate } from "../../../entities/security/posture-gate.tsx";
import { Score } from "../../../entities/security/score.tsx";
import { Steps } from "../../../entities/security/steps.tsx";
import { useRowKeys } from "../../../lists/use-row-keys.ts";

/** How exposed a container is, how that counts, and what to do about it. */
export function SecurityTab({ container }: { container: ContainerDetail }) {
  useRowKeys();
  const { data, error, refetch } = useQuery(containerInsightsQuery(container.id));
  const posture = useContainerPosture(container.id);
  // Both at once: what comes later would move the other.
  if (data === undefined || (data.not_assessed === null && !posture.isRead)) {
    if (error === null) {
      return (
        <div className="mt-8">
          <SkeletonRows count={4} label="Loading findings" />
        </div>
      );
    }
    return <ErrorNote what="Could not load findings." error={error} onRetry={() => void refetch()} />;
  }
  if (data.not_assessed !== null) {
    return (
      <EmptyState title="Not checked">
        <p>{data.not_assessed} Findings appear here while the container runs.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <ContainerScore {...posture} />
      <Section title="Findings">
        {data.total === 0 ? (
          <EmptyState title="No exposure found">
            <p>It exposes no ports on all interfaces and no database, is not privileged, and does not use host network mode.</p>
          </EmptyState>
        ) : (
          <FindingList insights={data.insights} withContainer={false} />
        )}
      </Section>
      {data.ecosystem !== null && (
        <p className="mt-3 text-xs text-ink-2">
          Breakdown by {data.ecosystem.name}, {data.ecosystem.source === "label" ? "as its label says" : "as is known of that image"}.
        </p>
      )}
    </>
  );
}

interface ContainerPosture {
  /** Whether it is known what is shown of it. */
  isRead: boolean;
  isGranted: boolean;
  /** The edition that grants it. */
  edition: string;
  posture: ContainerPostureDetail | undefined;
}

function useContainerPosture(id: number): ContainerPosture {
  const { isGranted, isAsked, edition } = useCapability()("security_posture_page");
  const { data, error } = useQuery({ ...containerPostureQuery(id), enabled: isGranted && !isAsked });
  const isRefused = !isGranted || isApiError(error, "EDITION_REQUIRED");
  return { isRead: isRefused || data !== undefined || error !== null, isGranted: !isRefused, edition, posture: data };
}

function ContainerScore({ isGranted, edition, posture }: ContainerPosture) {
  if (!isGranted) return <PostureGate edition={edition} of="container" />;
  if (posture === undefined) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Section title="Posture">
        <Score {...posture} />
      </Section>
      <Section title="Next steps" aside="Score gain">
        <Steps steps={posture.next_steps} categories={posture.categories} withContainer={false} />
      </Section>
    </div>
  );
}
