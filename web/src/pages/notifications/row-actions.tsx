import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm-dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";

interface Properties {
  name: string;
  isEnabled: boolean;
  /** What it is: `trigger`. */
  noun: string;
  /** The list that is read again after a change. */
  queryKey: readonly string[];
  onToggle: (isEnabled: boolean) => Promise<unknown>;
  onEdit: () => void;
  onDelete: () => Promise<unknown>;
  /** What its deletion means. */
  loss: string;
  /** What else can be done, before the others. */
  children: ReactNode;
}

/** What can be done with a trigger, an escalation policy or a webhook. */
export function RowActions({ name, isEnabled, noun, queryKey, onToggle, onEdit, onDelete, loss, children }: Properties) {
  const queryClient = useQueryClient();
  const reread = (): Promise<void> => queryClient.invalidateQueries({ queryKey });
  const toggle = useMutation({ mutationFn: () => onToggle(!isEnabled), onSuccess: reread });
  const removal = useMutation({ mutationFn: onDelete, onSuccess: reread });
  const of = <span className="sr-only"> {name}</span>;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button disabled={toggle.isPending} onClick={() => toggle.mutate()}>
          {isEnabled ? "Disable" : "Enable"}
          {of}
        </Button>
        <Button onClick={onEdit}>Edit{of}</Button>
        <ConfirmButton
          label={<>Delete{of}</>}
          title={`Delete ${name}?`}
          action={`Delete ${noun}`}
          mutation={removal}
          failure="It was not deleted."
        >
          <p>{loss} This cannot be undone. To pause it, disable it.</p>
        </ConfirmButton>
      </div>
      {toggle.isError && <ErrorNote what={isEnabled ? "It was not disabled." : "It was not enabled."} error={toggle.error} />}
    </div>
  );
}
