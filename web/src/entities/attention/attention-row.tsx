import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import type { AlertContext, Preceding } from "../../../../src/publishing/overview/answers.ts";
import { joinWords } from "../../../../src/contract/words.ts";
import type { SilenceCovers } from "../../api/alert-acts.ts";
import { hostId } from "../../app/host-id.ts";
import { useHostName } from "../../app/hosts.ts";
import { formatDuration } from "../../format/duration.ts";
import { countOf } from "../../format/number.ts";
import { Age } from "../../ui/age.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EntityLink } from "../../ui/entity-link.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Summary } from "../../ui/summary.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { AlertMarks } from "../alerts/alert-marks.tsx";
import { SilenceMenu } from "../silences/silence-menu.tsx";
import type { Attention, Folded } from "./attention.ts";
import { causeBeside, placeInLog, precedingWords, withoutStop, withoutTime } from "./context-words.ts";

const NOTHING: never[] = [];
const LINK = "wrap-anywhere outline-none after:absolute after:inset-0";

/** What a reader does about a row, and about the same problem on other hosts. */
export interface Doing {
  acknowledge: (attention: Attention) => void;
  silence: (attention: Attention, until: string, covers: SilenceCovers) => void;
}

export function keyOf({ alert, type, id }: Attention): string | number {
  return alert?.id ?? `${type} ${id}`;
}

interface RowProperties {
  attention: Attention;
  withHost: boolean;
  contexts: ReadonlyMap<number, AlertContext>;
  doing: Doing;
}

/** One problem, with what belongs to it below. */
export function AttentionRow(properties: RowProperties) {
  const { attention, withHost, contexts, doing } = properties;
  const nameOf = useHostName();
  const { folded, alert } = attention;
  const context = alert === undefined ? undefined : contexts.get(alert.id);
  const cause = causeBeside(attention.why, context?.preceding ?? NOTHING);
  const namesHost = withHost && attention.type !== "agent";
  return (
    <li className="border-t border-line first:border-t-0">
      <div
        data-attention={keyOf(attention)}
        className="relative grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2 py-3 hover:bg-hover has-[a:not([data-log]):focus-visible]:outline-2 has-[a:not([data-log]):focus-visible]:outline-accent"
      >
        <StatusIcon status={attention.status} className="mt-1" />
        <div className="min-w-0">
          <Way attention={attention}>
            {attention.name !== "" && <bdi>{attention.name}</bdi>} {attention.what}
          </Way>
          <p className="line-clamp-2 wrap-anywhere text-ink-2">
            {alert !== undefined && <AlertMarks alert={alert} />} <bdi>{namesHost ? withoutStop(cause) : cause}</bdi>{" "}
            <span className="text-ink-3 max-sm:hidden">{attention.where}</span>
            {namesHost && (
              <span className="text-ink-3">
                {cause === "" && attention.where === "" ? "On" : " on"} <bdi>{nameOf(hostId({ agent_id: attention.agentId }))}</bdi>
              </span>
            )}
          </p>
          {alert !== undefined && context !== undefined && <ContextLines context={context} alert={alert} />}
        </div>
        <div className="flex items-start gap-1 max-md:flex-col-reverse max-md:items-end max-md:justify-end max-md:gap-0">
          {alert !== undefined && !attention.isSettled && <Actions attention={attention} alert={alert} doing={doing} />}
          <span className="text-right text-xs leading-5 text-ink-2 md:min-w-17">
            <Age at={attention.since} />
          </span>
        </div>
      </div>
      {folded?.map((below) => (
        <Below key={below.kind} {...properties} folded={below} />
      ))}
    </li>
  );
}

/** Above the link that covers the row. On a phone they are pictures that a thumb can hit, down to the edge of the row. */
function Actions({ attention, alert, doing }: Pick<RowProperties, "attention" | "doing"> & { alert: ShownAlert }) {
  return (
    <span className="relative z-[1] -my-1.5 flex max-md:mt-0 max-md:-mr-2 max-md:-mb-3">
      {alert.acknowledged_at === null && (
        <button
          type="button"
          className={buttonClass("quiet", "max-md:size-10 max-md:px-0")}
          title="Acknowledge (a)"
          onClick={() => doing.acknowledge(attention)}
        >
          <Check size={16} aria-hidden className="md:hidden" />
          <span className="max-md:sr-only">Acknowledge</span>
          <span className="sr-only">: {alert.message}</span>
        </button>
      )}
      <SilenceMenu
        alert={alert}
        className="max-md:size-10 max-md:px-0"
        onSilence={(until, covers) => doing.silence(attention, until, covers)}
      />
    </span>
  );
}

