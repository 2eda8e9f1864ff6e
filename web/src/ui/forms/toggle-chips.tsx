import { Check } from "lucide-react";
import { classNames } from "../class-names.ts";

interface Properties<Value extends string> {
  label: string;
  /** What none chosen means. */
  hint: string;
  fault?: string | undefined;
  choices: readonly { value: Value; label: string }[];
  values: readonly Value[];
  onChange: (values: Value[]) => void;
}

/** Any number of few, each a chip to press. None chosen means any. */
export function ToggleChips<Value extends string>({ label, hint, fault, choices, values, onChange }: Properties<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-ink-2">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map(({ value, label: word }) => {
          const isChosen = values.includes(value);
          return (
            <button
              key={value}
              type="button"
              aria-pressed={isChosen}
              className={classNames(
                "inline-flex h-7 max-md:h-10 items-center gap-1.5 rounded-full border px-2.5 text-sm select-none",
                isChosen ? "border-accent bg-accent-soft font-[550]" : "border-line-strong bg-surface text-ink-2 hover:bg-hover",
              )}
              onClick={() => onChange(isChosen ? values.filter((each) => each !== value) : [...values, value])}
            >
              {isChosen && <Check size={12} aria-hidden className="text-accent" />}
              {word}
            </button>
          );
        })}
      </div>
      <p
        role={fault === undefined ? undefined : "alert"}
        className={classNames("mt-1 min-h-4 text-xs", fault === undefined ? "text-ink-2" : "text-down")}
      >
        {fault ?? hint}
      </p>
    </fieldset>
  );
}
