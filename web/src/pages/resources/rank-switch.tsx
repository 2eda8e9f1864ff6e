import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { Top } from "../../../../src/monitoring/resources/answers.ts";

const CHOICES: readonly { by: Top["by"]; name: string }[] = [
  { by: "use", name: "In use now" },
  { by: "growth", name: "Since yesterday" },
];

interface Properties {
  by: Top["by"];
  /** The edition that grants the change since yesterday, when the one in force does not. */
  required: string | undefined;
}

/** What ranks the top consumers: each order has its own address. */
export function RankSwitch({ by, required }: Properties) {
  return (
    <nav aria-label="Rank by" className="inline-flex rounded border border-line-strong bg-surface">
      {CHOICES.map(({ by: choice, name }) => {
        const isLocked = choice === "growth" && required !== undefined;
        return (
          <Link
            key={choice}
            to="/resources"
            search={({ by: _, ...search }) => ({ ...search, by: choice === "growth" ? choice : undefined })}
            activeOptions={{ exact: true }}
            replace
            resetScroll={false}
            aria-current={choice === by ? "page" : undefined}
            title={isLocked ? `With the ${required} edition` : undefined}
            className="inline-flex h-[30px] items-center gap-1 border-l border-line px-2.5 whitespace-nowrap text-ink-2 first:rounded-l-[5px] first:border-l-0 last:rounded-r-[5px] hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-[550] aria-[current=page]:text-ink"
          >
            {name}
            {isLocked && <Lock size={11} aria-hidden className="text-ink-3" />}
            {isLocked && <span className="sr-only">with the {required} edition</span>}
          </Link>
        );
      })}
    </nav>
  );
}

/** Why the change since yesterday is not shown. */
export function RankNote({ required }: Pick<Properties, "required">) {
  return (
    <p className="flex max-w-[80ch] gap-2 py-2 text-ink-2">
      <Lock size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
      <span>
        The change since yesterday is part of the {required} edition. Metrics are kept in every edition, so it is complete from the first
        day after an upgrade.{" "}
        <Link to="/settings" className="text-accent underline underline-offset-2">
          Edition and licence
        </Link>
      </span>
    </p>
  );
}
