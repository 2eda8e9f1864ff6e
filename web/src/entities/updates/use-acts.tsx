import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useState, type ReactNode } from "react";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { unpinContainer } from "../../api/updates.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import type { Act } from "./act.ts";

const ActDialog = lazy(() => import("./act-dialog.tsx").then((module) => ({ default: module.ActDialog })));

/** What can be done about updates: `act` does it or asks first, `fault` says what failed, `dialog` is what it asks. */
export function useActs(): { act: (act: Act, update: UpdateRecord) => void; isUnpinning: boolean; fault: ReactNode; dialog: ReactNode } {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<{ act: Exclude<Act, "unpin">; update: UpdateRecord } | undefined>(undefined);
  const unpinning = useMutation({
    mutationFn: unpinContainer,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["updates"] }),
  });
  const { mutate } = unpinning;
  const act = useCallback(
    (kind: Act, update: UpdateRecord) => {
      if (kind === "unpin") mutate(update.container_id);
      else setAsked({ act: kind, update });
    },
    [mutate],
  );
  return {
    act,
    isUnpinning: unpinning.isPending,
    fault: unpinning.isError && <ErrorNote what="The container is still pinned." error={unpinning.error} />,
    dialog: asked !== undefined && (
      <Suspense>
        <ActDialog {...asked} onClose={() => setAsked(undefined)} />
      </Suspense>
    ),
  };
}
