import type { Migration } from "./migration.ts";

/** The trace of an alert gets the names of the glossary: its evaluations, each with the transition that caused it. What is kept in them is as before. */
export const traceEvaluations: Migration = {
  name: "049-trace-evaluations",
  statements: () => [
    "ALTER TABLE alerts RENAME COLUMN walks TO evaluations",
    "ALTER TABLE alert_verdicts RENAME COLUMN walk TO evaluation",
    "ALTER TABLE alert_verdicts RENAME COLUMN occasion TO transition",
  ],
};
