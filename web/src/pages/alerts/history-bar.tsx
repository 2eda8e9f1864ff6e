import { getRouteApi } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { SEVERITIES, SEVERITY_WORDS, SOURCE_WORDS, SOURCES } from "../../format/alert-words.ts";
import { buttonClass } from "../../ui/button.tsx";
import { TextInput } from "../../ui/field.tsx";
import { ChoiceFilter } from "../../ui/filter-menus.tsx";
import { SavedViews } from "../../lists/saved-views-picker.tsx";
import { PERIOD_NAMES, PERIODS, type HistoryFilter } from "./history-filter.ts";

const route = getRouteApi("/alerts/history");

/** What narrows the history. All of it stands in the address. */
export function HistoryBar({ entityName }: { entityName: string | undefined }) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();

  function narrow(change: HistoryFilter): void {
    void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false });
  }

  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      <ChoiceFilter
        label="Severity"
        value={filter.severity}
        choices={SEVERITIES.map((value) => ({ value, label: SEVERITY_WORDS[value].word }))}
        onChange={(severity) => narrow({ severity })}
      />
      <ChoiceFilter
        label="Source"
        value={filter.source}
        choices={SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] }))}
        onChange={(source) => narrow({ source })}
      />
      <ChoiceFilter
        label="Status"
        value={filter.status}
        choices={[
          { value: "active", label: "Active" },
          { value: "resolved", label: "Resolved" },
        ]}
        onChange={(status) => narrow({ status })}
      />
      <ChoiceFilter
        label="Fired"
        value={filter.period}
        choices={[
          ...PERIOD_NAMES.map((value) => ({ value, label: PERIODS[value].label })),
          { value: "days" as const, label: "Custom range" },
        ]}
        onChange={(period) => narrow({ period, ...(period !== "days" && { from: undefined, to: undefined }) })}
      />
      {filter.period === "days" && (
        <>
          <Day label="From" value={filter.from} onChange={(from) => narrow({ from })} />
          <Day label="To" value={filter.to} onChange={(to) => narrow({ to })} />
        </>
      )}
      {filter.entity !== undefined && (
        <button
          type="button"
          className={buttonClass("plain", "max-w-64 border-accent")}
          title="Clear this filter"
          onClick={() => narrow({ entity: undefined })}
        >
          <span className="truncate">
            Only: <bdi>{entityName ?? filter.entity}</bdi>
          </span>
          <X size={14} aria-hidden className="shrink-0 text-ink-3" />
          <span className="sr-only">Clear this filter</span>
        </button>
      )}
      <span className="ml-auto">
        <SavedViews list="alerts" shown={filter} />
      </span>
    </div>
  );
}

function Day({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  // What is being typed stays as it is: the address follows a moment later, and would take a half-typed year back.
  useEffect(() => {
    const { current } = input;
    if (current !== null && current !== document.activeElement) current.value = value ?? "";
  }, [value]);
  return (
    <label className="flex items-center gap-2 text-ink-2">
      {label}
      <TextInput
        ref={input}
        type="date"
        className="w-36"
        defaultValue={value ?? ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      />
    </label>
  );
}
