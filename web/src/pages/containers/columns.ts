import { COLUMN_KEYS, SORT_WORDS, type ContainerColumn } from "../../entities/containers/filter.ts";
import type { Track } from "../../lists/columns.ts";

/** Where a column is out of sight, in the head and in the rows. */
export const COLUMN_CLASSES: Readonly<Record<ContainerColumn, string>> = {
  image: "max-xl:hidden md:[[data-hides~=image]_&]:hidden",
  ports: "max-xl:hidden max-[90rem]:[[data-columns=auto]_&]:hidden md:[[data-hides~=ports]_&]:hidden",
  cpu: "md:[[data-hides~=cpu]_&]:hidden",
  memory: "md:[[data-hides~=memory]_&]:hidden",
  uptime: "md:[[data-hides~=uptime]_&]:hidden",
  restarts: "md:[[data-hides~=restarts]_&]:hidden",
  since: "md:[[data-hides~=since]_&]:hidden",
};

export const COLUMN_CHOICES = COLUMN_KEYS.map((value) => ({ value, label: value === "ports" ? "Ports" : SORT_WORDS[value] }));

export const WIDEST: readonly ContainerColumn[] = ["ports"];

/** As the classes of the rows have them where nothing was chosen. */
export const TRACKS: readonly Track<ContainerColumn>[] = [
  [undefined, "minmax(0,1.2fr)", "minmax(0,1.45fr)"],
  ["image", undefined, "minmax(0,1.3fr)"],
  [undefined, "minmax(0,1.4fr)", "minmax(0,1.35fr)"],
  ["ports", undefined, "minmax(0,0.9fr)"],
  ["cpu", "44px", "100px"],
  ["memory", "64px", "132px"],
  ["uptime", "72px", "72px"],
  ["restarts", "60px", "60px"],
  ["since", "72px", "72px"],
];
