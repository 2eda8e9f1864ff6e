import type { Choice } from "../../ui/menu-rows.ts";
import type { Track } from "../../lists/columns.ts";
import type { EndpointColumn } from "./search.ts";

/** Where a column is out of sight, in the head and in the rows. The daily bars are left out altogether. */
export const COLUMN_CLASSES: Readonly<Record<Exclude<EndpointColumn, "days">, string>> = {
  target: "max-xl:hidden md:[[data-hides~=target]_&]:hidden",
  response: "md:[[data-hides~=response]_&]:hidden",
  uptime: "md:[[data-hides~=uptime]_&]:hidden",
  since: "md:[[data-hides~=since]_&]:hidden",
};

export const COLUMN_CHOICES: readonly Choice<EndpointColumn>[] = [
  { value: "target", label: "Target" },
  { value: "response", label: "Response" },
  { value: "uptime", label: "Uptime 24 h" },
  { value: "days", label: "Uptime 90 days" },
  { value: "since", label: "Since" },
];

export const WIDEST: readonly EndpointColumn[] = ["days"];

/** As the classes of the rows have them where nothing was chosen. */
export const TRACKS: readonly Track<EndpointColumn>[] = [
  [undefined, "minmax(0,1.2fr)", "minmax(0,1.3fr)"],
  ["target", undefined, "minmax(0,1.05fr)"],
  [undefined, "minmax(0,1.6fr)", "minmax(0,1.5fr)"],
  ["response", "132px", "132px"],
  ["uptime", "72px", "72px"],
  ["days", undefined, "160px"],
  ["since", "72px", "72px"],
];
