import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useCallback, useState } from "react";
import { containersQuery } from "../../api/queries.ts";
import { formatLocal } from "../../format/time.ts";
import { useSettled } from "../../logs/use-settled.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceFilter } from "../../ui/filter-menus.tsx";
import { checkRows } from "../../ui/menu-rows.ts";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { useNow } from "../../ui/ticker.tsx";
import { MOST_COLUMNS } from "./column-names.ts";
import type { FoundField } from "./columns.ts";
import { FieldFilter } from "./field-filter.tsx";
import { FIRST_PERIOD, type LogsFilter, PERIOD_NAMES, PERIODS } from "./filter.ts";

const route = getRouteApi("/logs");
const LEVEL_CHOICES = [
  { value: "any", label: "any" },
  { value: "error", label: "errors" },
  { value: "warn", label: "warnings and errors" },
  { value: "info", label: "hide debug" },
] as const;
const PERIOD_CHOICES = PERIOD_NAMES.map((value) => ({ value, label: PERIODS[value].label }));

/** What narrows the lines, and how they are shown. All of it stands in the address. */
export function FilterBar({ found }: { found: readonly FoundField[] }) {
  const { q = "", level = "any", fields = "", columns = [], group, container, period = FIRST_PERIOD, since, until } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(containersQuery());
  const nowMs = useNow((now) => new Date(now).setHours(12, 0, 0, 0));
  const narrow = useCallback(
    (change: LogsFilter, replace = false) => void navigate({ search: (search) => ({ ...search, ...change }), replace }),
    [navigate],
  );
  const narrowText = useCallback((text: string) => narrow({ q: text === "" ? undefined : text }, true), [narrow]);
  const narrowFields = useCallback((text: string) => narrow({ fields: text === "" ? undefined : text }, true), [narrow]);
  const groups = data?.groups ?? [];
  const named = groups.flatMap(({ containers }) => containers).find(({ id }) => String(id) === container);

  return (
    <>
      <TextFilter q={q} onChange={narrowText} />
      <FieldFilter value={fields} onChange={narrowFields} />
      <Select
        label="Level"
        value={level}
        choices={LEVEL_CHOICES}
        onChange={(next) => narrow({ level: next === "any" ? undefined : next })}
      />
      <ChoiceFilter
        label="Group"
        className="max-w-48"
        value={group}
        word={group && <bdi>{group}</bdi>}
        choices={groups.map(({ name, containers }) => ({
          value: name,
          label: <bdi className="truncate">{name}</bdi>,
          count: containers.length,
        }))}
        onChange={(next) => narrow({ group: next })}
      />
      {since === undefined && until === undefined ? (
        <Select
          label="Time"
          align="end"
          value={period}
          choices={PERIOD_CHOICES}
          onChange={(next) => narrow({ period: next === FIRST_PERIOD ? undefined : next })}
        />
      ) : (
        <Button onClick={() => narrow({ since: undefined, until: undefined })} title="Show the whole time again">
          {since === undefined ? "until" : formatLocal(since, nowMs)}
          {until !== undefined && ` – ${formatLocal(until, nowMs)}`}
          <X size={14} aria-label="Clear" />
        </Button>
      )}
      {(found.length > 0 || columns.length > 0) && (
        <ColumnMenu columns={columns} found={found} onChange={(next) => narrow({ columns: next.length === 0 ? undefined : next }, true)} />
      )}
      {container !== undefined && (
        <Button onClick={() => narrow({ container: undefined })} title="Search all containers">
          <bdi className="max-w-40 truncate">{named?.name ?? `Container ${container}`}</bdi>
          <X size={14} aria-label="Clear" />
        </Button>
      )}
    </>
  );
}

/** What is typed stands in the field at once, and in the address when typing rests. */
function TextFilter({ q, onChange }: { q: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(q);
  const [known, setKnown] = useState(q);
  /** What was typed and is in the address, or will be. */
  const [sent, setSent] = useState(q);
  // The address changed by itself: a link, or the way back.
  if (known !== q) {
    setKnown(q);
    if (q.trim() !== sent.trim()) {
      setSent(q);
      setTyped(q);
    }
  }
  const settle = useSettled(
    useCallback(
      (text: string) => {
        setSent(text);
        onChange(text);
      },
      [onChange],
    ),
    q,
  );
  return (
    <SearchField
      label="Search all logs"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        settle(text);
      }}
      pageFilter
      className="w-72 max-sm:w-full max-sm:flex-1"
    />
  );
}

interface ColumnMenuProperties {
  columns: readonly string[];
  found: readonly FoundField[];
  onChange: (columns: string[]) => void;
}

/** Which fields of the lines are columns, in the order in which they were chosen. */
function ColumnMenu({ columns, found, onChange }: ColumnMenuProperties) {
  const names = [...new Set([...columns, ...found.map(({ name }) => name)])];
  const counts = new Map(found.map(({ name, lines }) => [name, lines]));
  const choices = names.map((name) => ({
    value: name,
    label: <bdi className="truncate font-mono text-xs">{name}</bdi>,
    count: counts.get(name) ?? 0,
  }));
  const rows = checkRows(columns, choices, (next) => onChange(next.slice(-MOST_COLUMNS)));
  const none = { key: "", label: "Whole lines", run: () => onChange([]) };
  return (
    <Menu
      align="end"
      trigger={
        <MenuButton label="Columns" active={columns.length > 0}>
          {columns.length === 0 ? "whole lines" : columns.length}
        </MenuButton>
      }
      rows={columns.length === 0 ? rows : [none, ...rows]}
    />
  );
}
