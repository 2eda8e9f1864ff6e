import { Link, linkOptions } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { Top } from "../../../../src/monitoring/resources/answers.ts";
import { LinkSwitch } from "../../ui/link-switch.tsx";

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
  const choices = CHOICES.map(({ by: value, name }) => ({
    value,
    name,
    link: linkOptions({ to: "/resources", search: ({ by: _, ...search }) => ({ ...search, by: value === "growth" ? value : undefined }) }),
    required: value === "growth" ? required : undefined,
  }));
  return <LinkSwitch label="Rank by" value={by} choices={choices} />;
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
