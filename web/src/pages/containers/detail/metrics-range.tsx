import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { EditionView } from "../../../../../src/editions/answers.ts";
import { RANGE_NAMES, type Range } from "../../../../../src/contract/ranges.ts";
import { editionName } from "../../../format/edition-name.ts";
import { classNames } from "../../../ui/class-names.ts";
import { requiredEdition } from "./metrics-gate.ts";

const NAMES: Readonly<Record<Range, string>> = { "1h": "1 h", "6h": "6 h", "24h": "24 h", "7d": "7 d", "30d": "30 d" };
const LONG_NAMES: Readonly<Record<Range, string>> = {
  "1h": "the last hour",
  "6h": "the last 6 hours",
  "24h": "the last 24 hours",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
};

/** `the last 6 hours` */
export function longName(range: Range): string {
  return LONG_NAMES[range];
}

/** How far back the charts go: each range has its own address. Those that the edition does not grant say so. */
export function RangeSwitch({ id, range, edition }: { id: number; range: Range; edition: EditionView | undefined }) {
  return (
    <nav aria-label="Range" className="inline-flex rounded border border-line-strong bg-surface">
      {RANGE_NAMES.map((name) => {
        const required = edition === undefined ? undefined : requiredEdition(edition, name);
        return (
          <Link
            key={name}
            to="/containers/$id"
            params={{ id }}
            search={{ tab: "metrics", ...(name !== "1h" && { range: name }) }}
            activeOptions={{ exact: true }}
            replace
            resetScroll={false}
            aria-current={name === range ? "page" : undefined}
            title={required === undefined ? undefined : `With the ${editionName(required)} edition`}
            className={classNames(
              "inline-flex h-[30px] min-w-11 items-center justify-center gap-1 border-l border-line px-2.5 whitespace-nowrap text-ink-2 tabular-nums first:rounded-l-[5px] first:border-l-0 last:rounded-r-[5px] hover:bg-hover hover:text-ink",
              "aria-[current=page]:bg-accent-soft aria-[current=page]:font-[550] aria-[current=page]:text-ink",
            )}
          >
            {NAMES[name]}
            {required !== undefined && <Lock size={11} aria-hidden className="text-ink-3" />}
            {required !== undefined && <span className="sr-only">with the {editionName(required)} edition</span>}
          </Link>
        );
      })}
    </nav>
  );
}
