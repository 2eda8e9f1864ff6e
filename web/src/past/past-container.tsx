import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { DAY_MS } from "../../../src/contract/time.ts";
import type { TransitionRecord } from "../../../src/monitoring/containers/answers.ts";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import { transitionsQuery } from "../api/queries.ts";
import { HostName } from "../app/host-name.tsx";
import { PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import { formatAge } from "../format/time.ts";
import { LogBlock } from "../logs/log-block.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Section } from "../ui/section.tsx";
import { StatusWord } from "../ui/status-word.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { UsageThen } from "./around.tsx";
import { PastAlertRows } from "./past-alerts.tsx";
import { pastStatus } from "./status.ts";

const SHOWN_CHANGES = 20;

/** One container as it was at a moment: its state, what led to it, and the alerts about it. */
export function PastContainer({ moment, id }: { moment: Moment; id: number }) {
  const { at, containers } = moment;
  const container = containers.find((each) => each.id === id);
  useTitle(container?.name ?? "Container");
  if (container === undefined)
    return (
      <EmptyState title="This container was not there then">
        <p>It came later, was removed before, or is on a host that is not chosen.</p>
        <Link to="/containers/$id" params={{ id }} search={{ at: undefined }} className="text-accent hover:underline">
          Show current state
        </Link>
      </EmptyState>
    );
  const { name, image, group, since, exit_code: exitCode, removed_at: removedAt } = container;
  const alerts = moment.alerts.filter(({ entity_type: type, entity_id: entity }) => type === "container" && entity === String(id));
  return (
    <>
      <PageHeader title={<bdi className="wrap-anywhere">{name}</bdi>} note={<HostName of={container} />}>
        <Link
          to="/containers/$id"
          params={{ id }}
          search={{ tab: "logs", log_at: at, at: undefined }}
          className="text-accent hover:underline"
        >
          Log at this moment
        </Link>
      </PageHeader>
      <div className="mt-2">
        <StatusWord status={pastStatus(container, at)} />
      </div>
      {alerts.length > 0 && (
        <Section title="Alerts active then">
          <PastAlertRows alerts={alerts} />
        </Section>
      )}
      <Section title="At that moment">
        <Facts>
          <Fact name="In this state">
            {since === null ? (
              "Since before what is kept"
            ) : (
              <>
                Since <Timestamp at={since} /> ({formatAge(Date.parse(at) - Date.parse(since))} until then)
              </>
            )}
          </Fact>
          <Fact name="Image">
            <bdi>{image}</bdi>
          </Fact>
          {exitCode !== null && <Fact name="Exit code">{exitCode}</Fact>}
          <Fact name="Group now">
            <bdi>{group}</bdi>
          </Fact>
          {removedAt !== null && (
            <Fact name="Removed">
              <Timestamp at={removedAt} />
            </Fact>
          )}
        </Facts>
      </Section>
      <UsageThen id={id} at={at} />
      <ChangesBefore id={id} at={at} />
    </>
  );
}

/** What had become of it until then, newest first. */
function ChangesBefore({ id, at }: { id: number; at: string }) {
  const since = new Date(Date.parse(at) - 7 * DAY_MS).toISOString();
  const { data } = useInfiniteQuery(transitionsQuery(id, { since, until: at, limit: SHOWN_CHANGES }));
  const changes = data?.pages[0]?.transitions ?? [];
  const last = changes.find(({ log_snippet: snippet }) => snippet !== null && snippet !== "");
  if (changes.length === 0) return null;
  return (
    <>
      {last?.log_snippet !== null && last?.log_snippet !== undefined && (
        <Section title="Log before it last ended" aside={<Timestamp at={last.timestamp} />}>
          <div className="mt-3">
            <LogBlock lines={last.log_snippet.split("\n").slice(-SHOWN_CHANGES)} label="Log lines" />
          </div>
        </Section>
      )}
      <Section title="Changes in the week before">
        <ul>
          {changes.map((change) => (
            <li key={change.id} className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 border-b border-line py-1.5">
              <Timestamp at={change.timestamp} />
              <span>{wordsOf(change)}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function wordsOf({
  previous_state: from,
  new_state: to,
  previous_health: healthBefore,
  new_health: health,
  exit_code: code,
}: TransitionRecord): string {
  if (from === to) return `Health: ${healthBefore ?? "none"} to ${health ?? "none"}`;
  const end = code === null || to === "running" ? "" : `, exit ${code}`;
  return from === null ? `First seen ${to}${end}` : `From ${from} to ${to}${end}`;
}
