import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Pass } from "./choose-tests.ts";
import type { Mutation } from "./mutation.ts";
import type { Outcome } from "./trial.ts";

/** The file of results: a line with what was drawn, then a line for each trial; a later line about the same mutation counts. */
type Line = { drawn: Mutation[]; seed: number; count: number } | { number: number; pass: Pass; outcome: Outcome };

export interface Results {
  /** What was drawn before, when the file is there. */
  drawn: Mutation[] | undefined;
  begin(drawn: Mutation[]): void;
  /** What the last trial of a pass came to. */
  of(number: number, pass: Pass): Outcome | undefined;
  add(number: number, pass: Pass, outcome: Outcome): void;
}

/** Opens a file of results, there or new. Throws when it belongs to another draw. */
export function openResults(path: string, { seed, count }: { seed: number; count: number }): Results {
  const outcomes = new Map<string, Outcome>();
  let drawn: Mutation[] | undefined;
  for (const line of readLines(path))
    if (!("drawn" in line)) outcomes.set(`${line.pass} ${line.number}`, line.outcome);
    else if (line.seed === seed && line.count === count) drawn = line.drawn;
    else throw new Error(`${path} has the results of --seed ${line.seed} --count ${line.count}`);
  const append = (line: Line): void => appendFileSync(path, `${JSON.stringify(line)}\n`);
  return {
    drawn,
    begin: (mutations) => append({ drawn: mutations, seed, count }),
    of: (number, pass) => outcomes.get(`${pass} ${number}`),
    add(number, pass, outcome) {
      outcomes.set(`${pass} ${number}`, outcome);
      append({ number, pass, outcome });
    },
  };
}

function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  // An interruption may have cut the last line.
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text) writeFileSync(path, whole);
  return whole
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}
