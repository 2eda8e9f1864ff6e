import { useQuery } from "@tanstack/react-query";
import type { ContainerDetail } from "../../../../../src/monitoring/containers/answers.ts";
import { isApiError } from "../../../api/client.ts";
import { containerUpdateQuery } from "../../../api/updates.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { UpdateDetails } from "../../../entities/updates/update-details.tsx";

/** What a container runs, what it could run, and how to get there and back. */
export function UpdatesTab({ container }: { container: ContainerDetail }) {
  const { data, error, refetch } = useQuery(containerUpdateQuery(container.id));
  if (data !== undefined) return <UpdateDetails update={data} />;
  if (error === null) {
    return (
      <div className="mt-6">
        <SkeletonRows count={8} label="Loading updates" />
      </div>
    );
  }
  if (isApiError(error, "not_found") && container.is_ignored) {
    return (
      <EmptyState title="Ignored">
        <p>The label service.ignore excludes it from monitoring, including update checks.</p>
      </EmptyState>
    );
  }
  if (isApiError(error, "not_found")) {
    return (
      <EmptyState title={container.archived_at === null ? "Not checked yet" : "Removed"}>
        <p>
          {container.archived_at === null
            ? "Its registry has not been checked yet. The next scan will. Use labels to control which versions count:"
            : "Only existing containers are checked for updates."}
        </p>
        {container.archived_at === null && <CommandLine command={"labels:\n  service.update.track: minor"} />}
      </EmptyState>
    );
  }
  return <ErrorNote what="Could not load updates." error={error} onRetry={() => void refetch()} />;
}
