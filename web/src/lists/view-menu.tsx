import { usePreference } from "../app/preference.ts";
import { usePreferences, type Density } from "../app/preferences.ts";
import { choiceRows, type Choice } from "../ui/menu-rows.ts";
import { Menu, MenuButton } from "../ui/menu.tsx";
import type { Folds } from "./use-folds.ts";

const DENSITIES: readonly Choice<Density>[] = [
  { value: "comfortable", label: "Comfortable rows" },
  { value: "compact", label: "Compact rows" },
];

/** How lists are shown: how high the rows of all of them are, and which groups of this one are folded. Without `folds` its groups do not fold. */
export function ViewMenu({ folds }: { folds?: Folds | undefined }) {
  const { density } = usePreferences();
  const rows = choiceRows(usePreference(density), DENSITIES, density.set);
  return (
    <Menu
      align="end"
      trigger={<MenuButton>View</MenuButton>}
      rows={
        folds === undefined
          ? rows
          : [
              ...rows,
              { key: "fold", label: "Fold all groups", run: () => folds.setAll(true) },
              { key: "unfold", label: "Unfold all groups", run: () => folds.setAll(false) },
            ]
      }
    />
  );
}
