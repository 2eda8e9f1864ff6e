import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CertificateRecord } from "../../../../../src/monitoring/certificates/answers.ts";
import { certificateQuery, updateCertificate } from "../../../api/certificate-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TextField } from "../../../ui/field.tsx";
import { areShownAtFields, faultOf, serverFaults, type Faults } from "../../../ui/forms/server-faults.ts";
import { UnsavedChanges } from "../../../ui/forms/unsaved-changes.tsx";
import { Section } from "../../../ui/section.tsx";
import { readWatching, WATCHING_FIELDS, watchingOf } from "./watching.ts";

/** When to alert, and how often to check. */
export function WatchForm({ certificate }: { certificate: CertificateRecord }) {
  const queryClient = useQueryClient();
  const { id } = certificate;
  const asSet = watchingOf(certificate);
  const [draft, setDraft] = useState(asSet);
  const [showsFaults, setShowsFaults] = useState(false);
  const mutation = useMutation({
    mutationFn: (body: Parameters<typeof updateCertificate>[1]) => updateCertificate(id, body),
    onSuccess(detail) {
      queryClient.setQueryData(certificateQuery(id).queryKey, detail);
      void queryClient.invalidateQueries({ queryKey: ["certificate", id, "checks"] });
      void queryClient.invalidateQueries({ queryKey: ["certificates"] });
    },
  });
  const read = readWatching(draft, asSet);
  const theirs = serverFaults(mutation.error);
  const faults: Faults = { ...(showsFaults && "faults" in read && read.faults), ...theirs };
  const isChanged = draft.days !== asSet.days || draft.hours !== asSet.hours;
  const change = (part: Partial<typeof draft>): void => {
    setDraft((current) => ({ ...current, ...part }));
    if (!mutation.isPending) mutation.reset();
  };
  return (
    <Section title="Alert thresholds">
      <form
        noValidate
        className="grid gap-x-4 gap-y-2.5 pt-3 sm:grid-cols-[minmax(0,16rem)_8rem_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          setShowsFaults(true);
          if ("body" in read && !mutation.isPending) mutation.mutate(read.body);
        }}
      >
        <TextField
          label="Days before expiry"
          hint="You are notified once for each."
          fault={faultOf(faults, "alert_thresholds_days")}
          inputMode="numeric"
          value={draft.days}
          onChange={(days) => change({ days })}
        />
        <TextField
          label="Check interval"
          hint="hours"
          fault={faults["check_interval_seconds"]}
          inputMode="decimal"
          value={draft.hours}
          onChange={(hours) => change({ hours })}
        />
        <div className="flex items-start gap-3 sm:pt-5">
          <Button type="submit" kind={isChanged ? "primary" : "plain"} disabled={mutation.isPending || !isChanged}>
            {mutation.isPending ? "Saving" : "Save"}
          </Button>
          <span role="status" className="flex h-8 items-center text-ink-2">
            {mutation.isSuccess && !isChanged ? "Saved and checked" : ""}
          </span>
        </div>
        <UnsavedChanges when={isChanged} />
      </form>
      {mutation.isError && !areShownAtFields(theirs, WATCHING_FIELDS) && (
        <ErrorNote what="Not saved." error={mutation.error}>
          The previous settings still apply. Your input is kept.
        </ErrorNote>
      )}
    </Section>
  );
}
