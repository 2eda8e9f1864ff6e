import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import { HOUR_MS } from "../../../../../src/contract/time.ts";
import { alertCaseQuery, alertTraceQuery } from "../../../api/alert-queries.ts";
import { Breadcrumb } from "../../../app/breadcrumb.tsx";
import { useHotkeys } from "../../../app/hotkeys.ts";
import { alertStatus, holdOf, SEVERITY_WORDS, SUPPRESSION_WORDS } from "../../../format/alert-words.ts";
import { formatDuration } from "../../../format/duration.ts";
import { asSentence } from "../../../format/sentence.ts";
import { withLocalTimes } from "../../../format/time.ts";
import { Age } from "../../../ui/age.tsx";
import { silenceProposal } from "../../../entities/notifications/search.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { holdingText } from "./trace-words.ts";
import { useActing } from "../../../entities/alerts/acting/use-acting.tsx";

/** What is wrong, how bad, since when, why, of what, and what can be done. */
export function AlertHeader({ alert }: { alert: ShownAlert }) {
  const isActive = alert.status === "active";
  const word = isActive ? SEVERITY_WORDS[alert.severity].word : `Resolved, was ${SEVERITY_WORDS[alert.severity].word.toLowerCase()}`;
  return (
    <header>
      <Breadcrumb to={isActive ? "/alerts" : "/alerts/history"}>{isActive ? "Alerts" : "Alert history"}</Breadcrumb>
      <h1 className="mt-1 max-w-[80ch] min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl">
        <bdi>{withLocalTimes(alert.message)}</bdi>
      </h1>
      <p className="mt-1.5 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Changed value={`${alert.status} ${alert.severity}`} className="inline-flex items-center gap-2">
          <StatusIcon status={alertStatus(alert)} />
          {word}
        </Changed>
        <EntityLink type={alert.entity_type} id={alert.entity_id} className="min-w-0 wrap-anywhere text-accent hover:underline">
          <bdi>{alert.entity_name}</bdi>
        </EntityLink>
        <span className="text-ink-2">
          <Span alert={alert} />
        </span>
        <Link to="/changes" search={hourBefore(alert)} className="text-accent hover:underline">
          Changes in the hour before
        </Link>
      </p>
      <Cause alert={alert} />
      {alert.not_seen_since !== null && (
        <p className="mt-1.5 max-w-[100ch] text-ink-2">
          Not seen since <Timestamp at={alert.not_seen_since} />: its host, container engine or container is away. The alert stays as it was
          last seen until something shows how it is.
        </p>
      )}
      <HeldBack alert={alert} />
      {alert.acknowledged_at !== null && (
        <p dir="auto" className="mt-1.5 max-w-[100ch] wrap-anywhere text-ink-2">
          Acknowledged by {alert.acknowledged_by} <Age at={alert.acknowledged_at} form="ago" />
          {alert.acknowledged_note !== null && alert.acknowledged_note !== "" && `: ${alert.acknowledged_note}`}
        </p>
      )}
      {isActive && <Actions alert={alert} />}
    </header>
  );
}

function hourBefore({ fired_at }: ShownAlert): { since: string; until: string } {
  return { since: new Date(Date.parse(fired_at) - HOUR_MS).toISOString(), until: fired_at };
}

/** Why, in one line: as the alert says, else the nearest reason that records give. */
function Cause({ alert }: { alert: ShownAlert }) {
  const { data } = useQuery(alertCaseQuery(alert.id));
  const cause = alert.cause ?? data?.cause ?? null;
  if (cause === null) return null;
  return (
    <p dir="auto" className="mt-1.5 max-w-[100ch] wrap-anywhere">
      {asSentence(withLocalTimes(cause))}
    </p>
  );
}

/** Since when, or from when to when. */
function Span({ alert: { fired_at, resolved_at, resolved_by } }: { alert: ShownAlert }) {
  if (resolved_at === null)
    return (
      <>
        for <Age at={fired_at} />, since <Timestamp at={fired_at} />
      </>
    );
  return (
    <>
      lasted {formatDuration(Date.parse(resolved_at) - Date.parse(fired_at))}, until <Timestamp at={resolved_at} />
      {resolved_by !== null && resolved_by !== "auto" && `, resolved by ${resolved_by}`}
    </>
  );
}

/** That nobody is notified, and why. */
function HeldBack({ alert }: { alert: ShownAlert }) {
  const { data: trace } = useQuery(alertTraceQuery(alert.id));
  const hold = holdOf(alert);
  if (hold === null || alert.status !== "active") return null;
  const { word, why } = SUPPRESSION_WORDS[hold];
  return (
    <p className="mt-3 max-w-[80ch] rounded border border-line bg-sunken px-4 py-2.5">
      <span className="font-[550]">{word}.</span> <span className="text-ink-2">{withLocalTimes((trace && holdingText(trace)) ?? why)}</span>
    </p>
  );
}

function Actions({ alert }: { alert: ShownAlert }) {
  const { act, askSilence, dialog } = useActing();
  const isOpen = alert.acknowledged_at === null;
  useHotkeys({
    a: () => isOpen && act("acknowledge", [alert]),
    r: () => act("resolve", [alert]),
    s: () => alert.silenced_until === null && askSilence([alert]),
  });
  return (
    <div className="mt-3 flex min-h-8 flex-wrap items-center gap-2">
      {isOpen && (
        <>
          <Button kind="primary" title="Acknowledge (a)" onClick={() => act("acknowledge", [alert])}>
            Acknowledge
          </Button>
          <Button onClick={() => act("acknowledge", [alert], { withNote: true })}>Acknowledge with a note</Button>
        </>
      )}
      <Button
        title="Resolve (r). If the problem is seen again after 5 minutes or more, a new alert fires."
        onClick={() => act("resolve", [alert])}
      >
        Resolve
      </Button>
      <Link to="/notifications/silences" search={silenceProposal(alert)} title="Silence (s)" className={buttonClass("quiet")}>
        Silence
      </Link>
      {dialog}
    </div>
  );
}
