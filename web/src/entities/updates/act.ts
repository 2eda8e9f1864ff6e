import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";

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
