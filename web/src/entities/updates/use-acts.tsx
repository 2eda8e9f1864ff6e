import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useState, type ReactNode } from "react";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { unpinContainers } from "../../api/updates.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import type { Act } from "./act.ts";

const ActDialog = lazy(() => import("./act-dialog.tsx").then((module) => ({ default: module.ActDialog })));

/** What can be done about updates: `act` does it or asks first, `fault` says what failed, `dialog` is what it asks. */
export function useActs(): {
  act: (act: Act, updates: readonly UpdateRecord[]) => void;
  isUnpinning: boolean;
  fault: ReactNode;
  dialog: ReactNode;
} {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<{ act: Exclude<Act, "unpin">; updates: readonly UpdateRecord[] } | undefined>(undefined);
  const unpinning = useMutation({
    mutationFn: unpinContainers,
    // Some may be unpinned though another failed.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["updates"] }),
  });
  const { mutate } = unpinning;
  const act = useCallback(
    (kind: Act, updates: readonly UpdateRecord[]) => {
      if (kind === "unpin") mutate(updates.map(({ container_id }) => container_id));
      else setAsked({ act: kind, updates });
    },
    [mutate],
  );
  return {
    act,
    isUnpinning: unpinning.isPending,
    fault: unpinning.isError && (
      <ErrorNote
        what={unpinning.variables.length === 1 ? "The container is still pinned." : "Not all containers were unpinned."}
        error={unpinning.error}
      />
    ),
    dialog: asked !== undefined && (
      <Suspense>
        <ActDialog {...asked} onClose={() => setAsked(undefined)} />
      </Suspense>
    ),
  };
}
