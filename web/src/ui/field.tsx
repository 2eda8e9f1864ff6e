import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** What ties a control to its label, hint and fault. */
export interface ControlProperties {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
  "aria-required"?: true | undefined;
}

interface Properties {
  label: string;
  /** It cannot be left empty, which its label marks. */
  isRequired?: boolean;
  /** What to write, where that is not plain. */
  hint?: ReactNode;
  /** What is wrong with it; takes the place of the hint. */
  fault?: string | undefined;
  children: (control: ControlProperties) => ReactNode;
}

/** Seen, not read out: the control itself says that it is required. */
const MARK = "after:text-down after:[content:'_*'_/_'']";

/** A control of a form under its label, with a line below it that is there whether used or not, so that nothing jumps. */
export function Field({ label, isRequired = false, hint, fault, children }: Properties) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={classNames("mb-1 block text-xs font-medium text-ink-2", isRequired && MARK)}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": fault === undefined && hint === undefined ? undefined : noteId,
        "aria-invalid": fault !== undefined,
        "aria-required": isRequired || undefined,
      })}
      <p
        id={noteId}
        role={fault === undefined ? undefined : "alert"}
        className={classNames("mt-1 min-h-4 text-xs wrap-anywhere", fault === undefined ? "text-ink-2" : "text-down")}
      >
        {fault ?? hint}
      </p>
    </div>
  );
}

/** The classes of a text input or a native select. */
export const INPUT_CLASS =
  "h-8 w-full min-w-0 rounded border max-md:h-10 border-line-strong bg-surface px-2.5 placeholder:text-ink-3 focus-visible:-outline-offset-1 aria-invalid:border-down disabled:bg-sunken disabled:text-ink-2";

/** One line of text. */
export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return <input type="text" autoComplete="off" spellCheck={false} className={classNames(INPUT_CLASS, className)} {...rest} />;
}

type TextFieldProperties = Omit<Properties, "children"> &
  Omit<ComponentProps<"input">, "onChange"> & { value: string; onChange: (value: string) => void };

/** One line of text under its label. */
export function TextField({ label, isRequired = false, hint, fault, onChange, ...input }: TextFieldProperties) {
  return (
    <Field {...{ label, isRequired, hint, fault }}>
      {(control) => <TextInput {...control} {...input} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}
