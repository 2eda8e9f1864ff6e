import { countOf } from "../../format/number.ts";
import { TypedConfirmDialog } from "../../ui/typed-confirm-dialog.tsx";
import type { Monitor } from "./monitor.ts";

/** So many are named; the others are counted. */
const NAMED = 10;

interface Properties {
  monitors: readonly Monitor[];
  /** How many of the selected ones are not deleted, since a label defines them. */
  kept: number;
  onClose: () => void;
  onConfirm: () => void;
}

/** Deletes several monitors, once their number was typed. */
export function DeleteMonitorsDialog({ monitors, kept, onClose, onConfirm }: Properties) {
  const words = countOf(monitors.length, monitors[0]?.type ?? "monitor");
  return (
    <TypedConfirmDialog
      title={`Delete ${words}?`}
      action={`Delete ${words}`}
      doing="Deleting"
      name={words}
      isPending={false}
      onCancel={onClose}
      onConfirm={onConfirm}
    >
      <ul aria-label="To be deleted" className="wrap-anywhere">
        {monitors.slice(0, NAMED).map(({ id, name }) => (
          <li key={id} className="font-[550]">
            <bdi>{name}</bdi>
          </li>
        ))}
        {monitors.length > NAMED && <li className="text-ink-2">and {monitors.length - NAMED} more</li>}
      </ul>
      <p>
        {monitors[0]?.type === "heartbeat"
          ? "They are deleted with their runs, pings and uptime. Jobs that still ping them get 404."
          : "Checks stop, and all results and uptime are deleted."}{" "}
        This cannot be undone. To stop monitoring only, pause them.
      </p>
      {kept > 0 && (
        <p>
          {countOf(kept, "selected endpoint")} defined by labels {kept === 1 ? "is" : "are"} kept.
        </p>
      )}
    </TypedConfirmDialog>
  );
}
