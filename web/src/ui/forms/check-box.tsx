import type { ReactNode } from "react";

interface Properties {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that is on or off. */
export function CheckBox({ label, hint, checked, onChange }: Properties) {
  return (
    <label className="flex items-start gap-2 max-md:py-2.5">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>
        {label}
        {hint !== undefined && <span className="block text-xs text-ink-2">{hint}</span>}
      </span>
    </label>
  );
}
