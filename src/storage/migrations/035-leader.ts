import type { Migration } from "./migration.ts";

/**
 * Which program writes to a database that several may reach: one row, whose id is 1. Whoever takes the database over writes its name, and every
 * transaction of a program asks for its own. Times as in 001.
 */
export const leader: Migration = {
  name: "035-leader",
  statements: () => [
    `CREATE TABLE leader (
      id BIGINT PRIMARY KEY,
      holder TEXT NOT NULL,
      since BIGINT NOT NULL
    )`,
  ],
};
