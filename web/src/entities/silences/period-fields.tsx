import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { shownInField } from "../../format/local-time.ts";
import { useServerTime } from "../../app/server-time.ts";
import { type Preset, presetDraft, PRESETS } from "./periods.ts";

interface Period {
  starts: string;
  ends: string;
}

interface Properties extends Period {
  startHint?: ReactNode;
  fault: (field: string) => string | undefined;
  onChange: (change: Partial<Period>) => void;
}

/** From when to when, in this device's zone; the usual lengths by one press. */
export function PeriodFields({ starts, ends, startHint, fault, onChange }: Properties) {
  const serverTime = useServerTime();
  const endOf = (preset: Preset): string => presetDraft(preset, starts, serverTime());
  return (
    <div>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField
          label="From"
          hint={startHint}
          fault={fault("starts_at")}
          type="datetime-local"
          value={shownInField(starts)}
          onChange={(text) => onChange({ starts: text })}
        />
        <TextField
          label="Until"
          hint={ownZone()}
          fault={fault("ends_at")}
          type="datetime-local"
          value={shownInField(ends)}
          onChange={(text) => onChange({ ends: text })}
        />
      </div>
      <div role="group" aria-label="How long" className="mt-1 flex flex-wrap gap-1.5 max-md:gap-y-2">
        {PRESETS.map(({ key, label }) => (
          <Button key={key} pressed={ends === endOf(key)} onClick={() => onChange({ ends: endOf(key) })}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
