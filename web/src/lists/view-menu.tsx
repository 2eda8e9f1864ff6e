import { Menu, MenuButton } from "../ui/menu.tsx";
import type { Folds } from "./use-folds.ts";

/** How a list is shown. `folds` is undefined while its groups do not fold. */
export function ViewMenu({ folds }: { folds: Folds | undefined }) {
  if (folds === undefined) return null;
  return (
    <Menu
      align="end"
      trigger={<MenuButton>View</MenuButton>}
      rows={[
        { key: "fold", label: "Fold all groups", run: () => folds.setAll(true) },
        { key: "unfold", label: "Unfold all groups", run: () => folds.setAll(false) },
      ]}
    />
  );
}
