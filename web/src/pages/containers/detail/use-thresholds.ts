import type { ResourceMetric } from "../../../../../src/contract/thresholds.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ThresholdsBody } from "../../../../../src/monitoring/resources/api.ts";
import type { Thresholds } from "../../../../../src/monitoring/resources/answers.ts";
import { serverFaults } from "../../../ui/forms/server-faults.ts";
import { clearThresholds, saveThresholds, thresholdsQuery } from "../../../api/queries.ts";
import {
  draftOf,
  isSameDraft,
  readDraft,
  withPercent,
  type ThresholdDraft,
  type ThresholdFaults,
} from "../../../entities/thresholds/draft.ts";

/** The thresholds of a container: what is set, and what is being made of it in the form and in the charts. */
export interface ThresholdEditing {
  thresholds: Thresholds;
  draft: ThresholdDraft;
  faults: ThresholdFaults;
  phase: "as_set" | "changed" | "saving" | "saved" | "failed";
  /** Why it could not be saved. */
  error: Error | null;
  change(draft: ThresholdDraft): void;
  /** A line is moved; nothing is saved until it is let go of. */
  move(metric: ResourceMetric, percent: number): void;
  /** A line is let go of. */
  settle(metric: ResourceMetric, percent: number): void;
  save(): void;
  /** Back to what is set. */
  revert(): void;
  /** Takes its own away: those of its group or host apply then. */
  inherit(): void;
  inheriting: { isPending: boolean; error: Error | null };
}

/** undefined while nothing is known of them. */
export function useThresholds(id: number): { editing: ThresholdEditing | undefined; error: Error | null; retry: () => void } {
  const queryClient = useQueryClient();
  const { queryKey } = thresholdsQuery(id);
  const { data: thresholds, error, refetch } = useQuery(thresholdsQuery(id));
  const [draft, setDraft] = useState<ThresholdDraft>();
  const [showsFaults, setShowsFaults] = useState(false);

  const mutation = useMutation({
    mutationFn: ({ body }: { body: ThresholdsBody; of: ThresholdDraft }) => saveThresholds(id, body),
    async onMutate({ body }) {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      const source = { entity_type: "container" as const, entity_id: String(id) };
      queryClient.setQueryData(queryKey, (known) => known && { ...known, ...body, source, configured: true });
      return { before };
    },
    onSuccess(saved, { of }) {
      queryClient.setQueryData(queryKey, saved);
      setDraft((current) => (current === of ? undefined : current));
    },
    onError(_error, _asked, context) {
      queryClient.setQueryData(queryKey, context?.before);
    },
  });

  const inheriting = useMutation({
    mutationFn: () => clearThresholds(id),
    onSuccess(saved) {
      queryClient.setQueryData(queryKey, saved);
      setDraft(undefined);
      mutation.reset();
    },
  });

  function retry(): void {
    void refetch();
  }
  if (thresholds === undefined) return { editing: undefined, error, retry };

  const asSet = draftOf(thresholds);
  const shown = draft ?? asSet;
  const read = readDraft(shown);

  function change(next: ThresholdDraft): void {
    setDraft(next);
    setShowsFaults(false);
    if (!mutation.isPending) mutation.reset();
  }

  function save(wanted: ThresholdDraft): void {
    const { body } = { body: undefined, ...readDraft(wanted) };
    setShowsFaults(true);
    if (body !== undefined && !mutation.isPending) mutation.mutate({ body, of: wanted });
  }

  const editing: ThresholdEditing = {
    thresholds,
    draft: shown,
    faults: { ...(showsFaults && "faults" in read && read.faults), ...serverFaults(mutation.error) },
    phase: phaseOf({ isChanged: !isSameDraft(shown, asSet), ...mutation }),
    error: mutation.error,
    change,
    move: (metric, percent) => change(withPercent(shown, metric, percent)),
    settle(metric, percent) {
      const next = withPercent(shown, metric, percent);
      change(next);
      save(next);
    },
    save: () => save(shown),
    inherit: () => inheriting.mutate(),
    inheriting,
    revert() {
      setDraft(undefined);
      setShowsFaults(false);
      mutation.reset();
    },
  };
  return { editing, error: null, retry };
}

function phaseOf({ isChanged, isPending, isError, isSuccess }: Record<"isChanged" | "isPending" | "isError" | "isSuccess", boolean>) {
  if (isPending) return "saving";
  if (isError) return "failed";
  if (isChanged) return "changed";
  return isSuccess ? "saved" : "as_set";
}
