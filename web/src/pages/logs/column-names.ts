import { canFilterBy } from "../../../../src/contract/field-filter.ts";

export const MOST_COLUMNS = 8;

/** The columns of an address, which has them with commas between. */
export function columnNames(value: unknown): string[] | undefined {
  const given: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const names = given.filter((name) => typeof name === "string").filter(isColumnName);
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, MOST_COLUMNS);
}

export function isColumnName(name: string): boolean {
  return name !== "" && name.length <= 100 && !name.includes(",") && canFilterBy(name);
}
