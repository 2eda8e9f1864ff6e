import type { ComponentProps, ReactElement, ReactNode } from "react";

/** A row of a menu. */
export interface MenuRow {
  key: string;
  label: ReactNode;
  /** How many there are, shown at the end of the row. */
  count?: number;
  /** `one`: of the rows marked so exactly one is chosen. `any`: any number are, and the menu stays open. Without: it does something. */
  mark?: "one" | "any";
  chosen?: boolean;
  /** The part of the menu that it belongs to. A line stands between parts, and the name above, unless it is empty. */
  part?: string;
  run: () => void;
}

export interface MenuProperties {
  /** A button. */
  trigger: ReactElement<ComponentProps<"button">>;
  rows: readonly MenuRow[];
  align?: "start" | "end";
}

export interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  count?: number;
}

/** Rows of which exactly one is selected. */
export function choiceRows<Value extends string>(
  value: Value,
  choices: readonly Choice<Value>[],
  onChange: (value: Value) => void,
): MenuRow[] {
  return choices.map((choice) => ({
    ...choice,
    key: choice.value,
    mark: "one",
    chosen: choice.value === value,
    run: () => onChange(choice.value),
  }));
}

/** Rows of which any number may be selected. */
export function checkRows<Value extends string>(
  values: readonly Value[],
  choices: readonly Choice<Value>[],
  onChange: (values: Value[]) => void,
): MenuRow[] {
  return choices.map((choice) => {
    const chosen = values.includes(choice.value);
    const run = () => onChange(chosen ? values.filter((value) => value !== choice.value) : [...values, choice.value]);
    return { ...choice, key: choice.value, mark: "any", chosen, run };
  });
}
