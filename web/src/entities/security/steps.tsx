import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Posture, StepRecord } from "../../../../src/monitoring/security/answers.ts";
import { HostName } from "../../app/host-name.tsx";
import { useNamesHosts } from "../../app/hosts.ts";
import { Button } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { Name } from "../../ui/name.tsx";
import { Summary } from "../../ui/summary.tsx";
import { gainWords, noStepsWords } from "./words.ts";

/** So many are shown unasked. */
const FIRST = 4;

interface Properties {
  steps: readonly StepRecord[];
  /** What the score is made of. */
  categories: Posture["categories"];
  withContainer?: boolean;
}

/** The next steps, the largest score gain first. */
export function Steps({ steps, categories, withContainer = true }: Properties) {
  const [all, setAll] = useState(false);
  const withHost = useNamesHosts();
  const shown = all ? steps : steps.slice(0, FIRST);
  if (steps.length === 0) return <p className="py-3 text-ink-2">{noStepsWords(categories)}</p>;
  return (
    <>
      <ol aria-label="Next steps">
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
                <div className="flex items-baseline gap-2">
                  <Link
                    to="/containers/$id"
                    params={{ id: step.container_id }}
                    search={{ tab: "security" }}
                    className="min-w-0 font-[550] underline decoration-line-strong underline-offset-2"
                  >
                    <Name>{step.container_name}</Name>
                  </Link>
                  {withHost && <HostName of={step} />}
                </div>
              )}
              <p dir="auto" title={step.text} className="line-clamp-4 wrap-anywhere text-ink-2">
                {step.text}
              </p>
              {step.remedy === "update_image" && (
                <Link
                  to="/containers/$id"
                  params={{ id: step.container_id }}
                  search={{ tab: "updates" }}
                  className="text-sm underline decoration-line-strong underline-offset-2"
                >
                  What's new, and the commands
                  <span className="sr-only"> for {step.container_name}</span>
                </Link>
              )}
              {step.snippet !== null && (
                <details className="mt-1 max-md:mt-3">
                  <Summary>Show fix</Summary>
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
        <Button kind="quiet" className="mt-2 -ml-2.5" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${steps.length - FIRST} more`}
        </Button>
      )}
    </>
  );
}
