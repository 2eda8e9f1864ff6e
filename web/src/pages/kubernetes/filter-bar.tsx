import type { ReactNode } from "react";
import { compareNames } from "../../../../src/contract/words.ts";
import { choiceRows, type Choice } from "../../ui/menu-rows.ts";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { KubernetesFilter } from "./filter.ts";
import type { ListFilter } from "./use-filter.ts";

/** One choice that narrows a list. */
export interface Narrowing {
  name: Exclude<keyof KubernetesFilter, "q">;
  label: string;
  choices: readonly Choice<string>[];
}

const ANY = "";

/** What narrows a list: choices that stand in its address, and a text. */
export function FilterBar({ list, narrowings, placeholder }: { list: ListFilter; narrowings: readonly Narrowing[]; placeholder: string }) {
  const { filter, narrow } = list;
  return (
    <>
      {narrowings.map(({ name, label, choices }) => {
        const chosen = filter[name];
        if (choices.length < 2 && chosen === undefined) return null;
        return (
          <Menu
            key={name}
            align="end"
            trigger={
              <MenuButton active={chosen !== undefined} className="max-w-52">
                <span className="text-ink-2">{label}</span>
                {chosen === undefined ? <span className="max-sm:sr-only">: any</span> : <bdi>: {labelOf(choices, chosen)}</bdi>}
              </MenuButton>
            }
            rows={choiceRows(chosen ?? ANY, withAny(choices, chosen), (value) => narrow({ [name]: value === ANY ? undefined : value }))}
          />
        );
      })}
      <SearchField
        label="Filter"
        placeholder={placeholder}
        value={filter.q ?? ""}
        onChange={(q) => narrow({ q: q === "" ? undefined : q }, true)}
        pageFilter
        className="w-52 max-sm:w-full max-sm:flex-1"
      />
    </>
  );
}

/** What an address names stays a choice, also when there is none of it. */
function withAny(choices: readonly Choice<string>[], chosen: string | undefined): Choice<string>[] {
  const known = chosen === undefined || choices.some(({ value }) => value === chosen);
  return [{ value: ANY, label: "Any" }, ...choices, ...(known ? [] : [{ value: chosen, label: chosen, count: 0 }])];
}

function labelOf(choices: readonly Choice<string>[], chosen: string): ReactNode {
  return choices.find(({ value }) => value === chosen)?.label ?? chosen;
}

/** Choices of the values that occur, by name, each with how many have it. */
export function countedChoices(values: readonly string[], wordOf: (value: string) => string = (value) => value): Choice<string>[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, word: wordOf(value), count }))
    .toSorted((one, other) => compareNames(one.word, other.word))
    .map(({ value, word, count }) => ({ value, label: <bdi className="truncate">{word}</bdi>, count }));
}
