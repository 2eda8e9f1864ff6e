import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import type { Act } from "./act.ts";
import { ExcludeDialog } from "./exclude-dialog.tsx";
import { PinDialog } from "./pin-dialog.tsx";

interface Properties {
  act: Exclude<Act, "unpin">;
  update: UpdateRecord;
  onClose: () => void;
}

/** Asks what an act needs to know. */
export function ActDialog({ act, update, onClose }: Properties) {
  return act === "pin" ? <PinDialog update={update} onClose={onClose} /> : <ExcludeDialog update={update} onClose={onClose} />;
}
