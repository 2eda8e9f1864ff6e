import { getRouteApi } from "@tanstack/react-router";
import { INSIGHT_SEVERITIES, INSIGHT_TYPES } from "../../../../src/contract/security.ts";
import type { Summary } from "../../../../src/monitoring/security/answers.ts";
import type { SortKey } from "../../../../src/monitoring/security/api.ts";
import { SortMenu } from "../../lists/sort-menu.tsx";
import type { ListSort } from "../../lists/sort.ts";
import { choiceRows } from "../../ui/menu-rows.ts";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import { Select } from "../../ui/select.tsx";
import { GROUPINGS } from "../../entities/security/grouping.ts";
import { SORT_KEYS, type SecurityFilter } from "./filter.ts";
import { FINDING_SEVERITY_WORDS, SORT_WORDS, TYPE_WORDS, type FindingSeverity, type FindingType } from "../../entities/security/words.ts";

const route = getRouteApi("/security");
const ANY = "";
const ACKNOWLEDGED = { yes: "Acknowledged", no: "Unacknowledged" } as const;

const GROUP_WORDS = { container: "Container", type: "Kind", image: "Image" } as const;
const NOT_GROUPED = "none";
const GROUP_CHOICES = [{ value: NOT_GROUPED, label: "None" } as const, ...GROUPINGS.map((value) => ({ value, label: GROUP_WORDS[value] }))];
// Without a choice they are by severity.
const SORT_CHOICES = SORT_KEYS.filter((key) => key !== "severity").map((value) => ({ value, label: SORT_WORDS[value] }));

/** What narrows, sorts and groups the findings. All of it stands in the address. */
export function FilterBar({ summary, sort }: { summary: Summary | undefined; sort: ListSort<SortKey> }) {
  const { severity, type, acknowledged, group } = route.useSearch();
  const navigate = route.useNavigate();
  const any = { value: ANY, label: "Any" } as const;
  const types = INSIGHT_TYPES.filter((each) => each === type || (summary?.by_type[each] ?? 0) > 0);

  function narrow(change: SecurityFilter): void {
    void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false });
  }

  return (
    <>
      <Menu
        align="end"
        trigger={
          <MenuButton label="Severity" active={severity !== undefined}>
            {severity === undefined ? "any" : FINDING_SEVERITY_WORDS[severity].word.toLowerCase()}
          </MenuButton>
        }
        rows={choiceRows<FindingSeverity | "">(
          severity ?? ANY,
          [
            any,
            ...INSIGHT_SEVERITIES.map((value) => ({
              value,
              label: FINDING_SEVERITY_WORDS[value].word,
              ...(summary !== undefined && { count: summary.by_severity[value] }),
            })),
          ],
          (value) => narrow({ severity: value === ANY ? undefined : value }),
        )}
      />
      <Menu
        align="end"
        trigger={
          <MenuButton label="Kind" active={type !== undefined}>
            {type === undefined ? "any" : TYPE_WORDS[type].toLowerCase()}
          </MenuButton>
        }
        rows={choiceRows<FindingType | "">(
          type ?? ANY,
          [
            any,
            ...types.map((value) => ({
              value,
              label: TYPE_WORDS[value],
              ...(summary !== undefined && { count: summary.by_type[value] }),
            })),
          ],
          (value) => narrow({ type: value === ANY ? undefined : value }),
        )}
      />
      <Menu
        align="end"
        trigger={
          <MenuButton label="Acknowledged" active={acknowledged !== undefined}>
            {acknowledged ?? "any"}
          </MenuButton>
        }
        rows={choiceRows<"yes" | "no" | "">(
          acknowledged ?? ANY,
          [any, { value: "no", label: ACKNOWLEDGED.no }, { value: "yes", label: ACKNOWLEDGED.yes }],
          (value) => narrow({ acknowledged: value === ANY ? undefined : value }),
        )}
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
