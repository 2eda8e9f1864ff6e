import { Link } from "@tanstack/react-router";
import type { IncidentRecord } from "../../../../../src/publishing/status/incidents/answers.ts";
import { Age } from "../../../ui/age.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { INCIDENT_SEVERITY_WORDS, INCIDENT_STATUS_WORDS, lastedWords } from "../words.ts";

/** One incident in a list: what, how bad, its status, and its last update. */
export function IncidentRow({ incident, nameOf }: { incident: IncidentRecord; nameOf: (id: number) => string }) {
  const { id, title, severity, status, components, automatic, created_at, resolved_at, updates } = incident;
  const last = updates.at(-1);
  const shape = resolved_at === null ? INCIDENT_SEVERITY_WORDS[severity].status : "ok";
  return (
    <li className="relative border-b border-line py-2.5 hover:bg-hover sm:px-2.5">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="inline-flex min-w-0 items-baseline gap-2">
          <StatusIcon status={shape} size={10} />
          <Link
            to="/status-page/incidents/$id"
            params={{ id }}
            // The whole row leads there.
            className="min-w-0 font-[550] wrap-anywhere after:absolute after:inset-0"
          >
            <bdi>{title}</bdi>
          </Link>
        </span>
        <span className="text-sm">
          <Changed value={status}>{INCIDENT_STATUS_WORDS[status].word}</Changed>
        </span>
      </p>
      {last !== undefined && (
        <p dir="auto" className="mt-0.5 line-clamp-2 max-w-[100ch] pl-[18px] wrap-anywhere text-ink-2">
          {last.message}
        </p>
      )}
      <p className="mt-0.5 flex flex-wrap gap-x-3 pl-[18px] text-xs text-ink-2">
        <span>{INCIDENT_SEVERITY_WORDS[severity].word}</span>
        <span>
          <Timestamp at={created_at} precision="minute" />
          {resolved_at === null ? (
            <>
              , for <Age at={created_at} />
            </>
          ) : (
            `, ${lastedWords(incident)}`
          )}
        </span>
        {components.length > 0 && (
          <span className="min-w-0 wrap-anywhere">
            <bdi>{components.map(nameOf).join(", ")}</bdi>
          </span>
        )}
        {automatic && <span>Created automatically</span>}
      </p>
    </li>
  );
}
