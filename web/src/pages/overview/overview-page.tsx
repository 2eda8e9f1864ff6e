import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, type ReactNode } from "react";
import type { ShownAlert } from "../../../../src/alerting/alerts/answers.ts";
import { joinWords } from "../../../../src/contract/words.ts";
import { alertContextsQuery, channelsQuery } from "../../api/alert-queries.ts";
import { hostsQuery, runtimeStatusQuery } from "../../api/queries.ts";
import { useLive } from "../../api/live.ts";
import { useChosenHost, useHosts, useNamesHosts } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useIsStale, useIsUnseen } from "../../app/sight.ts";
import { useMedia } from "../../app/use-media.ts";
import { useTitle } from "../../app/use-title.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { FirstContainer } from "../../entities/containers/no-containers.tsx";
import { TopConsumers } from "../../entities/hosts/top-consumers.tsx";
import { attentionList } from "../../entities/attention/attention-list.ts";
import { AttentionRows } from "../../entities/attention/attention-rows.tsx";
import { CertificateSection, EndpointSection, HeartbeatSection } from "./check-sections.tsx";
import { HostTable } from "./host-table.tsx";
import { LatestChanges } from "./latest-changes.tsx";
import { PostureSection } from "./posture-section.tsx";
import { needsSomebody, stateSummary } from "../../entities/attention/state-words.ts";
import { NobodyNotified } from "../../entities/notifications/nobody-notified.tsx";
import { useUnknownHosts } from "../../entities/attention/use-unknown-hosts.ts";
import { useWatched } from "../../entities/attention/use-watched.ts";
import { isEmpty, type Watched } from "../../entities/attention/watched.ts";
import { boundTiles } from "../../entities/wall/tiles.ts";
import { useStrips } from "../../entities/wall/use-strips.ts";
import { useTiles } from "../../entities/wall/use-tiles.ts";
import { Wall } from "../../entities/wall/wall.tsx";
import { SHOWN_LANES } from "./timeline/shown-lanes.ts";
import { Welcome } from "./welcome.tsx";

const SHOWN_CONSUMERS = 5;
const Timeline = lazy(() => import("./timeline/timeline.tsx").then((module) => ({ default: module.Timeline })));

/** At first, what needs somebody is drawn before the rest; who comes back finds all of it at once, where it was scrolled to. */
let wasShown = false;

const CALM_TILES = 2000;
/** The height of the timeline without its lanes, and of each lane, so that nothing below moves when it is there. */
const [TIMELINE_PX, LANE_PX] = [76, 29];
/** More than this many tiles are a heat map, without the day of each in it. */
const MOST_STRIPS = 160;

/** Is everything all right, and if not: what, since when, why? */
export function OverviewPage() {
  const { watched: known, alerts, isPartial, failed } = useWatched(useChosenHost());
  const { isPending } = useQuery(alertContextsQuery);
  const { isPending: isRuntimeAsked } = useQuery(runtimeStatusQuery);
  const { isPending: areChannelsAsked } = useQuery(channelsQuery);
  const { isPending: areHostsAsked } = useQuery(hostsQuery);
  // What belongs into the rows comes with them, and so do the notices above them: nothing moves when it arrives.
  const watched = isPending || isRuntimeAsked || areChannelsAsked || areHostsAsked ? undefined : known;
  return (
    <Page>
      {failed !== undefined && (
        <ErrorNote what={`Could not load ${joinWords(failed.names)}.`} error={failed.error} onRetry={failed.retry}>
          Monitoring is not affected.{failed.isKnown && " The data below may be out of date."}
        </ErrorNote>
      )}
      {watched !== undefined && <Known watched={watched} alerts={alerts} isPartial={isPartial} />}
      {watched === undefined && failed === undefined && <Reading />}
    </Page>
  );
}

interface KnownProperties {
  watched: Watched;
  alerts: readonly ShownAlert[];
  /** Whether something was not read, or not yet. */
  isPartial: boolean;
}

