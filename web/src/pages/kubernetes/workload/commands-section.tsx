import type { WorkloadDetail } from "../../../../../src/monitoring/kubernetes/api.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Section } from "../../../ui/section.tsx";

/** Commands that change a workload, to copy. */
export function CommandsSection({ workload: { commands } }: { workload: WorkloadDetail }) {
  if (commands === null) return null;
  const { update, undo, restart } = commands;
  return (
    <Section title="Commands">
      <Facts>
        <Fact name="Set images">
          <CommandLine command={update} />
        </Fact>
        {undo !== null && (
          <Fact name="Roll back">
            <CommandLine command={undo} />
          </Fact>
        )}
        {restart !== null && (
          <Fact name="Restart">
            <CommandLine command={restart} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
