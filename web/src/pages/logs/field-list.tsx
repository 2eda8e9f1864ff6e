import { Columns3, ListFilter } from "lucide-react";
import { canFilterBy, FIELD_FILTER_BOUNDS, writeFieldCondition } from "../../../../src/contract/field-filter.ts";
import type { LogField } from "../../../../src/contract/log-fields.ts";
import { IconButton } from "../../ui/icon-button.tsx";

interface Properties {
  fields: readonly LogField[];
  columns: readonly string[];
  onColumn: (name: string) => void;
  onCondition: (condition: string) => void;
}

/** The fields of one line: each can become a column, or narrow the lines to those with the same value. */
export function FieldList({ fields, columns, onColumn, onCondition }: Properties) {
  return (
    <dl aria-label="Fields" className="grid grid-cols-[fit-content(16rem)_minmax(0,1fr)] gap-x-4 px-3 font-mono text-xs leading-5">
      {fields.map(({ name, value }, index) => {
        const condition = writeFieldCondition({ name, operator: "=", value });
        const canUse = canFilterBy(name) && !name.includes(",");
        return (
          <div key={index} className="col-span-2 grid grid-cols-subgrid items-center hover:bg-hover">
            <dt className="truncate text-ink-2">
              <bdi>{name}</bdi>
            </dt>
            <dd className="flex items-center gap-1">
              <bdi className="min-w-0 wrap-anywhere whitespace-pre-wrap">{value}</bdi>
              {canUse && condition.length <= FIELD_FILTER_BOUNDS.maxLength / 2 && (
                <IconButton icon={ListFilter} label={`Only lines with ${condition.slice(0, 80)}`} onClick={() => onCondition(condition)} />
              )}
              {canUse && !columns.includes(name) && (
                <IconButton icon={Columns3} label={`Show ${name} as a column`} onClick={() => onColumn(name)} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
