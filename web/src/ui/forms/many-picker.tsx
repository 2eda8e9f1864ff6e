import { Combobox } from "@base-ui/react/combobox";
import { Check, X } from "lucide-react";
import { useMemo } from "react";
import { classNames } from "../class-names.ts";
import { Field } from "../field.tsx";
import { useUnchosenText } from "./unchosen-text.ts";

export interface Option {
  value: string;
  label: string;
  /** What distinguishes it from others, or what it means. */
  note?: string | undefined;
}

interface Properties {
  label: string;
  hint?: string;
  fault?: string | undefined;
  placeholder: string;
  /** Shown when no option fits what is typed. */
  none: string;
  options: readonly Option[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** How one that was chosen and is no option any more is called; by default as it was saved. */
  nameOf?: (value: string) => string;
  /** Only one can be chosen; another takes its place. */
  single?: boolean;
}

/** So many options are listed at once; typing finds the others. */
const LISTED = 60;

/** Any number of many, found by typing; the chosen are chips in the field. */
export function ManyPicker({ label, hint, fault, placeholder, none, options, values, onChange, nameOf, single = false }: Properties) {
  const known = useMemo(() => new Map(options.map((option) => [option.value, option])), [options]);
  const chosen = values.map((value) => known.get(value) ?? { value, label: nameOf?.(value) ?? value });
  const typed = useUnchosenText();
  return (
    <Field label={label} hint={hint} fault={typed.fault ?? fault}>
      {(control) => (
        <Combobox.Root
          multiple
          items={options}
          value={chosen}
          limit={LISTED}
          autoHighlight
          inputValue={typed.text}
          onInputValueChange={(text, details) => {
            if (text !== "" || !isLeft(details)) typed.setText(text);
          }}
          itemToStringLabel={({ label: name, note }: Option) => (note === undefined ? name : `${name} ${note}`)}
          isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
          onValueChange={(next: Option[], details) => {
            // Escape leads out of the list and then of the form; it takes back nothing that was chosen.
            if (details.reason === "escape-key") details.allowPropagation();
            else onChange((single ? next.slice(-1) : next).map(({ value }) => value));
          }}
        >
          <Combobox.InputGroup
            className={classNames(
              "flex min-h-8 w-full min-w-0 flex-wrap items-center rounded border bg-surface focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent",
              control["aria-invalid"] ? "border-down" : "border-line-strong",
            )}
          >
            <Combobox.Chips
              className="flex min-w-0 flex-1 flex-wrap items-center gap-1 p-[3px]"
              aria-label={chosen.length > 0 ? `Chosen in ${label}` : undefined}
            >
              {chosen.map(({ value, label: name }) => (
                <Combobox.Chip
                  key={value}
                  aria-label={name}
                  className="flex h-6 max-w-full min-w-0 items-center gap-0.5 rounded-[4px] bg-sunken pl-2 text-sm data-highlighted:bg-accent-soft"
                >
                  <bdi className="truncate">{name}</bdi>
                  <Combobox.ChipRemove
                    aria-label={`Remove ${name}`}
                    className="rounded-[4px] p-1 text-ink-3 hover:text-ink max-md:relative max-md:after:absolute max-md:after:-inset-2.5"
                  >
                    <X size={12} aria-hidden />
                  </Combobox.ChipRemove>
                </Combobox.Chip>
              ))}
              <Combobox.Input
                {...control}
                ref={typed.input}
                placeholder={values.length === 0 ? placeholder : ""}
                spellCheck={false}
                className="h-6 min-w-12 flex-1 bg-transparent px-1.5 outline-none placeholder:text-ink-3 max-md:-my-1 max-md:h-10"
              />
            </Combobox.Chips>
          </Combobox.InputGroup>
          <Combobox.Portal>
            <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
              <Combobox.Popup className="max-h-[min(18rem,var(--available-height))] w-(--anchor-width) max-w-(--available-width) overflow-y-auto rounded border border-line-strong bg-surface p-1 shadow-lg shadow-black/8">
                <Combobox.Empty className="px-2 py-1.5 text-ink-2 empty:hidden">{none}</Combobox.Empty>
                <Combobox.List>
                  {(option: Option) => (
                    <Combobox.Item
                      key={option.value}
                      value={option}
                      className="flex min-h-8 cursor-default items-center gap-2 rounded-[4px] px-2 py-1 outline-none select-none data-highlighted:bg-accent-soft"
                    >
                      <span className="flex size-4 shrink-0 items-center justify-center text-accent">
                        <Combobox.ItemIndicator>
                          <Check size={14} aria-hidden />
                        </Combobox.ItemIndicator>
                      </span>
                      <bdi className="max-w-[65%] shrink-0 truncate">{option.label}</bdi>
                      {option.note !== undefined && <span className="ml-auto min-w-0 truncate pl-3 text-xs text-ink-2">{option.note}</span>}
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

/** Whether the list only closes: text that chose nothing is kept, unless Escape clears it. */
function isLeft({ reason, event, isItemPress }: Combobox.Root.ChangeEventDetails): boolean {
  return reason === "input-clear" && isItemPress !== true && !(event instanceof KeyboardEvent && event.key === "Escape");
}
