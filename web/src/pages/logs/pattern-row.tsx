import { Link } from "@tanstack/react-router";
import type { LogPattern } from "../../../../src/monitoring/logs/answers.ts";
import { formatCount } from "../../format/number.ts";
import { classNames } from "../../ui/class-names.ts";
import { Timestamp } from "../../ui/timestamp.tsx";
import { patternParts, searchFor } from "./pattern-text.ts";

const EDGES = { error: "border-down", warn: "border-degraded", info: "border-transparent", debug: "border-transparent" } as const;
const SHOWN_CONTAINERS = 3;

/** A pattern: how many lines have it, what it says, where, and since when. It leads to its lines. */
export function PatternRow({
  pattern: { pattern, level, lines, first_at, last_at, example, is_new, containers, containers_total },
}: {
  pattern: LogPattern;
}) {
  const shown = containers.slice(0, SHOWN_CONTAINERS);
  const [only] = containers;
  return (
    <li
      className={classNames(
        "flex items-baseline gap-x-4 border-b border-l-2 border-b-line py-1.5 pr-3 pl-2 last:border-b-0 hover:bg-hover max-sm:flex-wrap",
        level === null ? "border-l-transparent" : EDGES[level].replace("border-", "border-l-"),
      )}
    >
      <span className="w-16 shrink-0 text-right font-[550] tabular-nums max-sm:w-auto" title={`${formatCount(lines)} lines`}>
        {formatCount(lines)}×
      </span>
      <span className="min-w-0 flex-1 max-sm:order-last max-sm:basis-full">
        <Link
          from="/logs"
          to="/logs"
          search={(search) => ({
            ...search,
            view: undefined,
            q: searchFor(pattern),
            container: containers_total === 1 && only !== undefined ? String(only.container_id) : search.container,
          })}
          title={`Show its lines, such as\n${example}`}
          className="block font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap hover:underline [font-variant-ligatures:none]"
        >
          <bdi dir="ltr">
            {patternParts(pattern).map(({ text, isVariable }, index) =>
              isVariable ? (
                <span key={index} className="text-ink-3 italic">
                  {text}
                </span>
              ) : (
                text
              ),
            )}
          </bdi>
        </Link>
        <span className="flex flex-wrap gap-x-3 text-xs text-ink-2">
          {shown.map(({ container_id, container_name, is_new: isNew, image_changed_at: at }) => (
            <span key={container_id}>
              <bdi>{container_name}</bdi>
              {isNew === true && at !== null && (
                <>
                  : new since the image changed <Timestamp at={at} />
                </>
              )}
            </span>
          ))}
          {containers_total > shown.length && <span>{formatCount(containers_total - shown.length)} more</span>}
        </span>
      </span>
      {is_new === true && <span className="shrink-0 rounded bg-accent-soft px-1.5 text-xs font-[550]">New</span>}
      <span className="w-44 shrink-0 text-right text-xs text-ink-2 tabular-nums max-sm:ml-auto max-sm:w-auto">
        {last_at !== null && <Timestamp at={last_at} />}
        {first_at !== null && lines > 1 && (
          <span className="block max-sm:hidden">
            first <Timestamp at={first_at} />
          </span>
        )}
      </span>
    </li>
  );
}
