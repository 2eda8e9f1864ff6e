import { choiceRows, type Choice } from "../ui/menu-rows.ts";
import { Menu, MenuButton } from "../ui/menu.tsx";
import type { ListSort } from "./sort.ts";

interface Properties<Key extends string> {
  sort: ListSort<Key>;
  /** The order without a choice, in words. */
  usual: string;
  choices: readonly Choice<Key>[];
}

const USUAL = "";

/** Sorts a list where no head of a column can, as on a phone. */
export function SortMenu<Key extends string>({ sort, usual, choices }: Properties<Key>) {
  const chosen = choices.find(({ value }) => value === sort.by);
  return (
    <Menu
      align="end"
      trigger={
        <MenuButton label="Sort" active={sort.by !== undefined}>
          {chosen?.label ?? usual}
        </MenuButton>
      }
      rows={[
        ...choiceRows<Key | typeof USUAL>(sort.by ?? USUAL, [{ value: USUAL, label: usual }, ...choices], (key) =>
          sort.choose(key === USUAL ? undefined : key),
        ),
        ...(sort.by === undefined ? [] : [{ key: "reverse", label: "Reverse order", part: "Order", run: sort.reverse }]),
      ]}
    />
  );
}
