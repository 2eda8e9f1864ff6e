import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { ESCALATION_BOUNDS } from "../../../../../src/contract/notifications.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { useChannelOptions } from "../channel-options.ts";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import { withLevel, type LevelDraft } from "./draft.ts";

interface Properties {
  levels: readonly LevelDraft[];
  fault: (field: string) => string | undefined;
  onChange: (levels: readonly LevelDraft[]) => void;
}

/** The levels along a line from top to bottom: when each is due, and whom it notifies. */
export function LevelFields({ levels, fault, onChange }: Properties) {
  const channels = useChannelOptions();
  const add = useRef<HTMLButtonElement>(null);

  function set(key: number, change: Partial<LevelDraft>): void {
    onChange(levels.map((level) => (level.key === key ? { ...level, ...change } : level)));
  }

  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-ink-2">Levels, counted from when the alert fires</legend>
      <ol>
        {levels.map(({ key, delay, channels: chosen }, index) => (
          <li
            key={key}
            className="relative pb-2 pl-5 before:absolute before:top-3 before:-bottom-3 before:left-[4px] before:w-px before:bg-line-strong last:before:hidden"
          >
            <span aria-hidden className="absolute top-[6px] left-0 size-[9px] rounded-full border-2 border-accent bg-surface" />
            <fieldset className="grid grid-cols-[6.5rem_minmax(0,1fr)_32px] gap-x-2">
              <legend className="sr-only">Level {index + 1}</legend>
              <TextField
                label="After"
                hint={index === 0 ? "0: immediately" : ""}
                fault={fault(`levels.${index}.delay_seconds`)}
                className="tabular-nums"
                placeholder="10 min"
                value={delay}
                onChange={(text) => set(key, { delay: text })}
              />
              <ManyPicker
                label="Notify"
                fault={fault(`levels.${index}.channel_ids`)}
                placeholder="Type the name of a channel"
                none={channels.length === 0 ? "No channels yet." : "No matching channel."}
                options={channels}
                values={chosen}
                onChange={(next) => set(key, { channels: next })}
              />
              {levels.length > 1 && (
                <IconButton
                  icon={X}
                  label={`Remove level ${index + 1}`}
                  className="mt-5"
                  onClick={() => {
                    // The pressed button leaves with its level, and would take the focus along.
                    add.current?.focus();
                    onChange(levels.filter((level) => level.key !== key));
                  }}
                />
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      <Button ref={add} kind="quiet" disabled={levels.length === ESCALATION_BOUNDS.levels} onClick={() => onChange(withLevel(levels))}>
        <Plus size={14} aria-hidden /> Add level
      </Button>
    </fieldset>
  );
}
