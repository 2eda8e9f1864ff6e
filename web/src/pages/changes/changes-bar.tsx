import { getRouteApi } from "@tanstack/react-router";
import type { ChangeKind } from "../../../../src/contract/change-kinds.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/contract/time.ts";
import { useServerTime } from "../../app/server-time.ts";
import { fromLocalField, toLocalField } from "../../format/local-time.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import type { ChangesFilter } from "./filter.ts";
import { chosenWords, kindRows } from "./kind-words.ts";

const route = getRouteApi("/changes");

const PRESETS = [
  { label: "Last hour", ms: HOUR_MS },
  { label: "Last 24 h", ms: DAY_MS },
  { label: "Last 7 days", ms: 7 * DAY_MS },
] as const;

interface Properties {
  /** As shown: without a choice those of the answer. */
  since: string | undefined;
  until: string | undefined;
  kinds: readonly ChangeKind[];
  isBackwards: boolean;
}

/** Between which moments, and which kinds. All of it stands in the address. */
export function ChangesBar({ since, until, kinds, isBackwards }: Properties) {
  const navigate = route.useNavigate();
  const serverTime = useServerTime();
  const narrow = (change: ChangesFilter): void => void navigate({ search: (search) => ({ ...search, ...change }) });

  return (
    <div role="toolbar" aria-label="Time and kind" className="flex flex-wrap items-start gap-x-3 gap-y-1 pt-4 pb-2">
      <MomentField label="From" value={since} onChange={(at) => narrow({ since: at })} />
      <MomentField
        label="Until"
        value={until}
        fault={isBackwards ? "Must be after From" : undefined}
        onChange={(at) => narrow({ until: at })}
      />
      <div className="flex flex-wrap gap-1.5 max-md:gap-y-2.5 sm:pt-5">
        {PRESETS.map(({ label, ms }) => (
          <Button key={label} onClick={() => narrow({ since: new Date(serverTime() - ms).toISOString(), until: undefined })}>
            {label}
          </Button>
        ))}
        <Menu
          trigger={<MenuButton active={kinds.length > 0}>Kind: {chosenWords(kinds)}</MenuButton>}
          rows={kindRows(kinds, (kind) => narrow({ kind: kind.length > 0 ? kind : undefined }))}
        />
      </div>
    </div>
  );
}

interface MomentProperties {
  label: string;
  value: string | undefined;
  fault?: string | undefined;
  onChange: (at: string | undefined) => void;
}

/** A moment in this device's zone. */
function MomentField({ label, value, fault, onChange }: MomentProperties) {
  return (
    <TextField
      label={label}
      fault={fault}
      type="datetime-local"
      className="sm:w-52"
      value={value === undefined ? "" : toLocalField(Date.parse(value))}
      onChange={(text) => onChange(fromLocalField(text))}
    />
  );
}
