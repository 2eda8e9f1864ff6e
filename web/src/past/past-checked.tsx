import { Link } from "@tanstack/react-router";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import { HostName } from "../app/host-name.tsx";
import { useNamesHosts } from "../app/hosts.ts";
import { PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import { countOf } from "../format/number.ts";
import { withLocalTimes } from "../format/time.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Name } from "../ui/name.tsx";
import { Section } from "../ui/section.tsx";
import { StatusWord } from "../ui/status-word.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { ResponsesThen } from "./around.tsx";
import { type CheckedKind, checkedHeadline, type PastThing, pastThings, wasInTrouble } from "./checked.ts";
import { PastAlertRows } from "./past-alerts.tsx";

const KINDS = {
  endpoints: { title: "Endpoints", one: "endpoint", to: "/endpoints/$id", last: "Last check" },
  heartbeats: { title: "Heartbeats", one: "heartbeat", to: "/heartbeats/$id", last: "Last ping" },
  certificates: { title: "Certificates", one: "certificate", to: "/certificates/$id", last: "Last check" },
} as const satisfies Record<CheckedKind, object>;

const LISTS = { endpoints: "/endpoints", heartbeats: "/heartbeats", certificates: "/certificates" } as const;
const SHOWN_THINGS = 5;
const MOST_IN_TROUBLE = 20;

/** All endpoints, heartbeats or certificates that were there, the worst first. */
export function PastChecked({ moment, kind }: { moment: Moment; kind: CheckedKind }) {
  const { title, one } = KINDS[kind];
  const things = pastThings(moment, kind);
  const leftOut = moment[kind].left_out;
  useTitle(title);
  return (
    <>
      <PageHeader title={title} note={checkedHeadline(moment, kind)} />
      {things.length === 0 ? (
        <EmptyState title={`No ${kind} then`}>
          <p>What was deleted since is not known.</p>
        </EmptyState>
      ) : (
        <ul aria-label={`${title} at that moment`} className="mt-4">
          {things.map((thing) => (
            <ThingRow key={thing.id} thing={thing} kind={kind} />
          ))}
        </ul>
      )}
      {leftOut > 0 && <p className="mt-4 text-ink-2">{countOf(leftOut, `more ${one}`)}: choose a host to see them.</p>}
    </>
  );
}

/** The worst of them on the overview, with the way to all; nothing where there were none. */
export function CheckedSection({ moment, kind }: { moment: Moment; kind: CheckedKind }) {
  const { title } = KINDS[kind];
  const things = pastThings(moment, kind);
  if (things.length === 0) return null;
  // What was in trouble comes first, and all of it is shown.
  const shown = Math.max(SHOWN_THINGS, Math.min(MOST_IN_TROUBLE, things.filter(wasInTrouble).length));
  return (
    <Section title={title} aside={<Link to={LISTS[kind]}>All {kind}</Link>}>
      <ul aria-label={`${title} at that moment`}>
        {things.slice(0, shown).map((thing) => (
          <ThingRow key={thing.id} thing={thing} kind={kind} />
        ))}
      </ul>
    </Section>
  );
}

function ThingRow({ thing: { id, name, agent_id, target, status, lastAt }, kind }: { thing: PastThing; kind: CheckedKind }) {
  const withHost = useNamesHosts();
  return (
    <li className="relative grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-1 [contain-intrinsic-block-size:auto_var(--row)] [content-visibility:auto] hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:grid-cols-[minmax(0,1.3fr)_minmax(0,1.3fr)_minmax(0,1.5fr)_8rem]">
      <span className="flex min-w-0 items-baseline gap-2">
        <Link to={KINDS[kind].to} params={{ id }} className="min-w-0 font-[550] outline-none after:absolute after:inset-0">
          <Name>{name}</Name>
        </Link>
        {withHost && agent_id !== undefined && <HostName of={{ agent_id }} />}
      </span>
      <span className="min-w-0 text-ink-2 max-md:hidden">{target !== undefined && <Name>{target}</Name>}</span>
      <StatusWord status={status} className="max-md:order-3 max-md:col-span-2 max-md:text-sm" />
      <span className="text-right text-xs text-ink-2">{lastAt !== null && <Timestamp at={lastAt} precision="minute" />}</span>
    </li>
  );
}

/** One of them as it was, and the alerts about it. */
export function PastCheckedOne({ moment, kind, id }: { moment: Moment; kind: CheckedKind; id: number }) {
  const { one, to, last } = KINDS[kind];
  const thing = pastThings(moment, kind).find((each) => each.id === id);
  useTitle(thing?.name ?? `No such ${one} then`);
  const now = (
    <Link to={to} params={{ id }} search={{ at: undefined }} className="text-accent hover:underline">
      Show current state
    </Link>
  );
  if (thing === undefined)
    return (
      <EmptyState title={`This ${one} was not there then`}>
        <p>
          It was added later, or is on a host that is not chosen.
          {moment[kind].left_out > 0 && ` Or it is among the ${moment[kind].left_out} that this moment has no room for: choose its host.`}
        </p>
        {now}
      </EmptyState>
    );
  const { name, agent_id, target, status, lastAt, knownSince, pausedSince, expiresAt, message } = thing;
  const alerts = moment.alerts.filter(({ entity_type: type, entity_id: entity }) => type === one && entity === String(id));
  return (
    <>
      <PageHeader title={<bdi className="wrap-anywhere">{name}</bdi>} note={agent_id !== undefined && <HostName of={{ agent_id }} />}>
        {now}
      </PageHeader>
      <div className="mt-2">
        <StatusWord status={status} />
      </div>
      {alerts.length > 0 && (
        <Section title="Alerts active then">
          <PastAlertRows alerts={alerts} />
        </Section>
      )}
      <Section title="At that moment">
        <Facts>
          {target !== undefined && (
            <Fact name="Target">
              <bdi>{target}</bdi>
            </Fact>
          )}
          {pausedSince !== undefined && (
            <Fact name="Paused since">
              <Timestamp at={pausedSince} />
            </Fact>
          )}
          {message !== undefined && (
            <Fact name="Problem">
              <bdi className="wrap-anywhere">{withLocalTimes(message)}</bdi>
            </Fact>
          )}
          {expiresAt !== undefined && (
            <Fact name="Expires">
              <Timestamp at={expiresAt} />
            </Fact>
          )}
          <Fact name={last}>{lastAt === null ? "None is kept" : <Timestamp at={lastAt} />}</Fact>
          <Fact name="Known since">{knownSince === null ? "Nothing is known" : <Timestamp at={knownSince} />}</Fact>
        </Facts>
      </Section>
      {kind === "endpoints" && <ResponsesThen id={id} at={moment.at} />}
    </>
  );
}
