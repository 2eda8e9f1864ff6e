import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { EndpointRecord } from "../../../../../src/monitoring/endpoints/answers.ts";
import { createEndpoint, updateEndpoint, type EndpointInput } from "../../../api/endpoint-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { areShownAtFields, serverFaults } from "../../../ui/forms/server-faults.ts";
import { byField, draftOf, type EndpointDraft, fieldsOf, newEndpoint, readDraft } from "../../../entities/endpoints/draft.ts";
import { EndpointFields } from "./endpoint-fields.tsx";

interface Properties {
  /** The one to be changed; undefined: a new one is made. */
  endpoint?: EndpointRecord;
  /** What a new one checks, as long as nothing else is typed. */
  target?: string | undefined;
  onClose: () => void;
  onSaved: (saved: EndpointRecord) => void;
}

/** Makes or changes an endpoint that no label names. */
export function EndpointDialog({ endpoint, target, onClose, onSaved }: Properties) {
  const queryClient = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  // What nobody touches here follows what others save meanwhile.
  const [typed, setTyped] = useState<Partial<EndpointDraft>>({});
  const draft = { ...(endpoint === undefined ? newEndpoint(target) : draftOf(endpoint)), ...typed };
  const [showsFaults, setShowsFaults] = useState(false);
  const mutation = useMutation({
    mutationFn: (body: EndpointInput) => (endpoint === undefined ? createEndpoint(body) : updateEndpoint(endpoint.id, body)),
    onSuccess(saved) {
      void queryClient.invalidateQueries({ queryKey: ["endpoints"] });
      void queryClient.invalidateQueries({ queryKey: ["endpoint", saved.id] });
      onSaved(saved);
    },
  });
  const read = readDraft(draft, endpoint);
  const theirs = byField(serverFaults(mutation.error));
  const faults = { ...(showsFaults && "faults" in read && read.faults), ...theirs };
  const isShownAtFields = areShownAtFields(theirs, fieldsOf(draft.type));

  function save(): void {
    setShowsFaults(true);
    if ("body" in read && !mutation.isPending) mutation.mutate(read.body);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      initialFocus={first}
      guardsInput
      title={endpoint === undefined ? "Add endpoint" : `Edit ${endpoint.name}`}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <EndpointFields
          draft={draft}
          faults={faults}
          first={first}
          onChange={(change) => {
            setTyped((current) => ({ ...current, ...change }));
            if (mutation.isError) mutation.reset();
          }}
        />
        {mutation.isError && !isShownAtFields && (
          <ErrorNote what="The endpoint was not saved." error={mutation.error}>
            Your input is kept.
          </ErrorNote>
        )}
        <div className="mt-3 flex items-center gap-2">
          <Button type="submit" kind="primary" disabled={mutation.isPending}>
            {mutation.isPending ? "Saving" : endpoint === undefined ? "Add and check" : "Save"}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <span role="status" className="text-xs text-ink-2">
            {isShownAtFields || (showsFaults && "faults" in read) ? "Check the highlighted fields" : ""}
          </span>
        </div>
      </form>
    </Dialog>
  );
}
