import type { AlertCaseRecord } from "../../../../../src/publishing/overview/answers.ts";
import { formatDuration } from "../../../format/duration.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { Section } from "../../../ui/section.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

type Preceding = AlertCaseRecord["preceding"];

/** What changed on its host in the hour before it fired, the latest first. */
export function PrecedingSection({ preceding: { changes, total }, firedAt }: { preceding: Preceding; firedAt: string }) {
  const left = total - changes.length;
  return (
    <Section title="Changed in the hour before">
      {changes.length === 0 ? (
        <p className="py-2.5 text-ink-2">Nothing changed on this host in the hour before.</p>
      ) : (
        <ol aria-label="Changed in the hour before">
          {changes.map((change) => (
            <ChangeRow key={`${change.kind} ${change.entity.type} ${change.entity.id} ${change.at}`} change={change} firedAt={firedAt} />
          ))}
        </ol>
      )}
      {left > 0 && <p className="py-2 text-sm text-ink-2">{left} more changes elsewhere on this host</p>}
    </Section>
  );
}

function ChangeRow({ change, firedAt }: { change: Preceding["changes"][number]; firedAt: string }) {
  const { at, what, entity, from, to, count, is_own } = change;
  const beforeMs = Date.parse(firedAt) - Date.parse(at);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 border-b border-line py-2">
      <div className="min-w-0 wrap-anywhere">
        <EntityLink
          type={entity.type}
          id={String(entity.id ?? "")}
          className={is_own ? "font-[550] hover:underline" : "text-ink-2 hover:underline"}
        >
          <bdi>{entity.name}</bdi>
        </EntityLink>{" "}
        <span className={is_own ? "" : "text-ink-2"}>
          {what}
          {from !== null && to !== null && from !== to && (
            <>
              {" "}
              <bdi className="font-mono text-xs">{from}</bdi> → <bdi className="font-mono text-xs">{to}</bdi>
            </>
          )}
          {count > 1 && ` ${count} times in that hour.`}
        </span>
      </div>
      <span className="text-sm whitespace-nowrap text-ink-2 tabular-nums">
        {beforeMs < 1000 ? "as it fired" : `${formatDuration(beforeMs)} before`}
        {beforeMs >= 1000 && <span className="max-sm:sr-only"> the alert</span>}
        <span className="max-sm:hidden">
          {" · "}
          <Timestamp at={at} />
        </span>
      </span>
    </li>
  );
}
