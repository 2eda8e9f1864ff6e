import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import type { Moment, MomentContainer } from "../../../src/publishing/overview/moment/answers.ts";
import { HostName } from "../app/host-name.tsx";
import { useNamesHosts } from "../app/hosts.ts";
import { PageHeader } from "../app/page.tsx";
import { useTitle } from "../app/use-title.ts";
import { countOf } from "../format/number.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { ImageName } from "../ui/image-name.tsx";
import { Name } from "../ui/name.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Section } from "../ui/section.tsx";
import { StatusWord } from "../ui/status-word.tsx";
import { Timestamp } from "../ui/timestamp.tsx";
import { pastHeadline } from "./headline.ts";
import { pastStatus } from "./status.ts";

/** All containers that were there, in the groups that they are in now. */
export function PastContainers({ moment }: { moment: Moment }) {
  const { q = "" } = useSearch({ from: "/containers" });
  const navigate = useNavigate();
  const wanted = useDeferredValue(q.toLowerCase());
  const { containers, left_out: leftOut } = moment;
  const shown = useMemo(
    () => containers.filter(({ name, image }) => name.toLowerCase().includes(wanted) || image.toLowerCase().includes(wanted)),
    [containers, wanted],
  );
  useTitle(`Containers (${shown.length})`);
  return (
    <>
      <PageHeader title="Containers" note={pastHeadline(moment)}>
        <SearchField
          label="Filter containers"
          value={q}
          pageFilter
          trailing={null}
          className="sm:w-56 max-sm:w-full"
          onChange={(text) =>
            void navigate({ to: ".", search: (search) => ({ ...search, q: text === "" ? undefined : text }), replace: true })
          }
        />
      </PageHeader>
      {shown.length === 0 && (
        <EmptyState title={containers.length === 0 ? "No containers then" : "No results"}>
          {containers.length > 0 && <p>None of {countOf(containers.length, "container")} matches the filter.</p>}
        </EmptyState>
      )}
      {[...Map.groupBy(shown, ({ group }) => group)]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([group, members]) => (
          <Section key={group} title={group}>
            <ul>
              {members.map((container) => (
                <PastRow key={container.id} container={container} at={moment.at} />
              ))}
            </ul>
          </Section>
        ))}
      {leftOut > 0 && <p className="mt-4 text-ink-2">{countOf(leftOut, "more container")}: choose a host to see them.</p>}
    </>
  );
}

/** One container as it was. */
export function PastRow({ container, at }: { container: MomentContainer; at: string }) {
  const withHost = useNamesHosts();
  const { id, name, image, since, removed_at: removedAt } = container;
  return (
    <li className="relative grid min-h-(--row) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line py-1 [contain-intrinsic-block-size:auto_var(--row)] [content-visibility:auto] hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:grid-cols-[minmax(0,1.3fr)_minmax(0,1.3fr)_minmax(0,1.5fr)_8rem]">
      <span className="flex min-w-0 items-baseline gap-2">
        <Link to="/containers/$id" params={{ id }} className="min-w-0 font-[550] outline-none after:absolute after:inset-0">
          <Name>{name}</Name>
        </Link>
        {withHost && <HostName of={container} />}
        {removedAt !== null && <span className="shrink-0 text-xs text-ink-3">removed since</span>}
      </span>
      <span className="min-w-0 text-ink-2 max-md:hidden">
        <ImageName image={image} />
      </span>
      <StatusWord status={pastStatus(container, at)} className="max-md:order-3 max-md:col-span-2 max-md:text-sm" />
      <span className="text-right text-xs text-ink-2">{since !== null && <Timestamp at={since} precision="minute" />}</span>
    </li>
  );
}
