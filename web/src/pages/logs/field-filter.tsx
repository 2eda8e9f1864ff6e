import { ListFilter } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { FIELD_FILTER_BOUNDS, readFieldFilter } from "../../../../src/contract/field-filter.ts";
import { classNames } from "../../ui/class-names.ts";

interface Properties {
  value: string;
  onChange: (value: string) => void;
}

const SETTLES_MS = 300;

/** Takes conditions on the fields of lines. What cannot be read is marked, and narrows nothing until it can. */
export function FieldFilter({ value, onChange }: Properties) {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  /** What was typed and is in the address, or will be. */
  const [sent, setSent] = useState(value);
  const faultId = useId();
  const read = readFieldFilter(typed);
  const fault = "fault" in read ? read.fault : undefined;
  const wanted = fault === undefined ? typed.trim() : sent;
  // Chosen elsewhere on the page, or by going back.
  if (value !== given) {
    setGiven(value);
    if (value !== sent) {
      setTyped(value);
      setSent(value);
    }
  }
  useEffect(() => {
    if (wanted === sent) return undefined;
    const timer = setTimeout(() => {
      setSent(wanted);
      onChange(wanted);
    }, SETTLES_MS);
    return () => clearTimeout(timer);
  }, [wanted, sent, onChange]);

  return (
    <div className="relative w-64 max-sm:w-full">
      <label
        className={classNames(
          "flex h-8 items-center gap-2 rounded border bg-surface px-2.5 text-ink-3 focus-within:outline-2 focus-within:outline-accent",
          fault === undefined ? "border-line-strong" : "border-down",
        )}
      >
        <ListFilter size={14} aria-hidden className="shrink-0" />
        <input
          type="text"
          aria-label="Filter by fields"
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : faultId}
          placeholder="Fields: status>=500"
          maxLength={FIELD_FILTER_BOUNDS.maxLength}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          className="h-full min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-ink-3 max-md:-my-[5px] max-md:h-10"
        />
      </label>
      {fault !== undefined && (
        <p id={faultId} role="status" className="mt-1 text-xs text-down">
          {fault}
        </p>
      )}
    </div>
  );
}
