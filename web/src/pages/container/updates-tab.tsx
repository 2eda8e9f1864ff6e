import { useQuery } from "@tanstack/react-query";
import type { ContainerDetail } from "../../../../src/monitoring/containers/api.ts";
import { isApiError } from "../../api/client.ts";
import { containerUpdateQuery } from "../../api/updates.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { UpdateDetails } from "../updates/update-details.tsx";

/** What a container runs, what it could run, and how to get there and back. */
export function UpdatesTab({ container }: { container: ContainerDetail }) {
  const { data, error, refetch } = useQuery(containerUpdateQuery(container.id));
  if (data !== undefined) return <UpdateDetails update={data} />;
  if (error === null) {
    return (
      <div className="mt-6">
        <SkeletonRows count={8} label="Reading what is newer" />
      </div>
    );
  }
  if (isApiError(error, "not_found") && container.is_ignored) {
    return (
      <EmptyState title="It is ignored">
        <p>Its label service.ignore keeps it out of everything, updates too: its registry is not asked.</p>
      </EmptyState>
    );
  }
  if (isApiError(error, "not_found")) {
    return (
      <EmptyState title={container.archived_at === null ? "Not looked up yet" : "It was removed"}>
        <p>
          {container.archived_at === null
            ? "The registry of its image has not been asked yet what is newer. The next scan does; labels say what counts:"
            : "Registries are asked about containers that are there."}
        </p>
        {container.archived_at === null && <CommandLine command={"labels:\n  service.update.track: minor"} />}
      </EmptyState>
    );
  }
  return <ErrorNote what="What is newer could not be read." error={error} onRetry={() => void refetch()} />;
}
