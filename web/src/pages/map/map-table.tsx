import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { StatusWord } from "../../ui/status-word.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import type { Band, Member, Network } from "./bands.ts";
import { EntranceLabel } from "./entrance.tsx";
import type { ShownStates } from "./shown.ts";

interface Properties {
  band: Band;
  states: ShownStates;
  nameOf: (id: number) => string | undefined;
}

/** What a container is joined to, by what joins them. */
const CONNECTIONS: readonly {
  heading: string;
  count(member: Member, networks: readonly Network[]): number;
  Shown(properties: ShownProperties): ReactNode;
}[] = [
  {
    heading: "Depends on",
    count: ({ needs }) => needs.length,
    Shown: ({ member, nameOf }) => <ContainerLinks ids={member.needs} nameOf={nameOf} />,
  },
  {
    heading: "Needed by",
    count: ({ neededBy }) => neededBy.length,
    Shown: ({ member, nameOf }) => <ContainerLinks ids={member.neededBy} nameOf={nameOf} />,
  },
  {
    heading: "Joined by",
    count: (member, networks) => networksOf(member, networks).length,
    Shown: ({ member, networks }) =>
      networksOf(member, networks).map(({ key, name, serviceType, ports }, index) => (
        <Fragment key={key}>
          {index > 0 && ", "}
          <bdi>{name}</bdi>
          {serviceType !== null && <span className="text-ink-2"> {[serviceType, ...ports].join(" ")}</span>}
        </Fragment>
      )),
  },
  {
    heading: "Checked by",
    count: ({ checks }) => checks.length,
    Shown: ({ member: { checks } }) =>
      checks.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ", "}
          <Link to="/endpoints/$id" params={{ id }} className="hover:underline">
            <bdi>{name}</bdi>
          </Link>
        </Fragment>
      )),
  },
  {
    heading: "Exposed at",
    count: ({ entrances }) => entrances.length,
    Shown: ({ member: { entrances } }) => (
      <span className="inline-flex flex-wrap gap-x-3">
        {entrances.map((entrance) => (
          <EntranceLabel key={entrance.label} entrance={entrance} />
        ))}
      </span>
    ),
  },
];

/** Networks and services that a container is in. */
function networksOf({ id }: Member, networks: readonly Network[]): readonly Network[] {
  return networks.filter(({ members }) => members.includes(id));
}

type ShownProperties = Pick<Properties, "nameOf"> & { member: Member; networks: readonly Network[] };

/** A group as a table: the same as its drawing, in words. */
export function BandTable({ band, states, nameOf }: Properties) {
  return (
    <Table aria-label={`Connections of ${band.name}`}>
      <thead>
        <tr>
          <HeadCell>Container</HeadCell>
          <HeadCell>State</HeadCell>
          {CONNECTIONS.map(({ heading }) => (
            <HeadCell key={heading}>{heading}</HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {band.members.map((member) => (
          <tr key={member.id}>
            <Cell className="max-w-56 truncate">
              <ContainerLink id={member.id} name={member.name} />
            </Cell>
            <Cell>
              <StatusWord status={states.container(member.id)} />
            </Cell>
            {CONNECTIONS.map(({ heading, Shown }) => (
              <Cell key={heading}>
                <Shown member={member} networks={band.networks} nameOf={nameOf} />
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The same for a narrow screen: what joins nothing is left out. */
export function BandList({ band, states, nameOf }: Properties) {
  return (
    <ul aria-label={`Connections of ${band.name}`}>
      {band.members.map((member) => (
        <li key={member.id} className="border-b border-line py-2">
          <div className="flex min-h-10 items-center justify-between gap-3">
            <ContainerLink id={member.id} name={member.name} />
            <StatusWord status={states.container(member.id)} className="shrink-0 text-ink-2" />
          </div>
          <dl className="grid grid-cols-[6.5rem_1fr] *:py-2.5">
            {CONNECTIONS.filter(({ count }) => count(member, band.networks) > 0).map(({ heading, Shown }) => (
              <Fragment key={heading}>
                <dt className="text-xs leading-5 text-ink-3">{heading}</dt>
                <dd className="min-w-0 break-words">
                  <Shown member={member} networks={band.networks} nameOf={nameOf} />
                </dd>
              </Fragment>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function ContainerLinks({ ids, nameOf }: { ids: readonly number[]; nameOf: (id: number) => string | undefined }) {
  return ids.map((id, index) => (
    <Fragment key={id}>
      {index > 0 && ", "}
      <ContainerLink id={id} name={nameOf(id) ?? `Container ${id}`} />
    </Fragment>
  ));
}

function ContainerLink({ id, name }: { id: number; name: string }) {
  return (
    <Link to="/containers/$id" params={{ id }} className="hover:underline">
      <bdi>{name}</bdi>
    </Link>
  );
}
