import { choiceRows, type Choice } from "./menu-rows.ts";
import { Menu, MenuButton } from "./menu.tsx";

interface Properties<Value extends string> {
  /** What is chosen here; shown before the choice: `Level: any`. */
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
  align?: "start" | "end";
}

/** Chooses one of few. The button says what it is set to. */
export function Select<Value extends string>({ label, value, choices, onChange, align = "start" }: Properties<Value>) {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Menu
      align={align}
      trigger={<MenuButton label={label}>{chosen?.label ?? value}</MenuButton>}
      rows={choiceRows(value, choices, onChange)}
    />
  );
}
