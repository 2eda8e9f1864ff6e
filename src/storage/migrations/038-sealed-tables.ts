import type { Migration } from "./migration.ts";

/** Tables with secrets that were sealed, whose old rows may still be in the files of the database in clear text; each goes from here once they are not. */
export const sealedTables: Migration = {
  name: "038-sealed-tables",
  statements: () => ["CREATE TABLE sealed_tables (name TEXT PRIMARY KEY)"],
};
