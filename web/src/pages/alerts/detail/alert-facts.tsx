import { Link } from "@tanstack/react-router";
import type { ShownAlert } from "../../../../../src/alerting/alerts/answers.ts";
import { hostId } from "../../../app/host-id.ts";
import { useHostName } from "../../../app/hosts.ts";
import { eventWords, SOURCE_WORDS } from "../../../format/alert-words.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Section } from "../../../ui/section.tsx";
import { Summary } from "../../../ui/summary.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { detailLines, detailName } from "./detail-words.ts";

/** More labels and details than this say nothing to a person. */
const SHOWN = 20;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** What else is known of it. */
export function AlertFacts({ alert }: { alert: ShownAlert }) {
  const host = useHostName()(hostId(alert));
  const entity = `${alert.entity_type}:${alert.entity_id}`;
  const details = Object.entries(alert.details)
    .map(([name, value]) => [name, detailLines(name, value)] as const)
    .filter(([, lines]) => lines.length > 0);
  const labels = Object.entries(alert.labels);
  return (
    <Section
      title="Facts"
      aside={
        <Link to="/alerts/history" search={{ entity }} className="hover:text-ink hover:underline">
          All alerts for this {alert.entity_type}
        </Link>
      }
    >
      <Facts>
        <Fact name="Source">
          <EntityLink type={alert.entity_type} id={alert.entity_id} className="text-accent hover:underline">
            <bdi>{alert.entity_name}</bdi>
          </EntityLink>
        </Fact>
        <Fact name="Event">
          {SOURCE_WORDS[alert.source]}: {eventWords(alert.event)}
        </Fact>
        <Fact name="Host">
          <bdi>{host}</bdi>
        </Fact>
        <Fact name="Fired">
          <Timestamp at={alert.fired_at} />
        </Fact>
        <Fact name="Last fired">
          <Timestamp at={alert.last_raised_at} />
        </Fact>
        {alert.tags.length > 0 && <Fact name="Tags">{alert.tags.join(", ")}</Fact>}
        {details.slice(0, SHOWN).map(([name, lines]) => (
          <Fact key={name} name={detailName(name)}>
            {lines.map((line, index) => (
              <p key={index} dir="auto">
                {TIMESTAMP.test(line) ? <Timestamp at={line} /> : line}
              </p>
            ))}
          </Fact>
        ))}
        <Fact name="Alert ID">
          <span className="flex items-center gap-1 tabular-nums">
            {alert.id}
            <CopyButton text={alert.url} label="Copy link to this alert" />
          </span>
        </Fact>
      </Facts>
      {labels.length > 0 && (
        <details className="border-t border-line py-2">
          <Summary>Labels</Summary>
          <ul className="mt-1 font-mono text-xs leading-5 wrap-anywhere text-ink-2">
            {labels.slice(0, SHOWN).map(([key, value]) => (
              <li key={key}>
                {key}={value}
              </li>
            ))}
            {labels.length > SHOWN && <li>{labels.length - SHOWN} more</li>}
          </ul>
        </details>
      )}
    </Section>
  );
}
