import { StatusIcon } from "../../ui/status-icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import type { Status } from "../../format/status.ts";
import { useId } from "react";

interface Properties<Value extends string> {
  label: string;
  choices: readonly { value: Value; word: string; status: Status }[];
  value: Value;
  hint?: string;
  onChange: (value: Value) => void;
}

/** One of few, each with its shape and word: a radio group that looks like chips. */
export function ChoiceChips<Value extends string>({ label, choices, value, hint, onChange }: Properties<Value>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-ink-2">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classNames(
              "inline-flex h-8 cursor-pointer items-center gap-2 rounded border px-2.5 select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              choice.value === value ? "border-accent bg-accent-soft font-[550]" : "border-line-strong bg-surface hover:bg-hover",
            )}
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="sr-only"
            />
            <StatusIcon status={choice.status} size={10} />
            {choice.word}
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="mt-1 min-h-4 text-xs text-ink-2">{hint}</p>}
    </fieldset>
  );
}
