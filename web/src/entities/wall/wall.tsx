import { useRouter } from "@tanstack/react-router";
import { memo, useMemo, useRef, useState, type DOMAttributes } from "react";
import { formatCount } from "../../format/number.ts";
import type { Status } from "../../format/status.ts";
import { classNames } from "../../ui/class-names.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import type { DrawnStrip } from "./draw-strip.ts";
import { nextTile } from "./next-tile.ts";
import { StripPicture } from "./strip-picture.tsx";
import { addressOf, type Tile, type TileGroup } from "./tiles.ts";
import type { Strips } from "./use-strips.ts";

/** The shapes of a status (status-icon.tsx) as one element each, since there may be thousands: disc, ring, slanted frame, half disc, cross. */
const SHAPES: Record<Status, string> = {
  ok: "m-0.5 size-2.5 rounded-full bg-ok",
  idle: "m-0.5 size-2.5 rounded-full border-2 border-idle",
  maintenance: "m-0.5 size-2.5 rotate-45 border-2 border-maintenance",
  degraded: "m-0.5 size-2.5 rounded-full border border-degraded bg-[linear-gradient(90deg,transparent_50%,var(--degraded)_50%)]",
  down: "grid size-3.5 place-items-center rounded-xs bg-down text-xs leading-none font-bold text-surface before:content-['×']",
};

const PANELS: Record<Status, string> = {
  ok: "border-line",
  idle: "border-line text-ink-2",
  maintenance: "border-maintenance bg-maintenance-soft",
  degraded: "border-degraded bg-degraded-soft",
  down: "border-down bg-down-soft",
};

const ROUTES = { containers: "/containers/$id", endpoints: "/endpoints/$id", heartbeats: "/heartbeats/$id" } as const;

/** More than this many stand closer together. */
const ROOMY = 300;

interface Properties {
  groups: readonly TileGroup[];
  /** `dots`: as many as there are on a screen, their names on demand. `panels`: each with its name. */
  form: "dots" | "panels";
  /** Whether each has room for how it was within the last day; undefined until that is known. */
  hasStrips: boolean;
  strips: Strips | undefined;
}

/** Everything that is monitored at one glance. By keys it is one stop, with arrows from tile to tile. */
export function Wall({ groups, form, hasStrips, strips }: Properties) {
  const router = useRouter();
  const wall = useRef<HTMLDivElement>(null);
  const tiles = groups.flatMap((group) => group.tiles);
  const [focused, setFocused] = useState<string>();
  // What is down is what somebody comes for.
  const entry = tiles.find((tile) => addressOf(tile) === focused) ?? tiles.find(({ status }) => status === "down") ?? tiles[0];

  const handlers = useMemo(
    (): Handlers => ({
      onClick(event) {
        const [, section = "", id] = event.currentTarget.pathname.split("/");
        if (!isSection(section) || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void router.navigate({ to: ROUTES[section], params: { id: Number(id) } });
      },
      onKeyDown(event) {
        const links = [...(wall.current?.querySelectorAll("a") ?? [])];
        const places = links.map((link) => ({ left: link.offsetLeft, top: link.offsetTop }));
        const next = nextTile(places, links.indexOf(event.currentTarget), event.key);
        if (next === undefined) return;
        event.preventDefault();
        links[next]?.focus();
      },
      onFocus: ({ currentTarget }) => setFocused(currentTarget.pathname),
    }),
    [router, setFocused],
  );

  return (
    <div
      ref={wall}
      role="group"
      aria-label="All monitors"
      data-dense={tiles.length > ROOMY}
      className={classNames(
        "group/wall relative flex flex-wrap",
        form === "dots"
          ? "gap-x-6 gap-y-3 data-[dense=true]:gap-x-4 data-[dense=true]:gap-y-2"
          : "gap-x-[max(1rem,2vw)] gap-y-[max(0.75rem,1vw)]",
      )}
    >
      {groups.map((group) => (
        <section key={group.key} aria-label={group.name} className="min-w-0">
          <h3
            dir="auto"
            className={classNames(
              "truncate text-ink-2",
              form === "dots" ? "mb-1 max-w-60 text-xs" : "mb-[max(0.25rem,0.3vw)] text-[max(0.875rem,1.1vw)]",
            )}
          >
            {group.name}
          </h3>
          <div
            className={classNames(
              "flex flex-wrap",
              form === "dots" ? "-ml-0.5 gap-0.5 group-data-[dense=true]/wall:gap-0" : "gap-[max(0.375rem,0.5vw)]",
            )}
          >
            {group.tiles.map((tile) => (
              <TileLink
                key={addressOf(tile)}
                {...tile}
                form={form}
                hasStrip={hasStrips}
                strip={strips?.get(`${tile.type} ${tile.id}`)}
                isEntry={tile === entry}
                handlers={handlers}
              />
            ))}
            {group.leftOut > 0 && <span className="text-xs text-ink-2">and {formatCount(group.leftOut)} more</span>}
          </div>
        </section>
      ))}
    </div>
  );
}

type Handlers = Required<Pick<DOMAttributes<HTMLAnchorElement>, "onClick" | "onKeyDown" | "onFocus">>;

interface TileProperties extends Tile {
  form: Properties["form"];
  hasStrip: boolean;
  strip: DrawnStrip | undefined;
  isEntry: boolean;
  handlers: Handlers;
}

function isSection(name: string): name is keyof typeof ROUTES {
  return Object.hasOwn(ROUTES, name);
}

/** Memoized, so that it renders only when one of its props changes: of thousands of tiles one changes at a time. */
const TileLink = memo(function TileLink({
  type,
  id,
  name,
  status,
  words: state,
  form,
  hasStrip,
  strip,
  isEntry,
  handlers,
}: TileProperties) {
  const words = `${name}: ${state}`;
  const title = strip === undefined ? words : `${words}\n${strip.words}`;
  const shared = { href: addressOf({ type, id }), title, "aria-label": words, tabIndex: isEntry ? 0 : -1, ...handlers };
  if (form === "dots")
    return (
      <a
        {...shared}
        className={classNames(
          "flex h-5 items-center rounded-xs group-data-[dense=true]/wall:h-3.5 after:content-none hover:bg-hover max-md:group-data-[dense=false]/wall:h-10",
          hasStrip ? "gap-0.5 pr-1 pl-0.5" : "w-5 justify-center group-data-[dense=true]/wall:w-3.5",
        )}
      >
        <span className={classNames(SHAPES[status], "shrink-0 group-data-[dense=true]/wall:scale-80")} />
        {hasStrip && <StripPicture strip={strip} className="h-3 w-12" />}
      </a>
    );
  return (
    <a
      {...shared}
      className={classNames(
        "flex max-w-[24vw] min-w-[11vw] flex-col gap-[0.2vw] rounded border-2 px-[max(0.5rem,0.8vw)] py-[max(0.25rem,0.35vw)] text-[max(1rem,1.5vw)] max-sm:max-w-full",
        PANELS[status],
      )}
    >
      <span className="flex items-center gap-[max(0.5rem,0.6vw)]">
        <StatusIcon status={status} size={22} />
        <span dir="auto" className="truncate">
          {name}
        </span>
      </span>
      {hasStrip && <StripPicture strip={strip} className="h-[max(0.5rem,0.7vw)] w-full" />}
    </a>
  );
});
