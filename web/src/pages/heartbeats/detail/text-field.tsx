import type { ReactNode } from "react";
import { Field, TextInput } from "../../../ui/field.tsx";

/** What a field of the form shows and does. */
export interface FieldState {
  value: string;
  fault: string | undefined;
  change(value: string): void;
  /** It was left: from now on its fault is shown. */
  leave(): void;
}

interface TextFieldProperties {
  label: string;
  isRequired?: boolean;
  state: FieldState;
  hint?: ReactNode;
  placeholder?: string;
  maxLength?: number;
  list?: string;
  mono?: boolean;
}

/** A line of text under its label. */
export function TextField({ label, isRequired = false, state, hint, placeholder, maxLength, list, mono = false }: TextFieldProperties) {
  return (
    <Field label={label} isRequired={isRequired} hint={hint} fault={state.fault}>
      {(control) => (
        <TextInput
          {...control}
          value={state.value}
          onChange={(event) => state.change(event.target.value)}
          onBlur={state.leave}
          placeholder={placeholder}
          maxLength={maxLength}
          list={list}
          className={mono ? "font-mono text-sm" : ""}
        />
      )}
    </Field>
  );
}
