import { Monitor, Moon, Sun, type LucideIcon } from "lucide-react";
import { iconButtonClass } from "../ui/icon-button.tsx";
import { choiceRows } from "../ui/menu-rows.ts";
import { Menu } from "../ui/menu.tsx";
import { usePreference } from "./preference.ts";
import { usePreferences, type Theme } from "./preferences.ts";

export const THEMES: readonly { value: Theme; name: string; icon: LucideIcon }[] = [
  { value: "system", name: "System", icon: Monitor },
  { value: "light", name: "Light", icon: Sun },
  { value: "dark", name: "Dark", icon: Moon },
];

/** Chooses the theme. */
export function ThemeSwitch() {
  const { theme } = usePreferences();
  const chosen = usePreference(theme);
  const Icon = THEMES.find(({ value }) => value === chosen)?.icon ?? Monitor;
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-label="Theme" title="Theme" className={iconButtonClass("-mr-2 -ml-1 data-popup-open:bg-hover")}>
          <Icon size={16} strokeWidth={1.75} aria-hidden />
        </button>
      }
      rows={choiceRows(
        chosen,
        THEMES.map(({ value, name }) => ({ value, label: name })),
        theme.set,
      )}
    />
  );
}
