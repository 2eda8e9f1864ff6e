import { Link } from "@tanstack/react-router";
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
          This server does not watch its own host, and no other one yet. Every container of a host appears here by itself once its agent is
          connected.
        </p>
        <Link to="/hosts/new" className={buttonClass()}>
          Add a host
        </Link>
      </>
    );
  }
  return (
    <>
      <p>
        Every container of this host appears here by itself, running or not, the moment it is created. Nothing needs to be set up. Start one
        to see it:
      </p>
      <CommandLine command="docker run -d --name hello --label service.group=first-steps nginx:alpine" />
      <p>The label puts it into a group; without one, containers stand under their Compose project.</p>
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

/** Nothing was removed within the last 30 days. */
export function NoneRemoved() {
  return (
    <EmptyState title="None was removed">
      <p>When a container is removed from its host, it moves here with its history and its last log lines, for 30 days.</p>
    </EmptyState>
  );
}
