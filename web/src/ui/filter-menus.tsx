import type { ReactNode } from "react";
import { checkRows, choiceRows, type Choice } from "./menu-rows.ts";
import { Menu, MenuButton } from "./menu.tsx";

interface ChoiceProperties<Value extends string> {
  /** What is chosen here; shown before the choice: `Source: any`. */
  label: string;
  /** Undefined: any. */
  value: Value | undefined;
  choices: readonly Choice<Value>[];
  onChange: (value: Value | undefined) => void;
  /** How the button calls what is chosen, where not by its label. */
  word?: ReactNode;
  align?: "start" | "end";
  className?: string;
}

/** Narrows a list to one of few values, or to any. */
export function ChoiceFilter<Value extends string>(properties: ChoiceProperties<Value>) {
  const { label, value, choices, onChange, word, align = "start", className } = properties;
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Menu
      align={align}
      trigger={
        <MenuButton label={label} active={value !== undefined} className={className}>
          {word ?? chosen?.label ?? "any"}
        </MenuButton>
      }
      rows={choiceRows<Value | "">(value ?? "", [{ value: "", label: "Any" }, ...choices], (next) =>
        onChange(next === "" ? undefined : next),
      )}
    />
  );
}

interface CheckProperties<Value extends string> {
  label: string;
  /** Undefined: any. */
  values: readonly Value[] | undefined;
  /** Those that do not occur are left out, unless they are chosen. */
  choices: readonly { value: Value; label: string; count: number }[];
  onChange: (values: Value[] | undefined) => void;
}

const NONE: readonly never[] = [];

/** Narrows a list to any number of values. */
export function CheckFilter<Value extends string>({ label, values = NONE, choices, onChange }: CheckProperties<Value>) {
  const shown = choices.filter(({ value, count }) => count > 0 || values.includes(value));
  const [first, ...others] = shown.filter(({ value }) => values.includes(value));
  return (
    <Menu
      align="end"
      trigger={
        <MenuButton label={label} active={first !== undefined}>
          {first === undefined ? "any" : others.length === 0 ? first.label.toLowerCase() : `${values.length} chosen`}
        </MenuButton>
      }
      rows={checkRows(values, shown, (next) => onChange(next.length > 0 ? next : undefined))}
    />
  );
}
