import { lazy, Suspense, useState } from "react";
import type { InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { useNamesHosts } from "../../app/hosts.ts";
import { useCapability } from "../../app/capability.ts";
import { FindingRow } from "./finding-row.tsx";

const AcknowledgeDialog = lazy(() => import("./acknowledge-dialog.tsx").then((module) => ({ default: module.AcknowledgeDialog })));

/** Findings in the order given, each with what can be done about it. */
export function FindingList({ insights, withContainer = true }: { insights: readonly InsightRecord[]; withContainer?: boolean }) {
  const [asked, setAsked] = useState<InsightRecord | undefined>(undefined);
  const { isGranted, isAsked } = useCapability()("security_posture_page");
  const withHost = useNamesHosts() && withContainer;
  return (
    <>
      <ul aria-label="Findings">
        {insights.map((insight) => (
          <FindingRow
            key={`${insight.container_id} ${insight.type} ${insight.finding_key}`}
            insight={insight}
            withContainer={withContainer}
            withHost={withHost}
            onAcknowledge={isGranted && !isAsked ? setAsked : undefined}
          />
        ))}
      </ul>
      {asked !== undefined && (
        <Suspense>
          <AcknowledgeDialog insight={asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}
