import { Link } from "@tanstack/react-router";
import { Network as NetworkIcon, Waypoints } from "lucide-react";
import { type DOMAttributes, useMemo, useState } from "react";
import { classNames } from "../../ui/class-names.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { type Band, joinsAll, type Member, type Network } from "./bands.ts";
import { EntranceLabel } from "./entrance.tsx";
import { connectedTo, type Drawing, drawingOf, type Placed } from "./layout.ts";
import type { ShownStates } from "./shown.ts";

const COLUMN = { width: 204, gap: 40 } as const;
/** Heights of rows: of lanes alone, of names, of names with ways in below them. */
const HEIGHTS = { lane: 6, name: 38, full: 58 } as const;
const ROW_GAP = 10;
/** More of them would not fit below a name. */
const MOST_ENTRANCES = 2;

interface Properties {
  band: Band;
  states: ShownStates;
  /** Of containers in other groups. */
  nameOf: (id: number) => string | undefined;
}

/** A group as a drawing, each container left of what it needs. Pointing at one shows what hangs together with it. */
export function BandDrawing({ band, states, nameOf }: Properties) {
  const drawing = useMemo(() => drawingOf({ ...band, networks: band.networks.filter((network) => !joinsAll(network, band)) }), [band]);
  const grid = useMemo(() => gridOf(drawing), [drawing]);
  const [pointed, setPointed] = useState<string>();
  const connected = useMemo(() => (pointed === undefined ? undefined : connectedTo(pointed, drawing.lines)), [pointed, drawing]);
  const own = new Set(band.members.map(({ id }) => id));
  const elsewhere = ({ needs }: Member): string[] => needs.filter((id) => !own.has(id)).map((id) => nameOf(id) ?? `container ${id}`);
  const places = [...drawing.places.values()].sort((a, b) => a.row - b.row || a.column - b.column);

  return (
    <>
      {band.networks
        .filter((network) => joinsAll(network, band))
        .map(({ key, name }) => (
          <p key={key} className="flex min-w-0 items-center gap-1.5 pt-3 text-xs text-ink-2">
            <NetworkIcon size={13} aria-hidden className="shrink-0" />
            <span className="min-w-0 truncate">
              Network <bdi>{name}</bdi> joins all of them
            </span>
          </p>
        ))}
      {drawing.columns > 0 && (
        // Wider than a small screen: the keyboard scrolls it.
        <div role="region" aria-label={`Map of ${band.name}`} tabIndex={0} className="overflow-x-auto py-3">
          <div className="relative" style={{ width: leftOf(drawing.columns) - COLUMN.gap, height: grid.height }}>
            <Lines drawing={drawing} grid={grid} connected={connected} />
            <ul aria-label={`Containers and networks of ${band.name}`}>
              {places.map((place) => {
                if (isLane(place)) return null;
                const point = (): void => setPointed(place.key);
                const leave = (): void => setPointed(undefined);
                return (
                  <li
                    key={place.key}
                    style={{ left: leftOf(place.column), top: grid.topOf(place), width: COLUMN.width, height: heightOf(place) }}
                    className={classNames(
                      "absolute flex transition-opacity duration-150 motion-reduce:transition-none",
                      connected?.has(place.key) === false && "opacity-35",
                    )}
                  >
                    {place.member !== undefined && (
                      <ContainerCard
                        member={place.member}
                        states={states}
                        elsewhere={elsewhere(place.member)}
                        pointing={{ onPointerEnter: point, onPointerLeave: leave, onFocus: point, onBlur: leave }}
                      />
                    )}
                    {place.network !== undefined && (
                      <NetworkCard
                        network={place.network}
                        names={place.network.members.map((id) => nameOf(id) ?? `container ${id}`)}
                        pointing={{ onPointerEnter: point, onPointerLeave: leave, onFocus: point, onBlur: leave }}
                      />
                    )}
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      )}
      {drawing.loose.length > 0 && (
        <ul aria-label={`Containers of ${band.name} without connections`} className="flex flex-wrap items-start gap-2.5 py-3">
          {drawing.loose.map((member) => (
            <li
              key={member.id}
              style={{ width: COLUMN.width, height: heightOf({ member, network: undefined }) }}
              className="flex max-sm:w-full!"
            >
              <ContainerCard member={member} states={states} elsewhere={elsewhere(member)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Lines({ drawing, grid, connected }: { drawing: Drawing; grid: Grid; connected: ReadonlySet<string> | undefined }) {
  return (
    <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
      {drawing.lines.map(({ from, to }) => {
        const [start, end] = [drawing.places.get(from), drawing.places.get(to)];
        if (start === undefined || end === undefined) return null;
        const isLit = connected?.has(from) === true && connected.has(to);
        return (
          <path
            key={`${from} ${to}`}
            d={pathOf(start, end, grid)}
            fill="none"
            strokeWidth={isLit ? 2 : 1.25}
            className={classNames(isLit ? "stroke-accent" : "stroke-line-strong", connected !== undefined && !isLit && "opacity-35")}
          />
        );
      })}
    </svg>
  );
}

interface CardProperties {
  member: Member;
  states: ShownStates;
  /** Names of what it needs of other groups. */
  elsewhere: readonly string[];
  pointing?: Pick<DOMAttributes<HTMLElement>, "onPointerEnter" | "onPointerLeave" | "onFocus" | "onBlur">;
}

/** A container: its state and name, and below them where it is reached and what checks it. */
function ContainerCard({ member, states, elsewhere, pointing }: CardProperties) {
  const { id, name, entrances, checks } = member;
  const { status, word, cause } = states.container(id);
  const words = cause === undefined ? word : `${word}, ${cause}`;
  const needs = elsewhere.length === 0 ? "" : `; needs ${elsewhere.join(", ")} of another group`;
  return (
    <Link
      to="/containers/$id"
      params={{ id }}
      title={`${name}: ${words}${needs}`}
      {...pointing}
      className="flex w-full min-w-0 flex-col justify-center gap-0.5 rounded border border-line-strong bg-surface px-2.5 hover:bg-hover"
    >
      <span className="flex min-w-0 items-center gap-2">
        <StatusIcon status={status} />
        <bdi className="truncate">{name}</bdi>
        <span className="sr-only">
          , {words}
          {needs}
        </span>
        {elsewhere.length > 0 && (
          <bdi aria-hidden className="ml-auto max-w-20 shrink-0 truncate text-xs text-ink-3">
            → {elsewhere.join(", ")}
          </bdi>
        )}
      </span>
      {hasWaysIn(member) && (
        <span className="flex min-w-0 items-center gap-2.5 pl-5 text-xs text-ink-2">
          {entrances.slice(0, MOST_ENTRANCES).map((entrance) => (
            <EntranceLabel key={entrance.label} entrance={entrance} />
          ))}
          {entrances.length > MOST_ENTRANCES && <span>+{entrances.length - MOST_ENTRANCES}</span>}
          {checks.map((check) => {
            const endpoint = states.endpoint(check.id);
            return (
              <span key={check.id} title={`Endpoint ${check.name}: ${endpoint.word}`} className="inline-flex min-w-0 items-center gap-1">
                <StatusIcon status={endpoint.status} size={10} />
                <span className="truncate">check</span>
                <span className="sr-only">
                  {" "}
                  {check.name}: {endpoint.word}
                </span>
              </span>
            );
          })}
        </span>
      )}
    </Link>
  );
}

const KIND_WORDS: Readonly<Record<Network["kind"], string>> = { docker_network: "Network", kubernetes_service: "Service" };

/** A network or a service: its name, and below it what it is. Focused or pointed at, it shows whom it joins. */
function NetworkCard({ network, names, pointing }: { network: Network; names: readonly string[]; pointing: CardProperties["pointing"] }) {
  const { kind, name, serviceType, ports } = network;
  const Icon = kind === "docker_network" ? NetworkIcon : Waypoints;
  const what = [serviceType ?? KIND_WORDS[kind], ...ports].join(" · ");
  return (
    <button
      type="button"
      title={`${KIND_WORDS[kind]} ${name}: ${names.join(", ")}`}
      {...pointing}
      className="flex w-full min-w-0 flex-col justify-center gap-0.5 rounded border border-dashed border-line-strong bg-bg px-2.5 text-left hover:bg-hover"
    >
      <span className="flex min-w-0 items-center gap-2">
        <Icon size={14} aria-hidden className="shrink-0 text-ink-3" />
        <bdi className="truncate">{name}</bdi>
      </span>
      <span className="truncate pl-5.5 text-xs text-ink-2">{what}</span>
      <span className="sr-only">joins {names.join(", ")}</span>
    </button>
  );
}

function hasWaysIn({ entrances, checks }: Member): boolean {
  return entrances.length > 0 || checks.length > 0;
}

function isLane({ member, network }: Pick<Placed, "member" | "network">): boolean {
  return member === undefined && network === undefined;
}

function heightOf({ member, network }: Pick<Placed, "member" | "network">): number {
  if (member !== undefined) return hasWaysIn(member) ? HEIGHTS.full : HEIGHTS.name;
  return network === undefined ? HEIGHTS.lane : HEIGHTS.full;
}

function leftOf(column: number): number {
  return column * (COLUMN.width + COLUMN.gap);
}

interface Grid {
  height: number;
  topOf(place: Placed): number;
}

/** Rows are as high as the highest in them needs. */
function gridOf({ places }: Drawing): Grid {
  const heights: number[] = [];
  for (const place of places.values()) heights[place.row] = Math.max(heights[place.row] ?? 0, heightOf(place));
  let height = -ROW_GAP;
  const tops = heights.map((own) => {
    const top = height + ROW_GAP;
    height = top + own;
    return top;
  });
  return {
    height,
    topOf: (place) => (tops[place.row] ?? 0) + ((heights[place.row] ?? 0) - heightOf(place)) / 2,
  };
}

/** From the right side of one to the left side of the other; through a lane, straight on to its right side. */
function pathOf(start: Placed, end: Placed, grid: Grid): string {
  const middleOf = (place: Placed): number => grid.topOf(place) + heightOf(place) / 2;
  const [x1, y1] = [leftOf(start.column) + COLUMN.width, middleOf(start)];
  const [x2, y2] = [leftOf(end.column), middleOf(end)];
  const bend = COLUMN.gap / 2;
  const through = isLane(end) ? `H${x2 + COLUMN.width}` : "";
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}${through}`;
}
