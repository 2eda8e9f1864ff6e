import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import type { ServiceRecord } from "../../../../src/monitoring/swarm/answers.ts";
import { swarmServicesQuery } from "../../api/swarm.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";
import { useTitle } from "../../app/use-title.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { observedBy, serviceStatus } from "../../format/service-status.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import type { SwarmSearch } from "./search.ts";
import { COLUMNS, ServiceRow } from "./service-row.tsx";
import { SwarmFrame } from "./swarm-frame.tsx";

const TITLES = [
  "Service",
  ["Image", "max-xl:hidden"],
  "Status",
  ["Tasks", "text-right"],
  ["Ports", "max-xl:hidden"],
  ["Mode", "max-xl:hidden"],
  ["Updated", "text-right"],
] as const;

const route = getRouteApi("/swarm");
const NONE: ServiceRecord[] = [];

/** The services of swarms, by stack, narrowed by what the address says. */
export function ServicesPage() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPending, refetch } = useQuery(swarmServicesQuery);
  const shownFilter = useDeferredValue(filter);
  const services = data?.services ?? NONE;
  const groups = useMemo(() => groupsOf(services, shownFilter), [services, shownFilter]);
  useTitle(data === undefined ? "Swarm services" : `Swarm services (${formatCount(services.length)})`);

  return (
    <SwarmFrame
      note={
        data &&
        `${countOf(data.total, "service")} on ${countOf(
          data.clusters.reduce((sum, { nodes }) => sum + nodes, 0),
          "node",
        )}`
      }
      clusters={data?.clusters}
      error={error}
      isPending={isPending}
      onRetry={() => void refetch()}
      filter={
        services.length > 0 && (
          <SearchField
            label="Filter services"
            placeholder="Filter"
            value={filter.q ?? ""}
            onChange={(q) => void navigate({ search: { q: q === "" ? undefined : q }, replace: true, resetScroll: false })}
            trailing={<Kbd>/</Kbd>}
            className="w-56 max-sm:w-full"
            pageFilter
          />
        )
      }
    >
      {data !== undefined && services.length === 0 && (
        <EmptyState title="No services yet">
          <p>What you deploy with `docker stack deploy` or `docker service create` appears here automatically.</p>
        </EmptyState>
      )}
      {services.length > 0 && groups.length === 0 && (
        <EmptyState title="No results">
          <p>None of {countOf(services.length, "service")} matches the filter.</p>
          <Link to="/swarm" search={{}} className={buttonClass()}>
            Clear the filter
          </Link>
        </EmptyState>
      )}
      {groups.length > 0 && <ServiceTable groups={groups} isObserved={observedBy(data?.clusters ?? [])} />}
    </SwarmFrame>
  );
}

function ServiceTable({ groups, isObserved }: { groups: readonly ServiceGroup[]; isObserved: (service: ServiceRecord) => boolean }) {
  useRowKeys();

  return (
    <GridTable label="Services" columns={COLUMNS} titles={TITLES} sticks className="mt-3">
      {groups.map((group) => (
        <div key={group.name} className="contents">
          <GroupHead group={group} />
          {group.services.map((service) => (
            <ServiceRow key={service.id} service={service} isObserved={isObserved(service)} />
          ))}
        </div>
      ))}
    </GridTable>
  );
}

/** The head of a group: its name, where that is from, how many need attention, how many it has. */
function GroupHead({ group: { name, services } }: { group: ServiceGroup }) {
  const statuses = services.map((service) => serviceStatus(service).status);
  const attention = statuses.filter((status) => status === "down" || status === "degraded");
  const worst = attention.includes("down") ? "down" : attention[0];
  const isStack = services.every(({ stack }) => stack === name);
  return (
    <div
      role="row"
      className="flex h-8 items-center gap-3 border-t border-line bg-sunken px-2.5 text-xs text-ink-2 max-md:-mx-4 max-md:px-4"
    >
      <div role="rowheader" className="flex min-w-0 items-baseline">
        <bdi title={name} className="truncate font-semibold text-ink">
          {name}
        </bdi>
        {isStack && <span className="whitespace-pre"> · stack</span>}
      </div>
      <span role="cell" className="ml-auto flex items-center gap-3 whitespace-nowrap tabular-nums">
        {worst !== undefined && (
          <span className="flex items-center gap-1.5">
            <StatusIcon status={worst} size={10} />
            {attention.length} {attention.length === 1 ? "needs" : "need"} attention
          </span>
        )}
        {countOf(services.length, "service")}
      </span>
    </div>
  );
}

interface ServiceGroup {
  name: string;
  services: ServiceRecord[];
}

/** The services that the filter leaves, in their groups, in the order given. */
function groupsOf(services: readonly ServiceRecord[], { q }: SwarmSearch): ServiceGroup[] {
  const text = q?.toLowerCase();
  const left = services.filter(
    ({ name, group, image }) => text === undefined || `${name}\n${group}\n${image}`.toLowerCase().includes(text),
  );
  return [...Map.groupBy(left, ({ group }) => group)].map(([name, ofGroup]) => ({ name, services: ofGroup }));
}