/** What is folded below a row: opened by its summary. */
function Below({ attention, folded: { kind, list }, withHost, contexts, doing }: RowProperties & { folded: Folded }) {
  const summaries = {
    alerts: countOf(list.length, "more alert"),
    hosts: `Same problem on ${countOf(new Set(list.map(hostIdOf)).size, "more host")}`,
    dependents: `${countOf(list.length, "dependent alert")} suppressed`,
    consequences: `Also affected: ${joinWords([...new Set(list.map((row) => nameBelow(row, attention)))])}`,
  };
  return (
    <details open={kind === "consequences"} className="pb-2 pl-7 md:-mt-1.5">
      <Summary className="md:py-[5px]">{summaries[kind]}</Summary>
      <ul className="border-l border-line pl-3">
        {list.map((row) => (
          <AttentionRow key={keyOf(row)} {...{ attention: row, contexts, doing }} withHost={withHost || kind === "hosts"} />
        ))}
      </ul>
    </details>
  );
}

/** An endpoint is often called like its container. */
function nameBelow(row: Attention, above: Attention): string {
  const name = nameOfRow(row);
  return name === nameOfRow(above) ? `its ${row.type}` : name;
}

function nameOfRow({ name, alert }: Attention): string {
  return alert?.entity_name ?? name;
}

function hostIdOf({ agentId }: Attention): string {
  return hostId({ agent_id: agentId });
}

/** To the alert, where there is one, else to the thing itself. */
function Way({ attention, children }: { attention: Attention; children: ReactNode }) {
  const { alert, type, id, isSettled } = attention;
  const look = classNames(LINK, isSettled ? "text-ink-2" : "font-[570]");
  if (alert === undefined)
    return (
      <EntityLink type={type} id={id} className={look}>
        {children}
      </EntityLink>
    );
  return (
    <Link to="/alerts/$id" params={{ id: alert.id }} className={look}>
      {children}
    </Link>
  );
}

/** The last line that a container wrote, and what changed just before its alert. */
function ContextLines({ context: { log_line: line, preceding }, alert }: { context: AlertContext; alert: ShownAlert }) {
  return (
    <>
      {preceding.map((change) => (
        <PrecedingLine key={`${change.kind} ${change.at}`} change={change} firedAt={alert.fired_at} />
      ))}
      {line !== null && <LastLine line={line} alert={alert} />}
    </>
  );
}

const CODE = "min-w-0 rounded-[4px] bg-sunken px-1.5 py-0.5 font-mono max-sm:line-clamp-3 max-sm:wrap-anywhere sm:truncate";

/** Leads to where it stands in the log. */
function LastLine({
  line,
  alert: { entity_type: type, entity_id: id },
}: {
  line: NonNullable<AlertContext["log_line"]>;
  alert: ShownAlert;
}) {
  const text = <code dir="auto">{withoutTime(line.text)}</code>;
  return (
    <p className="mt-1 flex min-w-0 items-baseline gap-2 text-xs text-ink-2">
      <span className="sr-only">Last log line:</span>
      {type === "container" ? (
        <Link
          to="/containers/$id"
          params={{ id: Number(id) }}
          search={{ tab: "logs", ...placeInLog(line) }}
          title={`Open in the log: ${line.text}`}
          data-log
          className={classNames(
            CODE,
            "relative z-[1] hover:text-ink hover:underline max-md:min-h-10 max-sm:[-webkit-box-pack:center] sm:max-md:leading-9",
          )}
        >
          {text}
        </Link>
      ) : (
        <span title={line.text} className={CODE}>
          {text}
        </span>
      )}
      <span className="shrink-0 text-ink-3 max-sm:hidden">
        <Timestamp at={line.at} />
      </span>
    </p>
  );
}

function PrecedingLine({ change, firedAt }: { change: Preceding; firedAt: string }) {
  const beforeMs = Date.parse(firedAt) - Date.parse(change.at);
  return (
    <p dir="auto" className="wrap-anywhere text-ink-2">
      {precedingWords(change)}{" "}
      <span className="text-ink-3">{beforeMs < 1000 ? "just before" : `${formatDuration(beforeMs)} before the alert`}</span>
    </p>
  );
}
