import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { UPDATE_STATUSES, UPDATE_TYPES } from "../../../../src/contract/updates.ts";
import type { UpdateSummary } from "../../../../src/monitoring/updates/answers.ts";
import type { SortKey } from "../../../../src/monitoring/updates/api.ts";
import { useInsightGrants } from "../../entities/updates/use-grants.ts";
import { SortMenu } from "../../lists/sort-menu.tsx";
import type { ListSort } from "../../lists/sort.ts";
import { classNames } from "../../ui/class-names.ts";
import { ChoiceFilter } from "../../ui/filter-menus.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { SORT_KEYS, type PageSearch } from "./filter.ts";
import { SORT_WORDS, STATUS_WORDS, totalsOf, TYPE_WORDS } from "../../entities/updates/words.ts";

const route = getRouteApi("/updates");
/** The server searches: not for every letter of a word. */
const TYPING_MS = 200;

const NOT_GROUPED = "none";
const GROUP_CHOICES = [
  { value: NOT_GROUPED, label: "None" },
  { value: "image", label: "Image" },
] as const;

/** What narrows, sorts and groups the list. All of it stands in the address. */
export function FilterBar({ summary, sort }: { summary: UpdateSummary | undefined; sort: ListSort<SortKey> }) {
  const { q, status, type, group } = route.useSearch();
  const navigate = route.useNavigate();
  const { risk, cves } = useInsightGrants();
  const sortKeys = SORT_KEYS.filter((key) => key === sort.by || ((key !== "risk" || risk) && (key !== "fixed" || cves)));
  const counts = summary?.counts;

  function narrow(change: PageSearch, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: false });
  }

  return (
    <>
      <ChoiceFilter
        label="Status"
        align="end"
        value={status}
        word={status && STATUS_WORDS[status].word.toLowerCase()}
        choices={UPDATE_STATUSES.map((value) => ({
          value,
          label: STATUS_WORDS[value].word,
          ...(counts !== undefined && { count: value === "available" ? totalsOf(counts).available : counts[value] }),
        }))}
        onChange={(next) => narrow({ status: next })}
      />
      <ChoiceFilter
        label="Kind"
        align="end"
        value={type}
        word={type && TYPE_WORDS[type].word.toLowerCase()}
        choices={UPDATE_TYPES.map((value) => ({
          value,
          label: TYPE_WORDS[value].word,
          ...(counts !== undefined && { count: counts[value] }),
        }))}
        onChange={(next) => narrow({ type: next })}
      />
      <span className={classNames("xl:hidden", !isHeadless(sort.by) && "md:hidden")}>
        <SortMenu sort={sort} usual="Status" choices={sortKeys.map((value) => ({ value, label: SORT_WORDS[value] }))} />
      </span>
      <Select
        label="Group"
        align="end"
        value={group ?? NOT_GROUPED}
        choices={GROUP_CHOICES}
        onChange={(value) => narrow({ group: value === NOT_GROUPED ? undefined : value })}
      />
      <TextFilter q={q ?? ""} onChange={(text) => narrow({ q: text === "" ? undefined : text }, true)} />
    </>
  );
}

/** Whether the list is sorted by a column that has no head below 1280 px. On a phone none has. */
function isHeadless(by: SortKey | undefined): boolean {
  return by === "image" || by === "published";
}

/** What is typed stands in the field at once, and in the address when typing rests. */
function TextFilter({ q, onChange }: { q: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(q);
  const [known, setKnown] = useState(q);
  // The address changed by itself: a link, or the way back.
  if (known !== q) {
    setKnown(q);
    if (q !== typed.trim()) setTyped(q);
  }
  const report = useEffectEvent(onChange);
  useEffect(() => {
    if (typed.trim() === q) return undefined;
    const timer = setTimeout(() => report(typed.trim()), typed === "" ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, q]);

  return (
    <SearchField
      label="Filter"
      placeholder="Container or image"
      value={typed}
      onChange={setTyped}
      pageFilter
      className="w-52 max-xl:w-40 max-sm:order-last max-sm:w-full"
    />
  );
}
