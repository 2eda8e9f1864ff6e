import { useState, type ReactNode } from "react";
import { Button } from "../src/ui/button.tsx";
import { ConfirmButton, ConfirmDialog } from "../src/ui/confirm-dialog.tsx";
import { Dialog } from "../src/ui/dialog.tsx";
import { Field, TextInput } from "../src/ui/field.tsx";
import { FormDialog } from "../src/ui/forms/form-dialog.tsx";
import { TypedConfirmDialog } from "../src/ui/typed-confirm-dialog.tsx";
import { DEFECT, ignore, LONG, RIGHT_TO_LEFT } from "./samples.ts";
import { Row, Shelf } from "./specimen.tsx";

type WindowOf = (close: () => void) => ReactNode;

const WINDOWS: Readonly<Record<string, WindowOf>> = {
  Window: (close) => (
    <Dialog open onClose={close} title="A window">
      {Array.from({ length: 40 }, (_, index) => (
        <p key={index}>Line {index + 1} of many, so that it scrolls.</p>
      ))}
      <Button>At the end</Button>
    </Dialog>
  ),
  Confirmation: (close) => (
    <ConfirmDialog
      open
      title={`Delete ${LONG}?`}
      action="Delete endpoint"
      mutation={{ isPending: false, error: null, mutate: close, reset: ignore }}
      failure="It was not deleted."
      onClose={close}
    >
      <p className="wrap-anywhere">Stops monitoring {RIGHT_TO_LEFT} and deletes the history. This cannot be undone.</p>
    </ConfirmDialog>
  ),
  "Typed confirmation": (close) => (
    <TypedConfirmDialog
      title="Delete heartbeat"
      action="Delete heartbeat"
      doing="Deleting"
      name={LONG}
      isPending={false}
      onCancel={close}
      onConfirm={close}
    >
      <p>Its history goes with it.</p>
    </TypedConfirmDialog>
  ),
  Form: (close) => <FormWindow error={null} isSaving={false} onClose={close} />,
  "Form that failed": (close) => <FormWindow error={DEFECT} isSaving={false} onClose={close} />,
  "Form being saved": (close) => <FormWindow error={null} isSaving onClose={close} />,
};

function FormWindow({ error, isSaving, onClose }: { error: Error | null; isSaving: boolean; onClose: () => void }) {
  return (
    <FormDialog
      {...{ error, isSaving, onClose }}
      {...{
        title: "Add channel",
        action: "Add channel",
        failure: "The channel was not saved.",
        isShownAtFields: false,
        tries: 0,
        hasChanges: false,
      }}
      onSubmit={ignore}
    >
      <Field label="Name" isRequired fault={error === null ? undefined : "Must not be empty"}>
        {(control) => <TextInput {...control} />}
      </Field>
    </FormDialog>
  );
}

/** Windows over the page, each opened by a button. */
export function WindowShelves() {
  const [opened, setOpened] = useState<string>();
  return (
    <Shelf title="Windows">
      <Row>
        {Object.keys(WINDOWS).map((name) => (
          <Button key={name} data-window={name} onClick={() => setOpened(name)}>
            {name}
          </Button>
        ))}
        <ConfirmButton
          label="Delete"
          title="Delete endpoint?"
          action="Delete endpoint"
          mutation={{ isPending: false, error: DEFECT, mutate: ignore, reset: ignore }}
          failure="It was not deleted."
        >
          <p>This cannot be undone.</p>
        </ConfirmButton>
      </Row>
      {opened !== undefined && WINDOWS[opened]?.(() => setOpened(undefined))}
    </Shelf>
  );
}
