import { Link } from "@tanstack/react-router";
import type { UpdateSummary } from "../../../../src/monitoring/updates/api.ts";
import { buttonClass } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** No row to show: because of the filter, because nobody has looked yet, or because there is no container. */
export function NoUpdates({
  narrowed,
  host,
  summary,
}: {
  narrowed: boolean;
  host: string | undefined;
  summary: UpdateSummary | undefined;
}) {
  if (narrowed || host !== undefined) {
    return (
      <EmptyState title="Nothing matches">
        <p>No container {narrowed ? "fits the filter" : "of the chosen host has been looked up"}.</p>
        <Link to="/updates" search={narrowed ? {} : { agent_id: undefined }} className={buttonClass()}>
          {narrowed ? "Clear the filter" : "Show all hosts"}
        </Link>
      </EmptyState>
    );
  }
  const isFirst = summary === undefined || summary.last_scan_at === null;
  return (
    <EmptyState title={isFirst ? "Nobody has looked for newer images yet" : "No container to look up"}>
      <p>
        Registries are asked what is newer than what containers run: by version where a tag is one, by content where it is a name such as{" "}
        <code className="font-mono text-xs text-ink">latest</code>. Nothing is ever updated by itself; you get the commands. Labels of a
        container say what counts for it:
      </p>
      <CommandLine
        command={`labels:\n  service.update.track: minor        # no new major versions\n  service.update.pin: "16"           # stay at this tag\n  service.update.tag-exclude: "-rc"  # tags that do not count`}
      />
      {!isFirst && (
        <Link to="/containers" className={buttonClass()}>
          To the containers
        </Link>
      )}
    </EmptyState>
  );
}
