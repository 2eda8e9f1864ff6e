import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { ConfirmDialog, type Confirmed } from "./confirm-dialog.tsx";

/** A button that asks before it does what cannot be undone. */
export function ConfirmButton({ label, ...confirmed }: Confirmed & { label: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog open={isAsking} onClose={() => setAsking(false)} {...confirmed} />
    </>
  );
}
