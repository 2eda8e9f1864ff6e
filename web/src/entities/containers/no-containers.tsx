import { Link } from "@tanstack/react-router";
import { KEPT_DAYS } from "../../../../src/contract/retention.ts";
import { useHosts } from "../../app/hosts.ts";
import { buttonClass } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** What would be here if there were a container, and how to get one. */
export function FirstContainer() {
  if (useHosts().length === 0) {
    return (
      <>
        <p>
          This server does not monitor its own host, and no agent is connected yet. Containers appear here automatically once an agent
          connects.
        </p>
        <Link to="/hosts/new" className={buttonClass()}>
          Add host
        </Link>
      </>
    );
  }
  return (
    <>
      <p>Every container on this host appears here automatically, with no setup. Start one to see it:</p>
      <CommandLine command="docker run -d --name hello --label service.group=first-steps nginx:alpine" />
      <p>The label sets the group. Without it, containers are grouped by Compose project.</p>
    </>
  );
}

/** No container at all. */
export function NoContainers() {
  return (
    <EmptyState title="No containers yet">
      <FirstContainer />
    </EmptyState>
  );
}

/** Nothing was removed that is still kept. */
export function NoneRemoved() {
  return (
    <EmptyState title="No removed containers">
      <p>Removed containers stay here for {KEPT_DAYS.removedContainers} days, with their history and last log lines.</p>
    </EmptyState>
  );
}
