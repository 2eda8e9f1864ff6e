import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { usePreference } from "../app/preference.ts";
import { usePreferences, type ColumnedList } from "../app/preferences.ts";
import { useMedia } from "../app/use-media.ts";
import { checkRows, type Choice, type MenuRow } from "../ui/menu-rows.ts";
import { chosenColumns, columnAttributes, paramOf, type ColumnAttributes, type ColumnsParam, type Track } from "./columns.ts";

interface Columns<Key extends string> {
  /** Undefined: as many as fit. */
  chosen: readonly Key[] | undefined;
  /** The choice for an address that is to show the same anywhere. */
  param: ColumnsParam<Key>;
  /** For the root of the list. */
  attributes: ColumnAttributes;
  /** For the menu; none on a phone, whose rows have two lines instead of columns. */
  rows: readonly MenuRow[];
}

interface Asked<Key extends string> {
  choices: readonly Choice<Key>[];
  /** Those that stand only from 1440 px on, unless they are chosen. */
  widest: readonly Key[];
  tracks: readonly Track<Key>[];
  inAddress: ColumnsParam<Key> | undefined;
}

/** The columns of a list that the reader chose: in the address, and remembered by the browser for when the address says nothing. */
export function useColumns<Key extends string>(list: ColumnedList, { choices, widest, tracks, inAddress }: Asked<Key>): Columns<Key> {
  const navigate = useNavigate();
  const preference = usePreferences().columns[list];
  const remembered = usePreference(preference);
  const hasColumns = useMedia("(min-width: 768px)");
  const isWidest = useMedia("(min-width: 90rem)");
  const chosen = useMemo(
    () =>
      chosenColumns(
        inAddress,
        remembered,
        choices.map(({ value }) => value),
      ),
    [inAddress, remembered, choices],
  );
  const attributes = useMemo(() => columnAttributes(tracks, chosen), [tracks, chosen]);
  const fitting = choices.map(({ value }) => value).filter((key) => isWidest || !widest.includes(key));

  function choose(next: readonly Key[]): void {
    const isAuto = next.length === fitting.length && fitting.every((key) => next.includes(key));
    const param = isAuto ? undefined : paramOf(next);
    preference.set(param?.join() ?? "");
    void navigate({ to: ".", search: (search) => ({ ...search, columns: param }), replace: true, resetScroll: false });
  }

  return {
    chosen,
    param: paramOf(chosen),
    attributes,
    rows: hasColumns ? checkRows(chosen ?? fitting, choices, choose).map((row) => ({ ...row, part: "Columns" })) : [],
  };
}
