import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { buttonClass } from "../../ui/button.tsx";

/** What the edition in force does not show: what it would be, and which edition does. */
export function PostureGate({ edition, of }: { edition: string; of: "all" | "container" }) {
  return (
    <section aria-label="Posture" className="mt-6 flex max-w-[88ch] gap-3 rounded border border-line bg-sunken px-4 py-3">
      <Lock size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <p>
          <span className="font-[550]">The posture comes with the {edition} edition:</span>{" "}
          <span className="text-ink-2">
            {of === "all"
              ? "one score for all that runs, what it is made of, how it changed day by day, and what to do next by what it gains. With it, findings that are meant to be so are acknowledged."
              : "a score, what to do next by what it gains, and acknowledgments of what is meant to be so."}{" "}
            Findings and their alerts are in every edition, and the history is kept in all of them.
          </span>
        </p>
        <Link to="/settings" className={buttonClass()}>
          Edition and licence
        </Link>
      </div>
    </section>
  );
}
