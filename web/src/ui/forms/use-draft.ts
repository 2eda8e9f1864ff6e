import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf } from "./changes.ts";
import { areShownAtFields, faultOf, serverFaults, type Faults } from "./server-faults.ts";

interface Options<Draft, Body, Saved> {
  initial: Draft;
  /** What the draft asks for, or what is wrong with it by field. */
  read: (draft: Draft) => { body: Body } | { faults: Faults };
  /** `changes` is what of the body is other than at first. */
  save: (body: Body, changes: Partial<Body>) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  /** The fields that faults can stand beside. */
  fields: readonly string[];
}

interface DraftState<Draft> {
  draft: Draft;
  change: (change: Partial<Draft>) => void;
  /** What is wrong with a field, or with anything in it: by us once it was submitted, by the server until it is changed. */
  fault: (field: string) => string | undefined;
  submit: () => void;
  /** For the frame of the form. */
  form: { error: Error | null; isShownAtFields: boolean; tries: number; isSaving: boolean; hasChanges: boolean; onSubmit: () => void };
}

/** A form: what is typed, what is wrong with it, and how saving goes. */
export function useDraft<Draft extends object, Body, Saved>({
  initial,
  read,
  save,
  onSaved,
  fields,
}: Options<Draft, Body, Saved>): DraftState<Draft> {
  const [draft, setDraft] = useState(initial);
  const [first] = useState(initial);
  const [tries, setTries] = useState(0);
  const saving = useMutation({
    mutationFn({ body }: { body: Body }) {
      const before = read(first);
      return save(body, "body" in before ? changesOf(before.body, body) : body);
    },
    onSuccess: onSaved,
  });
  const reading = read(draft);
  const ours = tries > 0 && "faults" in reading ? reading.faults : {};
  const theirs = serverFaults(saving.error);

  function submit(): void {
    setTries((count) => count + 1);
    if ("body" in reading && !saving.isPending) saving.mutate({ body: reading.body });
  }

  return {
    draft,
    change(change) {
      setDraft((current) => ({ ...current, ...change }));
      if (saving.isError) saving.reset();
    },
    fault: (field) => faultOf(ours, field) ?? faultOf(theirs, field),
    submit,
    form: {
      error: saving.error,
      isShownAtFields: Object.keys(ours).length > 0 || areShownAtFields(theirs, fields),
      tries,
      isSaving: saving.isPending,
      hasChanges: JSON.stringify(draft) !== JSON.stringify(first),
      onSubmit: submit,
    },
  };
}
