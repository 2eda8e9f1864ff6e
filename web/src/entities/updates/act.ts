import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { countOf } from "../../format/number.ts";

/** What can be done about an update here; updating itself is done where the container was made. */
export type Act = "pin" | "unpin" | "exclude";

export const ACT_WORDS: Readonly<Record<Act, string>> = {
  pin: "Pin to current version",
  unpin: "Unpin",
  exclude: "Exclude image",
};

/** What can be done about one container: what a label pins or leaves out is changed at the label. */
export function actsOf({ status, pinned_by }: Pick<UpdateRecord, "status" | "pinned_by">): Act[] {
  const pinning: Act[] = pinned_by === "person" ? ["unpin"] : pinned_by === "label" || status === "excluded" ? [] : ["pin"];
  return status === "excluded" ? pinning : [...pinning, "exclude"];
}

interface ActForAll {
  act: Act;
  label: string;
  /** Those that it is for. */
  updates: readonly UpdateRecord[];
}

/** What can be done about several containers of one image, each act for those that it fits. */
export function actsForAll(updates: readonly UpdateRecord[]): ActForAll[] {
  return (["pin", "unpin", "exclude"] as const).flatMap((act) => {
    const affected = updates.filter((update) => actsOf(update).includes(act));
    if (affected.length === 0) return [];
    const count = countOf(affected.length, "container");
    const label = act === "pin" ? `Pin ${count} to current version` : act === "unpin" ? `Unpin ${count}` : ACT_WORDS[act];
    return [{ act, label, updates: affected }];
  });
}