function Known({ watched, alerts, isPartial }: KnownProperties) {
  const attention = useMemo(() => attentionList(watched, alerts), [watched, alerts]);
  const stale = useIsStale();
  const isUnseen = useIsUnseen();
  const isOffline = useLive().phase === "offline";
  const unknownHosts = useUnknownHosts(watched.containers);
  const { headline, rest } = stateSummary(watched, attention, { isStale: stale, isOffline, isPartial, isUnseen, unknownHosts });
  const namesHosts = useNamesHosts();
  const hasHosts = useHosts().length > 0;
  const isWhole = useDeferredValue(true, wasShown);
  useEffect(() => void (wasShown = true), []);
  useTitle(attention.some(needsSomebody) ? headline : "Overview");
  const { containers } = watched;

  if (isEmpty(watched) && attention.length === 0) {
    return (
      <>
        <PageHeader title={headline} />
        <NobodyNotified />
        <RuntimeNotice />
        {!stale && (
          <div className="mt-3 flex max-w-[68ch] flex-col items-start gap-3 text-ink-2">
            <FirstContainer />
          </div>
        )}
        {hasHosts && (
          <Section title="Hosts">
            <HostTable />
          </Section>
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader title={headline} />
      {(rest !== "" || containers.length === 0) && <p className="mt-1 min-h-5 text-ink-2">{rest}</p>}
      <NobodyNotified />
      <RuntimeNotice />
      <AttentionRows list={attention} withHost={namesHosts} />
      {isWhole && <Rest watched={watched} />}
    </>
  );
}

/** What comes after that which needs somebody. */
function Rest({ watched }: { watched: Watched }) {
  const host = useChosenHost();
  const hasHosts = useHosts().length > 0;
  // On a phone what could be better would be far below.
  const isWide = useMedia("(min-width: 768px)");
  const { groups, containers } = watched;
  return (
    <>
      <Welcome groups={groups} />
      {!isWide && containers.length > 0 && <PostureSection />}
      <Monitors watched={watched} />
      <EndpointSection endpoints={watched.endpoints} />
      <div className={watched.heartbeats.length > 0 && watched.certificates.length > 0 ? "grid gap-x-10 xl:grid-cols-2" : undefined}>
        <HeartbeatSection heartbeats={watched.heartbeats} />
        <CertificateSection certificates={watched.certificates} />
      </div>
      {containers.length > 0 && (
        <div className="grid gap-x-10 xl:grid-cols-2">
          <Section title="Latest changes" aside={<More to="/changes">All changes</More>}>
            <LatestChanges containers={containers} />
          </Section>
          {isWide && <PostureSection />}
        </div>
      )}
      {hasHosts && (
        <Section title="Hosts">
          <HostTable />
        </Section>
      )}
      <Section title="Top consumers" aside={<More to="/resources">All resources</More>}>
        <TopConsumers host={host} shown={SHOWN_CONSUMERS} />
      </Section>
    </>
  );
}

/** Everything that is monitored at one glance: how it is, and how it was. */
function Monitors({ watched }: { watched: Watched }) {
  const host = useChosenHost();
  const all = useTiles(useDeferredValue(watched));
  const tiles = useMemo(() => boundTiles(all, CALM_TILES), [all]);
  const hasStrips = tiles.reduce((sum, group) => sum + group.tiles.length, 0) <= MOST_STRIPS;
  const strips = useStrips(host, hasStrips);
  if (all.length === 0) return null;
  return (
    <>
      <Section title="All monitors" aside={<MonitorLinks />}>
        <div className="pt-3">
          <Wall groups={tiles} form="dots" hasStrips={hasStrips} strips={strips} />
        </div>
      </Section>
      <Section title="Timeline">
        <div style={{ minHeight: TIMELINE_PX + LANE_PX * Math.min(all.length, SHOWN_LANES) }}>
          <Suspense>
            <Timeline groups={all} host={host} />
          </Suspense>
        </div>
      </Section>
    </>
  );
}

function MonitorLinks() {
  return (
    <span className="flex gap-4">
      <More to="/containers">All containers</More>
      <More to="/wall">Wall view</More>
    </span>
  );
}

function More({ to, children }: { to: "/changes" | "/containers" | "/resources" | "/wall"; children: ReactNode }) {
  return (
    <Link to={to} className="hover:text-ink hover:underline">
      {children}
    </Link>
  );
}

function Reading() {
  useTitle("Overview");
  return (
    <>
      <Skeleton className="h-7 w-80 max-w-full" />
      <Skeleton className="mt-2 h-4 w-64" />
      <div className="mt-8">
        <SkeletonRows count={6} label="Loading containers" />
      </div>
    </>
  );
}
