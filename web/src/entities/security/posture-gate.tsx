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
              ? "one score for everything running, its breakdown and history, and the next steps by score gain. It also lets you acknowledge intended findings."
              : "a score, the next steps by score gain, and acknowledgments of intended findings."}{" "}
            Findings and their alerts are part of every edition, and history is always kept.
          </span>
        </p>
        <Link to="/settings" className={buttonClass()}>
          Edition and licence
        </Link>
      </div>
    </section>
  );
}
