import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import type { UsageAt } from "../../../src/publishing/overview/answers.ts";
import { momentUsageQuery } from "../api/moment.ts";
import { hostId } from "../app/host-id.ts";
import { useHostName } from "../app/hosts.ts";
import { PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import { formatBytes } from "../format/bytes.ts";
import { countOf } from "../format/number.ts";
import { formatShare } from "../format/usage.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Name } from "../ui/name.tsx";
import { Section } from "../ui/section.tsx";
import { StatusWord } from "../ui/status-word.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { PastAlertRows } from "./past-alerts.tsx";
import { PastRow } from "./past-containers.tsx";
import { pastHostStatus } from "./status.ts";

const SHOWN_USERS = 10;

/** One host as it was at a moment: whether it was watched, what was wrong, what ran there and what that used. */
export function PastHost({ moment, id }: { moment: Moment; id: string }) {
  const { at } = moment;
  const name = useHostName()(id);
  const host = moment.hosts.find((each) => hostId(each) === id);
  useTitle(host === undefined ? "Host" : name);
  const { data: usage } = useQuery({ ...momentUsageQuery(at, id), enabled: host !== undefined, retry: false });
  const now = (
    <Link to="/hosts/$id" params={{ id }} search={{ at: undefined }} className="text-accent hover:underline">
      Show current state
    </Link>
  );
  if (host === undefined)
    return (
      <EmptyState title="This host was not monitored then">
        <p>It was added later, was deleted since, or is not the chosen host.</p>
        {now}
      </EmptyState>
    );
  const containers = moment.containers.filter(({ agent_id: agentId }) => agentId === host.agent_id);
  const alerts = moment.alerts.filter(({ agent_id: agentId }) => agentId === host.agent_id);
  const running = containers.filter(({ state }) => state === "running").length;
  return (
    <>
      <PageHeader title={<bdi className="wrap-anywhere">{name}</bdi>}>{now}</PageHeader>
      <div className="mt-2">
        <StatusWord status={pastHostStatus(host)} />
      </div>
      {alerts.length > 0 && (
        <Section title="Alerts active then">
          <PastAlertRows alerts={alerts} />
        </Section>
      )}
      <Section title="At that moment">
        <Facts>
          <Fact name="Containers">
            {running} of {countOf(containers.length, "container")} running
          </Fact>
          <Fact name="Memory of containers">{usage === undefined ? "–" : formatBytes(usage.memory_bytes)}</Fact>
          {!host.is_watched && (
            <Fact name="Last seen">
              <Timestamp at={host.last_watched_at} />
            </Fact>
          )}
        </Facts>
      </Section>
      {usage !== undefined && usage.containers.length > 0 && <Users usage={usage} />}
      <Section title="Containers">
        {containers.length === 0 ? (
          <p className="py-2 text-ink-2">No containers at that moment.</p>
        ) : (
          <ul aria-label="Containers at that moment">
            {containers.map((container) => (
              <PastRow key={container.id} container={container} at={at} />
            ))}
          </ul>
        )}
        {moment.left_out > 0 && <p className="mt-4 text-ink-2">{countOf(moment.left_out, "more container")} are not shown.</p>}
      </Section>
    </>
  );
}

/** What used the most memory then. */
function Users({ usage: { containers, left_out: leftOut } }: { usage: UsageAt }) {
  return (
    <Section title="Most memory" aside={leftOut > 0 && `${countOf(leftOut, "more container")} not included`}>
      <ul aria-label="Most memory at that moment" className="tabular-nums">
        {containers.slice(0, SHOWN_USERS).map(({ id, name, cpu_percent: cpu, memory_bytes: memory }) => (
          <li
            key={id}
            className="grid min-h-(--row) grid-cols-[minmax(0,1fr)_5rem_4.5rem] items-center gap-x-2 sm:grid-cols-[minmax(0,1fr)_8rem_6rem] sm:gap-x-4 border-b border-line py-1"
          >
            <Link to="/containers/$id" params={{ id }} className="min-w-0 hover:underline">
              <Name>{name}</Name>
            </Link>
            <span className="text-right text-ink-2">CPU {formatShare(cpu)}</span>
            <span className="text-right">{formatBytes(memory)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
