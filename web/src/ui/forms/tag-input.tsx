import { X } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { classNames } from "../class-names.ts";
import { Field } from "../field.tsx";
import { addTags } from "./tags.ts";

interface Properties {
  label: string;
  hint: string;
  fault?: string | undefined;
  placeholder?: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** Words of the reader's own, each a chip: Enter or a comma ends one, Backspace takes back the last. */
export function TagInput({ label, hint, fault, placeholder, values, onChange }: Properties) {
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);

  function add(text: string): void {
    setTyped("");
    const next = addTags(values, text);
    if (next.length !== values.length) onChange(next);
  }

  function remove(tag: string): void {
    // The pressed button leaves with its tag, and would take the focus along.
    input.current?.focus();
    onChange(values.filter((each) => each !== tag));
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === "Enter" && typed.trim() !== "") {
      // Enter in an empty field sends the form.
      event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "" && values.length > 0) onChange(values.slice(0, -1));
  }

  return (
    <Field label={label} hint={hint} fault={fault}>
      {(control) => (
        <div
          className={classNames(
            "flex min-h-8 w-full flex-wrap items-center gap-1 rounded border bg-surface p-[3px] focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
            control["aria-invalid"] ? "border-down" : "border-line-strong",
          )}
        >
          {values.map((value) => (
            <span key={value} className="flex h-6 max-w-full min-w-0 items-center gap-0.5 rounded-[4px] bg-sunken pl-2 text-sm">
              <bdi className="truncate">{value}</bdi>
              <button
                type="button"
                aria-label={`Remove ${value}`}
                className="rounded-[4px] p-1 text-ink-3 hover:text-ink max-md:relative max-md:after:absolute max-md:after:-inset-2.5"
                onClick={() => remove(value)}
              >
                <X size={12} aria-hidden />
              </button>
            </span>
          ))}
          <input
            {...control}
            ref={input}
            type="text"
            autoComplete="off"
            spellCheck={false}
            placeholder={values.length === 0 ? placeholder : ""}
            value={typed}
            onChange={({ target: { value } }) => (value.includes(",") ? add(value) : setTyped(value))}
            onKeyDown={handleKey}
            onBlur={() => add(typed)}
            className="h-6 min-w-24 flex-1 bg-transparent px-1.5 outline-none placeholder:text-ink-3 max-md:-my-1 max-md:h-10"
          />
        </div>
      )}
    </Field>
  );
}
