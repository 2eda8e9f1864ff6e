import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import type { Act } from "./act.ts";
import { ExcludeDialog } from "./exclude-dialog.tsx";
import { PinDialog } from "./pin-dialog.tsx";

interface Properties {
  act: Exclude<Act, "unpin">;
  /** Of one image. */
  updates: readonly UpdateRecord[];
  onClose: () => void;
}

/** Asks what an act needs to know. */
export function ActDialog({ act, updates, onClose }: Properties) {
  const [first] = updates;
  if (first === undefined) return null;
  if (act === "exclude") return <ExcludeDialog update={first} onClose={onClose} />;
  return <PinDialog first={first} updates={updates} onClose={onClose} />;
}
