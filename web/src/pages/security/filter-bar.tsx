import { getRouteApi } from "@tanstack/react-router";
import { INSIGHT_SEVERITIES, INSIGHT_TYPES } from "../../../../src/contract/security.ts";
import type { Summary } from "../../../../src/monitoring/security/answers.ts";
import type { SortKey } from "../../../../src/monitoring/security/api.ts";
import { SortMenu } from "../../lists/sort-menu.tsx";
import type { ListSort } from "../../lists/sort.ts";
import { ChoiceFilter } from "../../ui/filter-menus.tsx";
import { Select } from "../../ui/select.tsx";
import { GROUPINGS } from "../../entities/security/grouping.ts";
import { SORT_KEYS, type SecurityFilter } from "./filter.ts";
import { FINDING_SEVERITY_WORDS, SORT_WORDS, TYPE_WORDS } from "../../entities/security/words.ts";

const route = getRouteApi("/security");
const ACKNOWLEDGED_CHOICES = [
  { value: "no", label: "Unacknowledged" },
  { value: "yes", label: "Acknowledged" },
] as const;

const GROUP_WORDS = { container: "Container", type: "Kind", image: "Image" } as const;
const NOT_GROUPED = "none";
const GROUP_CHOICES = [{ value: NOT_GROUPED, label: "None" } as const, ...GROUPINGS.map((value) => ({ value, label: GROUP_WORDS[value] }))];
// Without a choice they are by severity.
const SORT_CHOICES = SORT_KEYS.filter((key) => key !== "severity").map((value) => ({ value, label: SORT_WORDS[value] }));

/** What narrows, sorts and groups the findings. All of it stands in the address. */
export function FilterBar({ summary, sort }: { summary: Summary | undefined; sort: ListSort<SortKey> }) {
  const { severity, type, acknowledged, group } = route.useSearch();
  const navigate = route.useNavigate();
  const types = INSIGHT_TYPES.filter((each) => each === type || (summary?.by_type[each] ?? 0) > 0);

  function narrow(change: SecurityFilter): void {
    void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false });
  }

  return (
    <>
      <ChoiceFilter
        label="Severity"
        align="end"
        value={severity}
        word={severity && FINDING_SEVERITY_WORDS[severity].word.toLowerCase()}
        choices={INSIGHT_SEVERITIES.map((value) => ({
          value,
          label: FINDING_SEVERITY_WORDS[value].word,
          ...(summary !== undefined && { count: summary.by_severity[value] }),
        }))}
        onChange={(next) => narrow({ severity: next })}
      />
      <ChoiceFilter
        label="Kind"
        align="end"
        value={type}
        word={type && TYPE_WORDS[type].toLowerCase()}
        choices={types.map((value) => ({
          value,
          label: TYPE_WORDS[value],
          ...(summary !== undefined && { count: summary.by_type[value] }),
        }))}
        onChange={(next) => narrow({ type: next })}
      />
      <ChoiceFilter
        label="Acknowledged"
        align="end"
        value={acknowledged}
        word={acknowledged}
        choices={ACKNOWLEDGED_CHOICES}
        onChange={(next) => narrow({ acknowledged: next })}
      />
      <SortMenu sort={sort} usual={SORT_WORDS.severity} choices={SORT_CHOICES} />
      <Select
        label="Group"
        align="end"
        value={group ?? NOT_GROUPED}
        choices={GROUP_CHOICES}
        onChange={(value) => narrow({ group: value === NOT_GROUPED ? undefined : value })}
      />
    </>
  );
}
