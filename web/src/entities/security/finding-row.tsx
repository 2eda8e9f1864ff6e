import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AcknowledgmentRecord, InsightRecord } from "../../../../src/monitoring/security/answers.ts";
import { revokeAcknowledgment } from "../../api/security.ts";
import { HostName } from "../../app/host-name.tsx";
import { Age } from "../../ui/age.tsx";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Name } from "../../ui/name.tsx";
import { Summary } from "../../ui/summary.tsx";
import { findingKey } from "./draft.ts";
import { FINDING_SEVERITY_WORDS } from "./words.ts";

interface Properties {
  insight: InsightRecord;
  /** Where the page is about one container, it needs not be named. */
  withContainer: boolean;
  withHost: boolean;
  /** undefined: the edition does not grant it. */
  onAcknowledge: (() => void) | undefined;
  onSelect: (() => void) | undefined;
  isSelected: boolean;
  /** Its acknowledgment is on its way, and can be taken back. */
  isOnItsWay: boolean;
}

/** One finding: what it is; opened, why it matters and what to do. */
export function FindingRow({ insight, withContainer, withHost, onAcknowledge, onSelect, isSelected, isOnItsWay }: Properties) {
  const { level, word } = FINDING_SEVERITY_WORDS[insight.severity];
  const { acknowledgment } = insight;
  const canAct = onAcknowledge !== undefined;
  return (
    <li
      data-finding={findingKey(insight)}
      className={classNames(
        "grid gap-x-2 border-b border-line py-2.5 md:px-2.5",
        onSelect === undefined
          ? "grid-cols-[20px_minmax(0,1fr)] md:grid-cols-[20px_minmax(0,1fr)_auto]"
          : "grid-cols-[24px_20px_minmax(0,1fr)] md:grid-cols-[24px_20px_minmax(0,1fr)_auto]",
        isSelected && "bg-accent-soft max-md:pr-2",
      )}
    >
      {onSelect !== undefined &&
        (acknowledgment === null && !isOnItsWay ? (
          <label className="-my-2.5 flex justify-center pt-3.5 max-md:-ml-4 max-md:min-h-12 max-md:pl-4">
            <input type="checkbox" checked={isSelected} onChange={onSelect} className="size-4 accent-accent" />
            <span className="sr-only">
              Select {insight.title} of {insight.container_name}
            </span>
          </label>
        ) : (
          <span />
        ))}
      <LevelMark level={acknowledgment === null ? level : 0} className="mt-1" />
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <span className={classNames("min-w-0 wrap-anywhere max-md:w-full", acknowledgment === null ? "font-[570]" : "text-ink-2")}>
            {insight.title}
          </span>
          {withContainer && (
            <Link
              to="/containers/$id"
              params={{ id: insight.container_id }}
              search={{ tab: "security" }}
              className="max-w-full min-w-0 text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink"
            >
              <Name>{insight.container_name}</Name>
            </Link>
          )}
          {withHost && <HostName of={insight} />}
          <span className={classNames("shrink-0 text-xs text-ink-2", withContainer ? "ml-auto" : "md:ml-auto")}>
            {word}, <Age at={insight.since} />
          </span>
        </p>
        <p dir="auto" className="wrap-anywhere text-ink-2">
          {insight.what}
        </p>
        {isOnItsWay && acknowledgment === null && <p className="mt-0.5 text-sm text-ink-2">Acknowledged just now</p>}
        {acknowledgment !== null && <Acknowledged acknowledgment={acknowledgment} />}
        <details className="mt-1">
          <Summary>Why it matters and how to fix it</Summary>
          <div className="mt-2 mb-1 flex max-w-[84ch] flex-col gap-2">
            <p>{insight.why}</p>
            <p>{insight.fix}</p>
            {insight.snippet !== null && <CommandLine command={insight.snippet} />}
          </div>
        </details>
      </div>
      {canAct && (
        <div className="max-md:col-start-3 max-md:mt-1.5 md:ml-2">
          {acknowledgment === null && isOnItsWay ? null : acknowledgment === null ? (
            <Button kind="quiet" className="max-md:-ml-2.5" onClick={onAcknowledge}>
              Acknowledge
              <span className="sr-only">
                : {insight.title} of {insight.container_name}
              </span>
            </Button>
          ) : (
            <Revoke acknowledgment={acknowledgment} title={insight.title} />
          )}
        </div>
      )}
    </li>
  );
}

function Acknowledged({
  acknowledgment: { acknowledged_by, acknowledged_at, reason, carried_over },
}: {
  acknowledgment: AcknowledgmentRecord;
}) {
  return (
    <p dir="auto" className="mt-0.5 text-sm wrap-anywhere">
      Acknowledged by <bdi className="font-[550]">{acknowledged_by}</bdi> <Age at={acknowledged_at} form="ago" />: <bdi>{reason}</bdi>
      {carried_over && <span className="text-ink-2"> (for an earlier container with this name)</span>}
    </p>
  );
}

function Revoke({ acknowledgment, title }: { acknowledgment: AcknowledgmentRecord; title: string }) {
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeAcknowledgment(acknowledgment.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["security"] }),
  });
  return (
    <>
      <Button kind="quiet" className="max-md:-ml-2.5" disabled={revoking.isPending} onClick={() => revoking.mutate()}>
        {revoking.isPending ? "Revoking" : "Revoke"}
        <span className="sr-only">
          {" "}
          the acknowledgment of {title} of {acknowledgment.container_name}
        </span>
      </Button>
      {revoking.isError && <ErrorNote what="The acknowledgment was not revoked." error={revoking.error} />}
    </>
  );
}
