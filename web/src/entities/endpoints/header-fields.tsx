import { Plus, X } from "lucide-react";
import { useId, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { TextInput } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import type { HeaderDraft } from "./draft.ts";

interface Properties {
  headers: readonly HeaderDraft[];
  fault: string | undefined;
  onChange: (headers: readonly HeaderDraft[]) => void;
}

/** Headers that are sent along. Values that were saved are masked; one that is left so stays what it is. */
export function HeaderFields({ headers, fault, onChange }: Properties) {
  const faultId = useId();
  const add = useRef<HTMLButtonElement>(null);

  function set(key: number, change: Partial<HeaderDraft>): void {
    onChange(headers.map((header) => (header.key === key ? { ...header, ...change } : header)));
  }

  return (
    <fieldset aria-describedby={fault === undefined ? undefined : faultId}>
      <legend className="mb-1 text-xs font-medium text-ink-2">Headers</legend>
      {headers.map(({ key, name, value }) => (
        <div key={key} className="mb-2 grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_32px] gap-2">
          <TextInput
            aria-label="Header name"
            placeholder="Authorization"
            value={name}
            onChange={(event) => set(key, { name: event.target.value })}
          />
          <TextInput
            aria-label={name === "" ? "Header value" : `Value of ${name}`}
            placeholder="Bearer …"
            value={value}
            onFocus={(event) => event.target.select()}
            onChange={(event) => set(key, { value: event.target.value })}
          />
          <IconButton
            icon={X}
            label={name === "" ? "Remove this header" : `Remove ${name}`}
            onClick={() => {
              // The pressed button leaves with its header, and would take the focus along.
              add.current?.focus();
              onChange(headers.filter((header) => header.key !== key));
            }}
          />
        </div>
      ))}
      <Button
        ref={add}
        kind="quiet"
        onClick={() => onChange([...headers, { key: 1 + Math.max(-1, ...headers.map(({ key }) => key)), name: "", value: "" }])}
      >
        <Plus size={14} aria-hidden /> Add header
      </Button>
      <p id={faultId} role={fault === undefined ? undefined : "alert"} className="mt-1 min-h-4 text-xs text-down">
        {fault ?? (headers.length > 0 && <span className="text-ink-2">Values are hidden after saving.</span>)}
      </p>
    </fieldset>
  );
}
