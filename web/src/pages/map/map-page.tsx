import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { topologyQuery } from "../../api/topology.ts";
import { HostName } from "../../app/host-name.tsx";
import { useChosenHost, useNamesHosts } from "../../app/hosts.ts";
import { Page, PageHeader } from "../../app/page.tsx";
import { RuntimeNotice } from "../../app/runtime-notice.tsx";
import { useMedia } from "../../app/use-media.ts";
import { useTitle } from "../../app/use-title.ts";
import { NoContainers } from "../../entities/containers/no-containers.tsx";
import { UnknownContainers, useSight } from "../../entities/containers/unknown.tsx";
import { countOf } from "../../format/number.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { ChoiceFilter } from "../../ui/filter-menus.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { bandsOf, exposedBands } from "./bands.ts";
import { BandDrawing } from "./drawing.tsx";
import { EntranceLegend } from "./entrance.tsx";
import { BandList, BandTable } from "./map-table.tsx";
import { useShownStates } from "./shown.ts";

const route = getRouteApi("/map");

/** How containers hang together: what leads to them, what they need, and what checks them. */
export function MapPage() {
  useRowKeys();
  const { group, only, view } = route.useSearch();
  const host = useChosenHost();
  const namesHosts = useNamesHosts();
  const isNarrow = useMedia("(width < 48rem)");
  const { data, error, isPending, refetch } = useQuery(topologyQuery);
  const states = useShownStates();
  const bands = useMemo(() => (data === undefined ? [] : bandsOf(data)), [data]);
  const names = useMemo(() => new Map(data?.containers.map(({ id, name }) => [id, name])), [data]);
  const agentId = host === "local" ? null : host;
  const shown = useMemo(() => {
    const kept = bands.filter(
      (band) => (agentId === undefined || band.agentId === agentId) && (group === undefined || band.name === group),
    );
    return only === "exposed" ? exposedBands(kept) : kept;
  }, [bands, agentId, group, only]);
  const asTable = (view ?? (isNarrow ? "table" : "drawing")) === "table";
  const Shown = asTable ? (isNarrow ? BandList : BandTable) : BandDrawing;
  const shared = { states, nameOf: (id: number) => names.get(id) };
  const sight = useSight();
  useTitle("Map");

  return (
    <Page>
      <PageHeader
        title="Map"
        note={
          data &&
          sight === "known" &&
          `${countOf(data.containers.length, "container")}, ${countOf(data.dependencies.length, "dependency", "dependencies")}`
        }
      >
        <MapControls groups={[...new Set(bands.map(({ name }) => name))]} asTable={asTable} />
      </PageHeader>
      <RuntimeNotice />
      {error !== null && data === undefined && <ErrorNote what="Could not load the map." error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <div className="mt-8">
          <SkeletonRows count={12} label="Loading the map" />
        </div>
      )}
      {data !== undefined && shown.length > 0 && (
        <div className="mt-4">
          <EntranceLegend />
        </div>
      )}
      {data?.truncated === true && (
        <p className="mt-3 text-ink-2">Not everything is shown: there are more containers or connections than fit on one map.</p>
      )}
      {shown.map((band) => (
        <Section
          key={band.key}
          title={band.name}
          aside={
            <span className="flex items-center gap-3">
              {namesHosts && <HostName of={{ agent_id: band.agentId }} />}
              {countOf(band.members.length, "container")}
            </span>
          }
        >
          <Shown band={band} {...shared} />
        </Section>
      ))}
      {data !== undefined && data.containers.length === 0 && sight === "known" && <NoContainers />}
      {data !== undefined && sight === "unknown" && <UnknownContainers />}
      {data !== undefined && data.containers.length > 0 && shown.length === 0 && (
        <EmptyState title={only === "exposed" ? "No published ports" : "Nothing to show"}>
          <p>
            {only === "exposed"
              ? "No container here publishes a port outside of its host or uses its host's network."
              : "No container matches the filters."}
          </p>
          <Link to="/map" className={buttonClass()}>
            Clear filters
          </Link>
        </EmptyState>
      )}
    </Page>
  );
}

/** What narrows the map, and how it is shown. All of it stands in the address. */
function MapControls({ groups, asTable }: { groups: readonly string[]; asTable: boolean }) {
  const { group, only } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <ChoiceFilter
        label="Group"
        className="max-w-48"
        value={group}
        word={group && <bdi>{group}</bdi>}
        choices={groups.map((name) => ({ value: name, label: <bdi className="truncate">{name}</bdi> }))}
        onChange={(next) => void navigate({ search: (search) => ({ ...search, group: next }) })}
      />
      <Button
        pressed={only === "exposed"}
        title="Only containers reachable from outside their host, and what they depend on"
        onClick={() => void navigate({ search: (search) => ({ ...search, only: only === undefined ? "exposed" : undefined }) })}
      >
        Exposed only
      </Button>
      <Button pressed={asTable} onClick={() => void navigate({ search: (search) => ({ ...search, view: asTable ? "drawing" : "table" }) })}>
        Table
      </Button>
    </>
  );
}
