import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { StepRecord } from "../../../../src/monitoring/security/api.ts";
import { Button } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { gainWords } from "./words.ts";

/** So many are shown unasked. */
const FIRST = 4;

/** What to do next, the largest gain first. */
export function Steps({ steps, withContainer = true }: { steps: readonly StepRecord[]; withContainer?: boolean }) {
  const [all, setAll] = useState(false);
  const shown = all ? steps : steps.slice(0, FIRST);
  if (steps.length === 0) return <p className="py-3 text-ink-2">Nothing is left to do: all that was found is put right or acknowledged.</p>;
  return (
    <>
      <ol aria-label="What to do next">
        {shown.map((step) => (
          <li
            key={`${step.container_id} ${step.remedy}`}
            className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-2 border-b border-line py-2"
          >
            <span className="font-[570] whitespace-nowrap tabular-nums">
              {gainWords(step.gain)}
              <span className="sr-only"> points</span>
            </span>
            <div className="min-w-0">
              {withContainer && (
                <Link
                  to="/containers/$id"
                  params={{ id: step.container_id }}
                  search={{ tab: "security" }}
                  className="font-[550] wrap-anywhere underline decoration-line-strong underline-offset-2"
                >
                  <bdi>{step.container_name}</bdi>
                </Link>
              )}
              <p dir="auto" className="wrap-anywhere text-ink-2">
                {step.text}
              </p>
              {step.snippet !== null && (
                <details className="mt-1">
                  <summary className="w-fit cursor-pointer text-sm text-ink-2 hover:text-ink">How it is written</summary>
                  <div className="mt-2">
                    <CommandLine command={step.snippet} />
                  </div>
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
      {steps.length > FIRST && (
        <Button kind="quiet" className="mt-2" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${steps.length - FIRST} more`}
        </Button>
      )}
    </>
  );
}
