import { usePreference } from "../app/preference.ts";
import { usePreferences, type Density } from "../app/preferences.ts";
import { choiceRows, type Choice, type MenuRow } from "../ui/menu-rows.ts";
import { Menu, MenuButton } from "../ui/menu.tsx";
import type { Folds } from "./use-folds.ts";

const DENSITIES: readonly Choice<Density>[] = [
  { value: "comfortable", label: "Comfortable rows" },
  { value: "compact", label: "Compact rows" },
];

interface Properties {
  /** Which groups of the list are folded. Without it its groups do not fold. */
  folds?: Folds | undefined;
  /** The columns to choose from. */
  columns?: readonly MenuRow[];
  /** Starts to select rows, for users without a keyboard. */
  onSelect?: (() => void) | undefined;
}

/** How a list is shown: its columns, how high the rows of all lists are, and which groups of this one are folded. */
export function DisplayMenu({ folds, columns, onSelect }: Properties) {
  const { density } = usePreferences();
  const rows = choiceRows(usePreference(density), DENSITIES, density.set).map((row) => ({ ...row, part: "Rows" }));
  return (
    <Menu
      align="end"
      trigger={<MenuButton>Display</MenuButton>}
      rows={[
        ...rows,
        ...(columns ?? []),
        ...(folds === undefined
          ? []
          : [
              { key: "fold", label: "Fold all groups", part: "", run: () => folds.setAll(true) },
              { key: "unfold", label: "Unfold all groups", part: "", run: () => folds.setAll(false) },
            ]),
        ...(onSelect === undefined ? [] : [{ key: "select", label: "Select rows", part: "", run: onSelect }]),
      ]}
    />
  );
}
