import assert from "node:assert/strict";
import { test } from "node:test";
import { dayWords, monthWords, shortDay } from "./words.ts";

test("each month of the year has its name, long over its archive and short in a day", () => {
  for (let month = 0; month < 12; month += 1) {
    const day = new Date(Date.UTC(2026, month, 9));
    const name = (length: "long" | "short"): string => day.toLocaleString("en-US", { month: length, timeZone: "UTC" });
    const date = day.toISOString().slice(0, 10);
    assert.equal(monthWords(date.slice(0, 7)), `${name("long")} 2026`);
    assert.deepEqual([dayWords(day), shortDay(date)], [`9 ${name("short")} 2026`, `9 ${name("short")}`]);
  }
});
