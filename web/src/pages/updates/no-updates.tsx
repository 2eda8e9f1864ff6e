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
      <EmptyState title="No results">
        <p>No container {narrowed ? "matches the filters" : "of the chosen host has been checked"}.</p>
        <Link to="/updates" search={narrowed ? {} : { agent_id: undefined }} className={buttonClass()}>
          {narrowed ? "Clear filters" : "Show all hosts"}
        </Link>
      </EmptyState>
    );
  }
  const isFirst = summary === undefined || summary.last_scan_at === null;
  return (
    <EmptyState title={isFirst ? "No update scan yet" : "No containers to check"}>
      <p>
        Registries are checked for newer images: by version where the tag is a version, by digest for tags such as{" "}
        <code className="font-mono text-xs text-ink">latest</code>. Nothing is updated automatically; you get the commands. Container labels
        control what counts:
      </p>
      <CommandLine
        command={`labels:\n  service.update.track: minor        # no new major versions\n  service.update.pin: "16"           # stay at this tag\n  service.update.tag-exclude: "-rc"  # tags that do not count`}
      />
      {!isFirst && (
        <Link to="/containers" className={buttonClass()}>
          Go to containers
        </Link>
      )}
    </EmptyState>
  );
}
