import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../../ui/button.tsx";

/** What the edition in force does not show: what it would be, and which edition does. */
export function EditionGate({ edition, what, children }: { edition: string; what: string; children: ReactNode }) {
  return (
    <section aria-label={what} className="mt-5 flex max-w-[88ch] gap-3 rounded border border-line bg-sunken px-4 py-3">
      <Lock size={14} aria-hidden className="mt-[3px] shrink-0 text-ink-3" />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <p>
          <span className="font-[550]">
            {what} come with the {edition} edition:
          </span>{" "}
          <span className="text-ink-2">{children}</span>
        </p>
        <Link to="/settings" className={buttonClass()}>
          Edition and licence
        </Link>
      </div>
    </section>
  );
}
