import type { LogField } from "../../../../src/contract/log-fields.ts";
import { AnsiText } from "../../logs/ansi-text.tsx";
import type { Finder } from "../../logs/find.ts";

interface Properties {
  fields: readonly LogField[];
  columns: readonly string[];
  widths: string;
  finder: Finder | null;
}

/** Longer values are cut: all of the line is below it once it is opened. */
const LONGEST = 500;

/** The fields of a line as cells of a table; where there is no room for columns, each with its name. */
export function Cells({ fields, columns, widths, finder }: Properties) {
  const values = new Map(fields.map(({ name, value }) => [name, value]));
  return (
    <span className="flex flex-wrap gap-x-3 sm:grid sm:gap-x-4" style={{ gridTemplateColumns: widths }}>
      {columns.map((name) => {
        const value = values.get(name);
        return (
          <span
            key={name}
            className="min-w-0 sm:truncate sm:last:whitespace-pre-wrap sm:last:wrap-anywhere max-sm:empty:hidden"
            title={value?.slice(0, LONGEST)}
          >
            {value !== undefined && (
              <>
                <span className="text-ink-3 sm:sr-only">{name}=</span>
                <AnsiText line={value} finder={finder} limit={LONGEST} />
              </>
            )}
          </span>
        );
      })}
    </span>
  );
}
