import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { RouteRecord } from "../../../../src/monitoring/kubernetes/api.ts";
import { endpointsQuery } from "../../api/endpoint-queries.ts";
import { GridTable } from "../../lists/grid-table.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Name } from "../../ui/name.tsx";
import { useFirst } from "./show-more.tsx";
import { WorkloadLinks } from "./workload-links.tsx";

const FIRST = 200;
const COLUMNS =
  "grid gap-x-4 gap-y-0.5 grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,0.8fr)_176px] md:items-center";
const TITLES = ["Host and path", "Route", "Leads to", ["Endpoint check", "text-right"]] as const;

/** Hosts and paths of Ingresses and Gateway routes, what they lead to, and the endpoint check of each. */
export function RouteTable({ routes }: { routes: readonly RouteRecord[] }) {
  const { data } = useQuery(endpointsQuery());
  const { shown, more } = useFirst(routes, FIRST, "route");
  const checked = new Map(data?.endpoints.map(({ target, id }) => [withoutSlash(target), id]));
  return (
    <>
      <GridTable label="Ingresses and routes" columns={COLUMNS} titles={TITLES}>
        {shown.map((route) =>
          route.rules.map((rule, index) => (
            <div key={`${route.id} ${index}`} role="row" className={classNames(COLUMNS, "min-h-11 border-t border-line py-1.5")}>
              <div role="cell" className="min-w-0 font-[550]">
                <Name>{`${rule.host === "" ? "any host" : rule.host}${rule.path === "/" ? "" : rule.path}`}</Name>
                {!rule.tls && <span className="text-xs font-normal text-ink-3">without TLS</span>}
              </div>
              <div role="cell" className="min-w-0 text-ink-2 max-md:order-3 max-md:col-span-2 max-md:text-sm">
                <Name>{`${route.kind} ${route.namespace}/${route.name}`}</Name>
                {rule.service_name !== null && (
                  <span className="flex text-xs text-ink-3">
                    <Name>{`Service ${rule.service_name}`}</Name>
                  </span>
                )}
              </div>
              <div role="cell" className="min-w-0 max-md:order-4 max-md:col-span-2 max-md:text-sm">
                <WorkloadLinks workloads={route.workloads} />
              </div>
              <div role="cell" className="text-right">
                <CheckLink url={rule.url} id={rule.url === null ? undefined : checked.get(withoutSlash(rule.url))} />
              </div>
            </div>
          )),
        )}
      </GridTable>
      {more}
    </>
  );
}

/** To the check of an address, or to the form that makes one. */
function CheckLink({ url, id }: { url: string | null; id: number | undefined }) {
  if (url === null) return <span className="text-xs text-ink-3">No single host</span>;
  if (id !== undefined)
    return (
      <Link to="/endpoints/$id" params={{ id }} className="underline underline-offset-2 hover:text-ink">
        Checked<span className="sr-only"> {url}</span>
      </Link>
    );
  return (
    <Link to="/endpoints" search={{ create: "yes", target: url }} className={buttonClass("quiet", "-mr-2.5 text-ink-2")}>
      <Plus size={14} aria-hidden />
      <span>
        Add <span className="max-sm:sr-only">endpoint </span>check
      </span>
      <span className="sr-only"> of {url}</span>
    </Link>
  );
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}
