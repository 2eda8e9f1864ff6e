import { Link } from "@tanstack/react-router";
import { Check, CircleCheckBig, ShieldHalf, SquareCheck } from "lucide-react";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import type { AskedKind } from "../../api/alert-acts.ts";
import { hostId } from "../../app/host-id.ts";
import { useHostName, useNamesHosts } from "../../app/hosts.ts";
import { capitalised } from "../../format/sentence.ts";
import { alertStatus, eventWords, holdOf, SEVERITY_WORDS } from "../../format/alert-words.ts";
import { withLocalTimes } from "../../format/time.ts";
import { alertImpact } from "../../format/impact.ts";
import { Age } from "../../ui/age.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Changed } from "../../ui/changed.tsx";
import { classNames } from "../../ui/class-names.ts";
import { AlertMarks } from "../../entities/alerts/alert-marks.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";

interface Properties {
  alert: ShownAlert;
  /** Its place in the whole list. */
  index: number;
  isSelected: boolean;
  onSelect: (id: number, withRange: boolean) => void;
  onAct: (kind: AskedKind, alert: ShownAlert, index: number) => void;
}

/** One active alert: what is wrong, why, since when, who has it in hand. */
export function AlertRow({ alert, index, isSelected, onSelect, onAct }: Properties) {
  const isHeldBack = holdOf(alert) !== null;
  const isPosture = alertImpact(alert) === "posture";
  return (
    <li
      data-alert-row={index}
      data-id={alert.id}
      className={classNames(
        isSelected && "bg-accent-soft",
        "relative grid min-h-14 grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-2 border-b border-line py-2 [contain-intrinsic-block-size:auto_58px] [content-visibility:auto] hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent max-md:-mx-4 max-md:px-4 md:px-2.5",
      )}
    >
      <SelectBox alert={alert} isSelected={isSelected} onSelect={onSelect} />
      {isSelected ? (
        <SquareCheck size={14} aria-hidden className="mt-0.5 self-start text-accent" />
      ) : isPosture ? (
        <ShieldHalf size={12} aria-hidden className="mt-1 self-start text-ink-3" />
      ) : (
        <StatusIcon status={alertStatus(alert)} className="mt-1 self-start" />
      )}
      <div className="min-w-0">
        <p className="flex min-w-0 items-baseline gap-3">
          <Link
            to="/alerts/$id"
            params={{ id: alert.id }}
            className={classNames(
              "min-w-0 wrap-anywhere outline-none after:absolute after:inset-0 max-md:line-clamp-2 md:truncate",
              isPosture || isHeldBack || alert.acknowledged_at !== null ? "text-ink-2" : "font-[570]",
            )}
          >
            <span className="sr-only">{SEVERITY_WORDS[alert.severity].word}: </span>
            <bdi>{withLocalTimes(alert.message)}</bdi>
          </Link>
          <span className="ml-auto shrink-0 text-xs leading-5 text-ink-2">
            <Age at={alert.fired_at} />
          </span>
        </p>
        <Changed value={`${holdOf(alert)} ${alert.acknowledged_at}`} className="block">
          <p dir="auto" className="text-ink-2 max-md:line-clamp-2 max-md:text-sm md:truncate">
            <AlertMarks alert={alert} /> <Why alert={alert} />
          </p>
        </Changed>
      </div>
      <div className="relative z-[1] flex justify-end gap-1 md:w-52">
        {alert.acknowledged_at === null && (
          <button
            type="button"
            className={buttonClass("quiet", "max-md:size-10 max-md:px-0")}
            title="Acknowledge (a)"
            onClick={() => onAct("acknowledge", alert, index)}
          >
            <Check size={16} aria-hidden className="md:hidden" />
            <span className="max-md:sr-only">Acknowledge</span>
            <span className="sr-only">: {alert.message}</span>
          </button>
        )}
        <button
          type="button"
          className={buttonClass("quiet", classNames("max-md:size-10 max-md:px-0", alert.acknowledged_at === null && "max-md:hidden"))}
          title="Resolve (r)"
          onClick={() => onAct("resolve", alert, index)}
        >
          <CircleCheckBig size={16} aria-hidden className="md:hidden" />
          <span className="max-md:sr-only">Resolve</span>
          <span className="sr-only">: {alert.message}</span>
        </button>
      </div>
    </li>
  );
}

/** Over the sign of the row; with Shift it selects all from the one before. By keys it is `x`, so that it is no stop of Tab. */
function SelectBox({ alert, isSelected, onSelect }: Pick<Properties, "alert" | "isSelected" | "onSelect">) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSelected}
      tabIndex={-1}
      title="Select (x)"
      aria-keyshortcuts="x"
      onClick={(event) => onSelect(alert.id, event.shiftKey)}
      className="absolute inset-y-0 left-0 z-[1] w-10 max-md:w-12"
    >
      <span className="sr-only">Select: {alert.message}</span>
    </button>
  );
}

/** What an update is, its event alone does not say: `available`. */
function whatHappened({ source, event }: ShownAlert): string {
  return source === "update" ? `update ${eventWords(event)}` : eventWords(event);
}

/** Why, and on which thing and host, as far as the message does not say. */
function Why({ alert }: { alert: ShownAlert }) {
  const nameOf = useHostName();
  const namesHosts = useNamesHosts();
  const { cause } = alert;
  const name = alert.message.includes(alert.entity_name) ? "" : alert.entity_name;
  const host = namesHosts && alert.entity_type !== "agent" ? `on ${nameOf(hostId(alert))}` : "";
  const where = `${name} ${host}`.trim();
  if (cause === null && where === "") return capitalised(whatHappened(alert));
  if (cause === null) return name === "" ? capitalised(where) : where;
  return (
    <>
      {capitalised(withLocalTimes(cause))} {where !== "" && <span className="text-ink-3">{where}</span>}
    </>
  );
}
