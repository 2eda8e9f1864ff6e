import { type LogField, readFields } from "../../../../src/contract/log-fields.ts";
import type { FoundLine } from "../../../../src/monitoring/logs/answers.ts";
import { plainText } from "../../logs/ansi.ts";
import { isColumnName } from "./column-names.ts";

/** A line with the fields that it has; null: it has none. */
export interface LineWithFields {
  line: FoundLine;
  fields: readonly LogField[] | null;
}

/** A field of the lines that are loaded. */
export interface FoundField {
  name: string;
  lines: number;
  /** Characters of its longest value. */
  longest: number;
}

/** Names of a menu that somebody reads. */
const MOST_FOUND = 40;
const WIDEST_CH = 32;
const NARROWEST_CH = 4;

export function withFields(line: FoundLine): LineWithFields {
  return { line, fields: line.is_cut ? null : readFields(plainText(line.text)) };
}

/** The fields that lines have, those of most lines first. */
export function foundFields(lines: readonly LineWithFields[]): FoundField[] {
  const found = new Map<string, FoundField>();
  for (const { fields } of lines) {
    for (const { name, value } of fields ?? []) {
      if (!isColumnName(name)) continue;
      const known = found.get(name) ?? { name, lines: 0, longest: 0 };
      found.set(name, { name, lines: known.lines + 1, longest: Math.max(known.longest, value.length) });
    }
  }
  return [...found.values()].toSorted((one, other) => other.lines - one.lines).slice(0, MOST_FOUND);
}

/** How wide columns are, as a grid's: as their values need, the last takes the rest. */
export function columnWidths(columns: readonly string[], found: readonly FoundField[]): string {
  const longest = new Map(found.map((field) => [field.name, field.longest]));
  return columns
    .map((name, index) => {
      const needed = Math.max(name.length, longest.get(name) ?? 0, NARROWEST_CH);
      return index === columns.length - 1 ? "minmax(0,1fr)" : `minmax(0,${Math.min(needed, WIDEST_CH)}ch)`;
    })
    .join(" ");
}
