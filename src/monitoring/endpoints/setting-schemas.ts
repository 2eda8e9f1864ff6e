import { z } from "zod";
import type { CheckSetting, SettingTable, ValueOf } from "../../contract/check-settings.ts";
import { text } from "../../http/texts.ts";

type Shown<Table extends SettingTable, Absent> = { [Key in keyof Table as Table[Key]["name"]]: z.ZodType<ValueOf<Table[Key]> | Absent> };
type Fields<Table extends SettingTable> = {
  [Key in keyof Table as Table[Key]["name"]]: z.ZodDefault<z.ZodType<ValueOf<Table[Key]>, ValueOf<Table[Key]>>>;
};

/** The settings of a table as a record shows them; with `absent` null where they are not of its kind. */
export function shownSettings<Table extends SettingTable, Absent = never>(table: Table, absent?: Absent): Shown<Table, Absent> {
  const schemas = Object.values(table).map((setting) => {
    const schema = shownSchema(setting);
    return [setting.name, absent === null ? schema.nullable() : schema];
  });
  // Names and kinds are the table's.
  return Object.fromEntries(schemas) as Shown<Table, Absent>;
}

/** The settings of a table as a body gives them. */
export function settingFields<Table extends SettingTable>(table: Table): Fields<Table> {
  // Names and kinds are the table's.
  return Object.fromEntries(Object.values(table).map((setting) => [setting.name, fieldSchema(setting)])) as Fields<Table>;
}

function shownSchema({ kind }: CheckSetting): z.ZodType {
  if (kind === "number") return z.number().int();
  return kind === "flag" ? z.boolean() : z.string().nullable();
}

function fieldSchema(setting: CheckSetting): z.ZodType {
  switch (setting.kind) {
    case "number":
      return z.number().int().min(setting.min).max(setting.max).default(setting.default);
    case "flag":
      return z.boolean().default(setting.default);
    case "text":
      return text(setting.maxLength)
        .regex(/^[^\0]*[^\s\ufeff\0][^\0]*$/, "Must not be empty, nor have a NUL character")
        .nullable()
        .default(setting.default)
        .meta({ description: "matched exactly, including white space" });
  }
}
