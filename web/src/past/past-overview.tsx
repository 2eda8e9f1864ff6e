import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Moment } from "../../../src/publishing/overview/moment/answers.ts";
import { hostId } from "../app/host-id.ts";
import { useHostName } from "../app/hosts.ts";
import { PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import type { TileGroup } from "../entities/wall/tiles.ts";
import { Wall } from "../entities/wall/wall.tsx";
import { alertImpact } from "../format/impact.ts";
import { countOf } from "../format/number.ts";
import { Section } from "../ui/section.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { PastAlertRows } from "./past-alerts.tsx";
import { byImpact } from "./alert-order.ts";
import { overviewHeadline } from "./headline.ts";
import { CheckedSection } from "./past-checked.tsx";
import { pastStatus } from "./status.ts";

/** Was everything all right, and if not: what? */
export function PastOverview({ moment }: { moment: Moment }) {
  const { at, containers, hosts } = moment;
  // What could be better is not what was wrong: the list of all alerts has it.
  const alerts = byImpact(moment.alerts.filter((alert) => alertImpact(alert) !== "posture"));
  const headline = overviewHeadline(moment);
  const nameOf = useHostName();
  const groups = useMemo(() => tilesOf(moment), [moment]);
  const unwatched = hosts.filter(({ is_watched: isWatched }) => !isWatched);
  useTitle(`${headline} at ${new Date(at).toLocaleString("en-GB")}`);
  return (
    <>
      <PageHeader title={headline} note={<Timestamp at={at} precision="minute" />} />
      {unwatched.map((host) => (
        <p key={hostId(host)} className="mt-1 text-ink-2">
          <bdi>{nameOf(hostId(host))}</bdi> was not monitored then; last seen <Timestamp at={host.last_watched_at} />.
        </p>
      ))}
      {alerts.length > 0 && (
        <Section title={`${countOf(alerts.length, "alert")} active then`} aside={<Link to="/alerts">All alerts</Link>}>
          <PastAlertRows alerts={alerts.slice(0, SHOWN_ALERTS)} />
        </Section>
      )}
      {containers.length > 0 && (
        <Section title="All containers" aside={<Link to="/containers">As a list</Link>}>
          <div className="pt-3">
            <Wall groups={groups} form="dots" hasStrips={false} strips={undefined} />
          </div>
        </Section>
      )}
      <CheckedSection moment={moment} kind="endpoints" />
      <CheckedSection moment={moment} kind="heartbeats" />
      <CheckedSection moment={moment} kind="certificates" />
    </>
  );
}

const SHOWN_ALERTS = 10;

function tilesOf({ containers, at }: Moment): TileGroup[] {
  return [...Map.groupBy(containers, ({ group }) => group)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => ({
      key: name,
      name,
      leftOut: 0,
      tiles: members
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map((container) => {
          const { status, word, cause } = pastStatus(container, at);
          return {
            type: "container" as const,
            id: container.id,
            name: container.name,
            status,
            words: cause === undefined ? word : `${word}, ${cause}`,
          };
        }),
    }));
}
