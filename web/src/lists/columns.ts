import type { CSSProperties } from "react";
import { someOf } from "../app/search-params.ts";

/** `auto`: as many columns as fit. `none`: only those that always stand. */
type Special = "auto" | "none";

/** The chosen columns as an address has them. */
export type ColumnsParam<Key extends string> = (Key | Special)[];

export function columnsParam<Key extends string>(value: unknown, keys: readonly Key[]): ColumnsParam<Key> | undefined {
  return someOf<Key | Special>(value, ["auto", "none", ...keys]);
}

/** Which columns were chosen: by the address, else as remembered; undefined: as many as fit. */
export function chosenColumns<Key extends string>(
  inAddress: ColumnsParam<Key> | undefined,
  remembered: string,
  keys: readonly Key[],
): readonly Key[] | undefined {
  const param = inAddress ?? columnsParam(remembered, keys);
  return param === undefined || param.includes("auto") ? undefined : keys.filter((key) => param.includes(key));
}

/** How a choice stands in an address; undefined is as many as fit. */
export function paramOf<Key extends string>(chosen: readonly Key[] | undefined): ColumnsParam<Key> {
  if (chosen === undefined) return ["auto"];
  return chosen.length === 0 ? ["none"] : [...chosen];
}

/** A column's width on middling screens, where some have none, and on wide ones. Those without a key always stand. */
export type Track<Key extends string> = readonly [key: Key | undefined, medium: string | undefined, wide: string];

/** What the root of a list says of its columns; its rows follow by their classes. */
export interface ColumnAttributes {
  "data-columns"?: "auto" | "chosen";
  "data-hides"?: string;
  style?: CSSProperties;
}

/** The attributes for a choice. Without one the classes of the list say what fits. */
export function columnAttributes<Key extends string>(tracks: readonly Track<Key>[], chosen: readonly Key[] | undefined): ColumnAttributes {
  if (chosen === undefined) return { "data-columns": "auto" };
  const shown = tracks.filter(([key]) => key === undefined || chosen.includes(key));
  const hidden = tracks.flatMap(([key]) => (key === undefined || chosen.includes(key) ? [] : [key]));
  return {
    "data-columns": "chosen",
    "data-hides": hidden.join(" "),
    style: {
      ["--tracks-medium" as string]: shown.flatMap(([, medium]) => medium ?? []).join(" "),
      ["--tracks-wide" as string]: shown.map(([, , wide]) => wide).join(" "),
    },
  };
}
